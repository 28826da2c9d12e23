package library

import (
	"strings"

	"github.com/solo-assistant/solo/core/rank"
	"github.com/solo-assistant/solo/core/words"
)

// Gist is the sentence of a passage that holds most of a question, with those around it that there is room for: at most
// so many bytes, in one line.
func (h Hit) Gist(question string, most int) string {
	asked := map[string]bool{}
	for _, w := range words.Content(question) {
		asked[rank.Stem(w)] = true
	}
	for _, w := range rank.Tokens(question) {
		if len(words.Content(w)) > 0 {
			asked[rank.Stem(w)] = true
		}
	}
	text := withoutHead(h.Text, h.Heading)
	pieces := sentences(text, span{0, len(text)}, most)
	best, score := 0, -1.0
	for i, s := range pieces {
		held := map[string]bool{}
		for _, w := range rank.Tokens(text[s.from:s.to]) {
			if stem := rank.Stem(w); asked[stem] {
				held[stem] = true
			}
		}
		if n := float64(len(held)); n > score {
			best, score = i, n
		}
	}
	if len(pieces) == 0 {
		return ""
	}
	from, to := pieces[best].from, pieces[best].to
	for i := best + 1; i < len(pieces) && pieces[i].to-from <= most; i++ {
		to = pieces[i].to
	}
	return strings.Join(strings.Fields(text[from:to]), " ")
}

// withoutHead is a passage without the line of its heading.
func withoutHead(text, heading string) string {
	last := heading[strings.LastIndex(heading, " > ")+1:]
	last = strings.TrimPrefix(last, "> ")
	first, rest, ok := strings.Cut(text, "\n")
	if ok && last != "" && strings.Contains(first, last) && len(first) < len(last)+20 && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return text
}
