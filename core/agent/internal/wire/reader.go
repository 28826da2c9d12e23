package wire

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Reader takes the text of a reply out of an answer while it is written. The zero Reader is ready.
type Reader struct {
	raw  strings.Builder
	said strings.Builder
	mode mode
	pend string // of plain text, not sure yet
	flow bool   // plain text is no mere lead to an object: it holds a whole sentence

	state  state
	depth  int
	inside bool // a string below the first level, where esc is the byte after a backslash
	esc    bool
	str    quoted
	key    string
	held   strings.Builder // of a text whose type is not known yet
	kind   string
	done   bool // the text is over
}

type mode uint8

const (
	start   mode = iota
	plain        // text that is no JSON
	object1      // inside the first object
	silent       // nothing more is given before the end
)

type state uint8

const (
	wantKey state = iota
	inKey
	wantColon
	wantValue
	inText // the string that is the value of key
	inOther
	wantComma
)

// Feed takes a piece of the answer and gives what can be said of it.
func (r *Reader) Feed(piece string) string {
	r.raw.WriteString(piece)
	var out string
	switch r.mode {
	case start:
		out = r.begin(piece)
	case plain:
		out = r.plainly(piece)
	case object1:
		out = r.scan(piece)
	case silent:
	}
	r.said.WriteString(out)
	return out
}

// Len is the size of the answer so far, in bytes.
func (r *Reader) Len() int { return r.raw.Len() }

// Raw is the answer so far.
func (r *Reader) Raw() string { return r.raw.String() }

// End reads the answer as a whole. Rest is what was not given by Feed of a reply's text. What was given stays a reply,
// whatever follows it. The error is a *Fault.
func (r *Reader) End() (rest string, a Answer, err error) {
	said := r.said.String()
	a, err = Parse(r.raw.String())
	switch {
	case err != nil && said != "" && r.mode == object1:
		return "", Answer{Text: said}, nil
	case err != nil || len(a.Calls) > 0:
		return "", a, err
	case r.spokePlainly() && a.object:
		return a.Text, a, nil // plain words, then a reply as it should be
	case strings.HasPrefix(a.Text, said):
		return a.Text[len(said):], a, nil
	}
	return "", a, nil
}

func (r *Reader) spokePlainly() bool { return r.key == "" && r.kind == "" && r.said.Len() > 0 }

// begin decides what kind of text it is.
func (r *Reader) begin(piece string) string {
	r.pend += piece
	text := strings.TrimLeft(r.pend, " \t\r\n\ufeff")
	switch {
	case text == "", len(text) < len(thinkOpen) && strings.HasPrefix(thinkOpen, text), !utf8.FullRuneInString(text):
		return ""
	case strings.HasPrefix(text, thinkOpen):
		_, rest, ok := strings.Cut(text, thinkClose)
		r.pend = text
		if !ok {
			return ""
		}
		r.pend = ""
		return r.begin(rest)
	case text[0] == '{':
		r.mode, r.pend = object1, ""
		return r.scan(text[1:])
	case text[0] == '`':
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			return "" // a code block may hold the object
		}
		r.mode, r.pend = object1, ""
		return r.scan(rest)
	}
	r.mode, r.pend = plain, ""
	return r.plainly(text)
}

// plainly gives plain text up to what may be an object, a code block or a mark of the model's template.
func (r *Reader) plainly(piece string) string {
	r.pend += piece
	end := len(r.pend)
	if i := strings.IndexAny(r.pend, "{`"); i >= 0 {
		end, r.mode = i, silent
	}
	for i, c := range r.pend[:end] {
		if c != '<' {
			continue
		}
		if i+1 == len(r.pend) {
			end = i
		} else if strings.IndexByte("|/set", r.pend[i+1]) >= 0 {
			end, r.mode = i, silent
		}
		if end == i {
			break
		}
	}
	end = wholeRunes(r.pend, end)
	if r.flow = r.flow || end >= longLead || sentence.MatchString(r.pend[:end]); !r.flow {
		return "" // "Here is the JSON:" is nothing to say
	}
	out := valid(r.pend[:end])
	r.pend = r.pend[end:]
	return out
}

// longLead is how many bytes of plain text are said though no sentence ended in them.
const longLead = 160

var sentence = regexp.MustCompile(`[.!?…。！？]["')]*\s`)

// wholeRunes steps back over the beginning of a rune whose end is still to come.
func wholeRunes(s string, end int) int {
	for i := end - 1; i >= 0 && i >= end-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if end == len(s) && !utf8.FullRuneInString(s[i:end]) {
				return i
			}
			return end
		}
	}
	return end
}
