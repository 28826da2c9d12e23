package whisper

import (
	"strings"
	"unicode"
)

// longestPrompt is how many bytes the model is given to read before: it forgets what is over 224 tokens.
const longestPrompt = 600

// promptOf makes a text of words that are likely to be said. Whisper goes on in the manner of what it read, so they
// stand in sentences, with marks.
func promptOf(words []string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, w := range words {
		w = oneLine(w)
		key := strings.ToLower(w)
		if w == "" || seen[key] {
			continue
		}
		if b.Len()+len(w)+2 > longestPrompt {
			break
		}
		seen[key] = true
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w)
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "."
}

// oneLine makes a word of a list harmless: one line of bounded length.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	text = strings.Trim(strings.Join(strings.Fields(text), " "), " .,;:!?")
	if len(text) > 80 {
		cut := strings.LastIndexByte(text[:80], ' ')
		if cut < 0 {
			return ""
		}
		text = text[:cut]
	}
	return text
}
