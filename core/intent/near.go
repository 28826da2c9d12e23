package intent

import (
	"slices"
	"strings"
)

// Near finds a command that the text nearly is, for "did you mean": one word misspelled or misheard, one
// too many, or a unit left out. Suggestion is a text that Match understands.
func (c *Commands) Near(text string) (suggestion, intent string, ok bool) {
	s := read(text)
	n := len(s.words)
	if n < 2 || n > 14 {
		return "", "", false
	}
	if _, ok := c.find(&s); ok {
		return "", "", false
	}
	words := s.texts(0, n)
	for _, repair := range []func([]string) [][]string{c.near().respell, finish, without} {
		for _, w := range repair(words) {
			suggestion = strings.Join(w, " ")
			if m, ok := c.Match(suggestion); ok && !loose[m.Name] {
				return suggestion, m.Name, true
			}
		}
	}
	return "", "", false
}

// telling words are worth being heard in the place of another word.
var telling = set("timer timers alarm alarms reminder reminders remind task tasks list volume minutes minute hours hour seconds cancel snooze remember convert")

// loose commands take so many words that a guess at them is worth nothing.
var loose = set("memory.remember profile.set_name talk.hello talk.thanks talk.goodbye")

// finish says what may have been cut off.
func finish(words []string) [][]string {
	if counts[words[len(words)-1]] {
		return [][]string{append(slices.Clone(words), "minutes")}
	}
	return nil
}

// without leaves out one word inside, the later ones first; never a "not".
func without(words []string) [][]string {
	var out [][]string
	for i := len(words) - 2; i > 0 && len(words) > 4; i-- {
		if words[i] != "not" && words[i] != "no" && !counts[words[i]] {
			out = append(out, slices.Delete(slices.Clone(words), i, i+1))
		}
	}
	return out
}

// speller knows the words of the templates by their length.
type speller struct {
	byLength map[int][]string
	known    map[string]bool
}

func (c *Commands) newSpeller() *speller {
	s := &speller{byLength: map[int][]string{}, known: map[string]bool{}}
	for w := range c.words {
		if len(w) > 1 && !strings.ContainsAny(w, ".'()") {
			s.byLength[len(w)] = append(s.byLength[len(w)], w)
		}
		s.known[w] = true
	}
	for _, words := range s.byLength {
		slices.Sort(words)
	}
	return s
}

// respell puts similar words in the place of each word; unknown words first.
func (s *speller) respell(words []string) [][]string {
	var out [][]string
	for _, known := range []bool{false, true} {
		for i, w := range words {
			if len(w) < 3 || s.known[w] != known || counts[w] {
				continue
			}
			for _, other := range s.similar(w) {
				if known && !telling[other] || !known && len(w) < 5 && other[0] != w[0] {
					continue // "time" may have been "timer", but "way" was hardly "day"
				}
				next := slices.Clone(words)
				next[i] = other
				out = append(out, next)
			}
		}
	}
	return out
}

// similar finds template words one slip away from w, two for a long word; the nearest first.
func (s *speller) similar(w string) []string {
	var near, far []string
	most := 1
	if len(w) > 6 && !s.known[w] {
		most = 2
	}
	for l := len(w) - most; l <= len(w)+most; l++ {
		for _, other := range s.byLength[l] {
			if other == w || counts[other] {
				continue
			}
			switch d := slips(w, other, most); {
			case d <= 1:
				near = append(near, other)
			case d <= most:
				far = append(far, other)
			}
		}
	}
	return append(near, far...)
}

// slips counts the letters to add, drop, change or swap to make b of a; more than most is most+1.
func slips(a, b string, most int) int {
	row := make([]int, len(b)+1)
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			best = min(best, row[j])
		}
		if best > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
