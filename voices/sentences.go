package voices

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences joins pieces of text, as they are thought, into whole sentences, each given as soon as
// it can no longer grow. The first may be a mere clause, up to a comma, where the text comes in several pieces: the
// user hears it while the rest is written. An error among the pieces comes after the sentence that it broke.
func Sentences(pieces iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var held string
		given, came := 0, 0
		for piece, err := range pieces {
			if err != nil {
				if s := strings.TrimSpace(held); s != "" && !yield(s, nil) {
					return
				}
				held = ""
				if !yield("", err) {
					return
				}
				continue
			}
			held += piece
			came++
			for {
				end := sentenceEnd(held)
				if end < 0 && given == 0 && came > 1 {
					end = clauseEnd(held)
				}
				if end < 0 {
					break
				}
				s := strings.TrimSpace(held[:end])
				held = held[end:]
				if s == "" {
					continue
				}
				if given++; !yield(s, nil) {
					return
				}
			}
		}
		if s := strings.TrimSpace(held); s != "" {
			yield(s, nil)
		}
	}
}

// A clause shorter than this is over before the next one is spoken.
const (
	leastClause = 12 // bytes
	leastWords  = 3
)

// clauseEnd is the byte index behind the first clause of an unfinished sentence that is long enough to be spoken by
// itself, or -1. A comma within a number or a list of single words ends none.
func clauseEnd(text string) int {
	for i, r := range text {
		switch r {
		case ',', ';', ':', '–', '—':
		default:
			continue
		}
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(text[min(end+1, len(text)):])
		if end < len(text) && text[end] == ' ' && unicode.IsLetter(next) && end >= leastClause && len(strings.Fields(text[:end])) >= leastWords {
			return end
		}
	}
	return -1
}

// Split cuts a whole text into sentences.
func Split(text string) []string {
	var out []string
	one := func(yield func(string, error) bool) { yield(text, nil) }
	for s := range Sentences(one) {
		out = append(out, s)
	}
	return out
}

// sentenceEnd is the byte index after the first sentence of text that can no longer grow, or -1.
// A sentence is known to be over only when the next one begins, or at a blank line or list item.
func sentenceEnd(text string) int {
	for i, r := range text {
		switch r {
		case '\n':
			if end := lineEnd(text, i); end >= 0 {
				return end
			}
		case '.', '!', '?', '…':
			if end := stopEnd(text, i, r); end >= 0 {
				return end
			}
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		}
	}
	return -1
}

// lineEnd takes a newline as an end where a paragraph, a heading or a list item ends; a line that is
// only wrapped goes on. It needs the next character to tell.
func lineEnd(text string, i int) int {
	rest := strings.TrimLeft(text[i+1:], " \t")
	if rest == "" {
		return -1
	}
	line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
	if strings.HasPrefix(rest, "\n") || isItem(rest) || isItem(line) || strings.HasSuffix(strings.TrimSpace(line), ":") {
		if strings.TrimSpace(text[:i]) != "" {
			return i + 1
		}
	}
	return -1
}

// isItem says whether a line begins as a heading or an item of a list does.
func isItem(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" {
		return false
	}
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") || line[0] == '#' {
		return true
	}
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	return n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' '
}

// stopEnd is the index after the stop at i and its closing quotes, if a sentence ends there.
func stopEnd(text string, i int, r rune) int {
	end := i + utf8.RuneLen(r)
	for end < len(text) {
		c, n := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(`.!?…"'”’)]*_`, c) {
			break
		}
		end += n
	}
	if end == len(text) {
		return -1 // more dots, a digit or a quote may follow
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(next) {
		return -1 // 3.14, example.com, e.g.,
	}
	after := strings.TrimLeftFunc(text[end:], unicode.IsSpace)
	if after == "" {
		return -1
	}
	if r == '.' && end == i+1 && !dotEnds(text[:i], after) {
		return -1
	}
	return end
}

// dotEnds says whether a single dot after before and a space closes a sentence that after follows.
func dotEnds(before, after string) bool {
	start := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '"' || r == '“' })
	word := before[start+1:]
	next, _ := utf8.DecodeRuneInString(after)
	lower := unicode.IsLower(next)
	bare := strings.ToLower(strings.ReplaceAll(word, ".", ""))
	switch {
	case titles[bare]:
		return false // a name follows: Dr. Who
	case shortened[bare] && (lower || unicode.IsDigit(next)):
		return false
	case utf8.RuneCountInString(word) == 1 && unicode.IsUpper([]rune(word)[0]) && word != "I":
		return false // an initial: J. Smith
	case isNumber(word) && strings.TrimSpace(before[:start+1]) == "":
		return false // "1. first item"
	case strings.Contains(word, ".") && lower:
		return false // e.g. this, 5 p.m. today
	}
	return !lower || !shortened[bare]
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

var titles = set("mr mrs ms dr prof st sr jr rev hon gen col sgt capt lt gov sen rep mt ft messrs")

var shortened = set("eg ie etc vs cf al approx appt apt dept est fig inc ltd co corp no nos vol pp ed eds min max hr hrs sec secs " +
	"am pm jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun ave blvd rd us uk phd")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
