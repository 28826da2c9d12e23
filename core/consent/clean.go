package consent

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

const (
	headSaid = 140 // characters of a long value
	tailSaid = 40
)

// clean makes one flowing clause of text that a stranger may have written: no control, invisible or reversing characters,
// no quotation marks and no end of a sentence, so that nobody can speak in Solo's place.
func clean(s string) string {
	s = wide.Replace(strings.Map(visible, strings.ToValidUTF8(s, " ")))
	words := strings.Fields(s)
	out := words[:0]
	for i, w := range words {
		w = unquoted(w)
		if !strings.ContainsAny(w, "/=@") { // no address
			w = asked.ReplaceAllString(w, ", $1")
		}
		bare := strings.TrimRight(w, enders)
		if bare == "" {
			continue
		}
		if bare != w && i < len(words)-1 {
			bare += ","
		}
		out = append(out, bare)
	}
	return mixed(strings.TrimRight(strings.Join(out, " "), enders))
}

// enders may end a sentence or a clause.
const enders = ".!?…;:,"

var (
	// wide are enders that stand between words without a space.
	wide  = strings.NewReplacer("。", ". ", "！", "! ", "？", "? ", "．", ". ", "｡", ". ", "؟", "? ", "‽", "? ", "⁇", "? ", "⁈", "? ", "⁉", "! ", "‼", "! ", "।", ". ")
	asked = regexp.MustCompile(`[?!]+([^?!.…;:,])`)
)

// visible keeps what can be seen and said; -1 drops a rune.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return ' '
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector), r == 0x2800, r == 0x3164, r == 0x115F, r == 0x1160:
		return -1
	case !unicode.IsGraphic(r):
		return -1
	}
	return r
}

// unquoted takes the quotation marks off a word; an apostrophe between letters stays.
func unquoted(w string) string {
	r := []rune(w)
	out := r[:0:0]
	for i, c := range r {
		switch {
		case strings.ContainsRune("\"“”„‟«»‹›「」『』`＂", c):
		case strings.ContainsRune("'‘’‚", c) && (i == 0 || i == len(r)-1 || !unicode.IsLetter(r[i-1]) || !unicode.IsLetter(r[i+1])):
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// shorten says the head and the tail of a long text, and how much lies between them.
func shorten(s string) string {
	r := []rune(s)
	left := len(r) - headSaid - tailSaid
	if left <= 20 {
		return s
	}
	return fmt.Sprintf("%s ... and %d more characters, which end in ... %s", string(r[:headSaid]), left, string(r[len(r)-tailSaid:]))
}

// short cuts a name that nobody can listen to.
func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40])
	}
	return s
}

// mixed warns of a word whose letters only look like those of one alphabet.
func mixed(s string) string {
	for w := range strings.FieldsSeq(s) {
		latin, other := false, false
		for _, r := range w {
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek)
		}
		if latin && other {
			return s + " (in letters of two alphabets)"
		}
	}
	return s
}
