package memory

import (
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/words"
)

// Quotes tells whether a text gives away what a memory says: its words in another order or grammar, its value beside a word
// of the thing, or a number of it that says enough by itself.
func Quotes(memory, text string) bool {
	said, told := spread(text), words.Content(memory)
	if len(told) == 0 || len(said) == 0 {
		return strings.EqualFold(strings.TrimSpace(memory), strings.TrimSpace(text))
	}
	held, digits, heldDigits := 0, 0, 0
	for _, w := range told {
		has := said[w]
		if has {
			held++
		}
		if long := len(w) >= 3 && strings.ContainsAny(w, "0123456789"); long {
			digits++
			if has {
				heldDigits++
				if len(w) >= 4 && !year(w) {
					return true
				}
			}
		}
	}
	switch {
	case digits > 0 && heldDigits == digits && held*2 >= len(told):
		return true
	case held*4 >= len(told)*3 && heldDigits == digits:
		return true
	}
	value := words.Content(valueOf(memory))
	if len(value) == 0 || len(value) == len(told) {
		return false
	}
	for _, w := range value {
		if !said[w] {
			return false
		}
	}
	return held > len(value)
}

// Mentions tells whether a text holds all words of a topic that carry something.
func Mentions(topic, text string) bool {
	asked := words.Content(topic)
	if len(asked) == 0 {
		return false
	}
	said := spread(text)
	return !slices.ContainsFunc(asked, func(w string) bool { return !said[w] })
}

func year(w string) bool {
	return len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
}

// spread are the words of a text, with digits that were said one by one put together: "4 2 7".
func spread(text string) map[string]bool {
	m := map[string]bool{}
	run := ""
	for _, w := range words.Fold(text) {
		m[words.Stem(w)] = true
		if len(w) == 1 && w[0] >= '0' && w[0] <= '9' {
			run += w
			m[run] = true
			continue
		}
		run = ""
	}
	return m
}

var being = []string{" is ", " are ", " was ", " were ", "'s ", " to ", " in ", " at ", " on "}

// valueOf is what stands behind the first verb of being.
func valueOf(text string) string {
	at := slices.MinFunc(being, func(a, b string) int { return place(text, a) - place(text, b) })
	if i := strings.Index(text, at); i >= 0 {
		return text[i+len(at):]
	}
	return ""
}

func place(text, part string) int {
	if i := strings.Index(text, part); i >= 0 {
		return i
	}
	return len(text)
}
