package intent

import (
	"strings"
	"unicode"
)

// word is one normalised word of the text and the tokens it was made from.
type word struct {
	text string
	// first and last are the tokens of the text that it came from; several words may share one
	// token ("what's" is "what is"), and one word may take two ("p m" is "p.m.").
	first, last int
	inside      bool // not the first word of its token: no free span begins or ends here
}

// said is a text ready to be matched.
type said struct {
	words  []word
	tokens []string // as written but for typographic signs, split at blanks
	skip   []bool   // tokens that mean nothing, such as "um"
}

// maxWords bounds what is looked at (a mark per word in 64 bits); a longer text is no command.
const maxWords = 63

// read normalises text: lower case, numbers as words, contractions in full, no punctuation, no "um".
func read(text string) said {
	if text == strings.ToUpper(text) {
		text = strings.ToLower(text)
	}
	s := said{tokens: strings.Fields(text)}
	s.skip = make([]bool, len(s.tokens))
	s.words = make([]word, 0, len(s.tokens)+8)
	for i := range s.tokens {
		s.tokens[i] = strings.TrimSpace(plain.Replace(s.tokens[i]))
		var parts []string
		for t := range strings.FieldsSeq(strings.ToLower(s.tokens[i])) {
			parts = append(parts, spell(t)...)
		}
		s.skip[i] = len(parts) == 0
		for j, p := range parts {
			s.words = append(s.words, word{text: p, first: i, last: i, inside: j > 0})
		}
	}
	s.join()
	s.stutter()
	s.base()
	s.soften()
	return s
}

// soften drops politeness in the middle ("remind me please to call", "set a timer for me for an hour") and
// what makes a number vague ("for about ten minutes"). In a free span the words stay what was written.
func (s *said) soften() {
	out := s.words[:0]
	for i := 0; i < len(s.words); i++ {
		w, next, later := s.words[i].text, s.peek(i+1), s.peek(i+2)
		switch {
		case w == "please" && i > 0 && next != "":
			continue
		case w == "for" && (next == "me" || next == "us") && i > 0 && later != "" && later != "and":
			i++
			continue
		case vague[w] && len(out) > 0 && out[len(out)-1].text == "for" && (counts[next] || next == "a" || next == "an" || next == "half"):
			continue
		}
		out = append(out, s.words[i])
	}
	s.words = out
}

var vague = set("about around roughly exactly approximately like maybe say precisely just")

func (s *said) peek(i int) string {
	if i < len(s.words) {
		return s.words[i].text
	}
	return ""
}

// base undoes "-ing" after "would you mind" and "how about".
func (s *said) base() {
	for i := 1; i < len(s.words); i++ {
		before := s.words[i-1].text
		if before == "mind" || before == "about" && i > 1 && s.words[i-2].text == "how" {
			if b := gerunds[s.words[i].text]; b != "" {
				s.words[i].text = b
			}
		}
	}
}

var gerunds = pairs(`setting set starting start adding add reminding remind telling tell giving give creating create making make canceling cancel
	cancelling cancel deleting delete removing remove stopping stop turning turn waking wake repeating repeat saying say showing show listing list
	reading read marking mark checking check converting convert calculating calculate remembering remember forgetting forget calling call snoozing snooze
	extending extend putting put lowering lower raising raise increasing increase decreasing decrease muting mute unmuting unmute undoing undo clearing clear
	letting let helping help speaking speak talking talk being be shutting shut taking take introducing introduce noting note keeping keep working work`)

// pairs reads words two by two.
func pairs(text string) map[string]string {
	m, f := map[string]string{}, strings.Fields(text)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

// plain replaces typographic signs with the ones of a plain keyboard.
var plain = strings.NewReplacer("’", "'", "‘", "'", "“", "", "”", "", "\"", "", "–", " - ", "—", " ", "…", " ",
	"×", " * ", "÷", " / ", "−", "-", "½", " and a half", ";", " ", "...", " ")

// join makes one word of what was written as two: "p m", "o clock", "seven am".
func (s *said) join() {
	out := s.words[:0]
	for i := 0; i < len(s.words); i++ {
		w := s.words[i]
		after := len(out) > 0 && (counts[out[len(out)-1].text] || out[len(out)-1].text == "o'clock")
		next := ""
		if i+1 < len(s.words) {
			next = s.words[i+1].text
		}
		switch {
		case after && w.text == "am":
			w.text = "a.m."
		case after && next == "m" && (w.text == "a" || w.text == "p"):
			w.text, w.last = w.text+".m.", s.words[i+1].last
			i++
		case w.text == "o" && next == "clock":
			w.text, w.last = "o'clock", s.words[i+1].last
			i++
		}
		out = append(out, w)
	}
	s.words = out
}

// stutter drops a small word said twice ("the the").
func (s *said) stutter() {
	out := s.words[:0]
	for i, w := range s.words {
		if i > 0 && small[w.text] && len(out) > 0 && out[len(out)-1].text == w.text && !w.inside {
			for t := w.first; t <= w.last; t++ {
				s.skip[t] = true
			}
			continue
		}
		out = append(out, w)
	}
	s.words = out
}

// raw is what the user wrote for words i to j-1, without "um" and outer punctuation.
func (s *said) raw(i, j int) string {
	if i >= j {
		return ""
	}
	var b strings.Builder
	for t := s.words[i].first; t <= s.words[j-1].last; t++ {
		if s.skip[t] {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.tokens[t])
	}
	text := trim(b.String())
	if lower := strings.ToLower(text); strings.HasSuffix(lower, " a.m") || strings.HasSuffix(lower, " p.m") {
		text += "."
	}
	return text
}

// texts are the normalised words i to j-1.
func (s *said) texts(i, j int) []string {
	out := make([]string, 0, j-i)
	for _, w := range s.words[i:j] {
		out = append(out, w.text)
	}
	return out
}

// cut says that no token is split between words i-1 and i.
func (s *said) cut(i int) bool { return i >= len(s.words) || !s.words[i].inside }

// trim drops punctuation around a token; signs that belong to a number stay.
func trim(t string) string {
	t = strings.TrimLeftFunc(t, func(r rune) bool {
		return unicode.IsPunct(r) && r != '-' && r != '(' && r != '*' && r != '/' && r != '\'' && r != '&' && r != '%'
	})
	t = strings.TrimRightFunc(t, func(r rune) bool {
		return unicode.IsPunct(r) && r != '%' && r != ')' && r != '*' && r != '/' && r != '&' && r != '-'
	})
	t = strings.TrimLeft(t, "'")
	if strings.Count(t, "(") != strings.Count(t, ")") && !strings.ContainsAny(t, "0123456789") {
		t = strings.Trim(t, "()")
	}
	return t
}

var small = set("a an the to i me my for in on at and of is it can you set what")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
