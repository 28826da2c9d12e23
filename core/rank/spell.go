package rank

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Vocabulary are the words of an index, to find what a misspelt one means. It is safe for use by several goroutines.
type Vocabulary struct {
	mu    sync.RWMutex
	words []spelled
	known map[string]bool
}

type spelled struct {
	word    string
	letters uint32 // which it holds
}

// NewVocabulary takes the stems of an index.
func NewVocabulary(stems []string) *Vocabulary {
	v := &Vocabulary{known: make(map[string]bool, len(stems))}
	for _, s := range stems {
		v.add(s)
	}
	return v
}

// Learn takes the words of one more text.
func (v *Vocabulary) Learn(text string) {
	tokens := Tokens(text)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range tokens {
		v.add(Stem(w))
	}
}

func (v *Vocabulary) add(s string) {
	if v.known[s] {
		return
	}
	s = strings.Clone(s) // which may be a piece of a long text
	v.known[s] = true
	if len(s) >= 3 && len(s) <= 32 && s[0] > '9' {
		v.words = append(v.words, spelled{s, letters(s)})
	}
}

func letters(w string) uint32 {
	var m uint32
	for i := range len(w) {
		m |= 1 << (w[i] & 31)
	}
	return m
}

const maxNear = 4 // words that one may be a misspelling of

// Near gives the words that a word may be a misspelling of, the nearest first, or the two words that it is made of:
// stems that one slip parts from it or its beginning, two in long words. Numbers and words of less than four letters have none.
func (v *Vocabulary) Near(word string) []string {
	if v == nil || len(word) < 4 || len(word) > 32 || word[0] <= '9' || utf8.RuneCountInString(word) != len(word) {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	type near struct {
		word string
		far  int
	}
	var found []near
	asked, own := Stem(word), letters(word)
	for _, w := range v.words {
		allowed := 1
		if len(w.word) >= 7 {
			allowed = 2
		}
		if bits.OnesCount32(w.letters&^own) > allowed || len(w.word) > len(word)+allowed || len(w.word) < len(asked)-3 {
			continue
		}
		if far := min(slips(w.word, asked, 0), slips(w.word, word, len(word)-len(asked)+2)); far <= allowed {
			if w.word[0] != word[0] {
				far++
			}
			found = append(found, near{w.word, far})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(len(b.word), len(a.word)), cmp.Compare(a.word, b.word))
	})
	var out []string
	for _, n := range found {
		if len(out) == maxNear || n.far > found[0].far {
			break
		}
		out = append(out, n.word)
	}
	if len(out) == 0 {
		return v.parts(word)
	}
	return out
}

// parts are two known words that make up one.
func (v *Vocabulary) parts(word string) []string {
	for i := len(word) - 3; i >= 3; i-- {
		if a, b := Stem(word[:i]), Stem(word[i:]); v.known[a] && v.known[b] {
			return []string{a, b}
		}
	}
	return nil
}

// slips is how many letters must be added, dropped, exchanged or swapped with their neighbour to make a of b, of whose end
// up to cut letters may be missing.
func slips(a, b string, cut int) int {
	two, one, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := range len(a) {
		now[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			now[j+1] = min(one[j+1]+1, now[j]+1, one[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], two[j-1]+1)
			}
		}
		two, one, now = one, now, two
	}
	least := one[len(b)]
	for c := 1; c <= min(cut, len(b)); c++ {
		least = min(least, one[len(b)-c])
	}
	return least
}
