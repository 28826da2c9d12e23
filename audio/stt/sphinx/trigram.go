package sphinx

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// trigram is an estimator of word sequences: Witten-Bell, interpolated, written with back-off weights.
type trigram struct {
	counts [3]map[string]map[string]float64 // by order-1: history ("" "b" "a b") -> word -> count
	sums   [3]map[string]float64            // all counts of a history
}

// most sentences that one sentence with classes grows into
const maxExpansions = 40

// estimate counts the sentences. [name] stands for each member of classes["name"].
func estimate(sentences []string, classes map[string][]string) *trigram {
	t := &trigram{}
	for i := range t.counts {
		t.counts[i] = map[string]map[string]float64{}
	}
	for _, s := range sentences {
		t.add(strings.Fields(strings.ToLower(s)), classes)
	}
	t.sum()
	return t
}

// sum adds up in order: sums of floats must not depend on chance.
func (t *trigram) sum() {
	for order, byHistory := range t.counts {
		t.sums[order] = make(map[string]float64, len(byHistory))
		for h, next := range byHistory {
			for _, w := range slices.Sorted(maps.Keys(next)) {
				t.sums[order][h] += next[w]
			}
		}
	}
}

// add counts a sentence as often as its largest class has members, at most maxExpansions times, each for a
// share; every member is seen at least once where classes are not larger than that.
func (t *trigram) add(words []string, classes map[string][]string) {
	n, members := 1, make([][]string, len(words))
	for i, w := range words {
		if name, ok := strings.CutPrefix(w, "["); ok {
			members[i] = classes[strings.TrimSuffix(name, "]")]
		}
		n = max(n, min(maxExpansions, len(members[i])))
	}
	share := max(1/float64(n), 0.1)
	for i := range n {
		full := []string{"<s>"}
		for slot, w := range words {
			if m := members[slot]; len(m) > 0 {
				pick := (i*len(m)/n + slot*7 + i*slot) % len(m)
				full = append(full, strings.Fields(strings.ToLower(m[pick]))...)
			} else {
				full = append(full, w)
			}
		}
		if len(full) > 1 {
			t.count(append(full, "</s>"), share)
		}
	}
}

func (t *trigram) count(words []string, share float64) {
	for i := 1; i < len(words); i++ {
		for order := 0; order <= min(i, 2); order++ {
			h := strings.Join(words[i-order:i], " ")
			if t.counts[order][h] == nil {
				t.counts[order][h] = map[string]float64{}
			}
			t.counts[order][h][words[i]] += share
		}
	}
}

// words lists the vocabulary without sentence marks, sorted.
func (t *trigram) words() []string {
	out := slices.Sorted(maps.Keys(t.counts[0][""]))
	return slices.DeleteFunc(out, func(w string) bool { return w == "</s>" })
}

// without forgets every sequence with a word that keep refuses.
func (t *trigram) without(keep func(word string) bool) {
	fine := func(w string) bool { return w == "<s>" || w == "</s>" || keep(w) }
	for _, byHistory := range t.counts {
		for h, next := range byHistory {
			maps.DeleteFunc(next, func(w string, _ float64) bool { return !fine(w) })
			if len(next) == 0 || slices.ContainsFunc(strings.Fields(h), func(w string) bool { return !fine(w) }) {
				delete(byHistory, h)
			}
		}
	}
	t.sum()
}

// prob is P(word | history of order words), interpolated with the shorter histories.
func (t *trigram) prob(h, word string, order int) float64 {
	lower := 1 / float64(max(1, len(t.counts[0][""])))
	if order > 0 {
		lower = t.prob(shorter(h), word, order-1)
	}
	next := t.counts[order][h]
	if len(next) == 0 {
		return lower
	}
	n, types := t.sums[order][h], float64(len(next))
	return (next[word] + types*lower) / (n + types)
}

// backoff is what is left of a history's mass for words that never followed it, over what they have without it.
func (t *trigram) backoff(h string, order int) float64 {
	seen, below := 0.0, 0.0
	for _, w := range slices.Sorted(maps.Keys(t.counts[order][h])) {
		seen += t.prob(h, w, order)
		below += t.prob(shorter(h), w, order-1)
	}
	if below >= 1-1e-9 || seen >= 1 {
		return 1e-6
	}
	return (1 - seen) / (1 - below)
}

func shorter(h string) string {
	_, rest, _ := strings.Cut(h, " ")
	return rest
}

// String writes the model in ARPA format.
func (t *trigram) String() string {
	var b strings.Builder
	b.WriteString("\\data\\\n")
	for order := range t.counts {
		n := 0
		for _, next := range t.counts[order] {
			n += len(next)
		}
		if order == 0 {
			n++ // <s>
		}
		fmt.Fprintf(&b, "ngram %d=%d\n", order+1, n)
	}
	for order := range t.counts {
		fmt.Fprintf(&b, "\n\\%d-grams:\n", order+1)
		t.grams(&b, order)
	}
	b.WriteString("\n\\end\\\n")
	return b.String()
}

func (t *trigram) grams(b *strings.Builder, order int) {
	if order == 0 {
		fmt.Fprintf(b, "-99.0 <s> %.4f\n", math.Log10(t.backoff("<s>", 1)))
	}
	for _, h := range slices.Sorted(maps.Keys(t.counts[order])) {
		for _, w := range slices.Sorted(maps.Keys(t.counts[order][h])) {
			gram := strings.TrimSpace(h + " " + w)
			fmt.Fprintf(b, "%.4f %s", math.Log10(t.prob(h, w, order)), gram)
			if order < 2 && len(t.counts[order+1][gram]) > 0 {
				fmt.Fprintf(b, " %.4f", math.Log10(t.backoff(gram, order+1)))
			}
			b.WriteByte('\n')
		}
	}
}
