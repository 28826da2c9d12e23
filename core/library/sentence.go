package library

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences parts a section into pieces that cover it all: sentences, lines of lists and tables, and of what is longer
// than most, parts that end at a space.
func sentences(text string, s span, most int) []span {
	var out []span
	from := s.from
	add := func(to int) {
		for to-from > most {
			at := breakAt(text, from, from+most)
			out = append(out, span{from, at})
			from = at
		}
		if to > from {
			out = append(out, span{from, to})
			from = to
		}
	}
	for i := s.from; i < s.to; {
		r, n := utf8.DecodeRuneInString(text[i:s.to])
		i += n
		switch {
		case r == '\n' && (paragraph(text, i, s.to)):
			for i < s.to && (text[i] == '\n' || text[i] == ' ') {
				i++
			}
			add(i)
		case strings.ContainsRune("。！？", r):
			add(i)
		case (r == '.' || r == '!' || r == '?') && ends(text[from:i], text[i:s.to]):
			for i < s.to {
				r, n := utf8.DecodeRuneInString(text[i:s.to])
				if !unicode.IsSpace(r) && !strings.ContainsRune(`"')]”’»`, r) {
					break
				}
				i += n
			}
			add(i)
		}
	}
	add(s.to)
	return out
}

// paragraph tells whether a line that begins at i begins something new: after an empty line, or an item of a list.
func paragraph(text string, i, to int) bool {
	if i >= to {
		return true
	}
	return text[i] == '\n' || strings.HasPrefix(text[i:to], "- ") || strings.HasPrefix(text[i:to], "* ") || strings.HasPrefix(text[i:to], "• ")
}

// shorts end with a full stop and no sentence.
var shorts = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`dr mr mrs ms prof st jr sr vs etc e.g i.e cf al fig figs eq eqs ref refs no nos vol p pp ed eds approx ca dept inc ltd co corp
		jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m u.s u.k sec ch art para min max resp incl est`) {
		shorts[w] = true
	}
}

// around is how many bytes before and after a full stop are looked at, so that no text takes long.
const around = 32

// ends tells whether a full stop, or the like, ends a sentence.
func ends(before, after string) bool {
	before, after = before[max(0, len(before)-around):], after[:min(len(after), around)]
	if strings.HasSuffix(before, ".") {
		word := strings.TrimSuffix(before[strings.LastIndexAny(before, " \n\t(")+1:], ".")
		if shorts[strings.ToLower(word)] || utf8.RuneCountInString(word) == 1 && unicode.IsUpper(firstRune(word)) {
			return false
		}
	}
	rest := strings.TrimLeft(after, `"')]”’»`)
	if rest == "" {
		return true
	}
	if !unicode.IsSpace(firstRune(rest)) {
		return false
	}
	if strings.TrimSpace(rest) == "" {
		return true
	}
	next := firstRune(strings.TrimLeft(strings.TrimSpace(rest), `"'([“‘«`))
	return !unicode.IsLower(next)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// breakAt is where text longer than allowed is cut: behind the last space or line before most, else between two letters.
func breakAt(text string, from, most int) int {
	if at := strings.LastIndexAny(text[from:most], " \n\t"); at > (most-from)/2 {
		return from + at + 1
	}
	for most > from+1 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}
