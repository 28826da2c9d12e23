package tool

import (
	"slices"

	"github.com/solo-assistant/solo/core/words"
)

// enough is the share of what was said that a name must hold to be meant by it.
const enough = 0.55

// Pick finds which of the names the user means, as indexes, the best first. Several are equally good: "milk" for "buy
// milk" and "buy oat milk". A name that says the same and no more is alone. Empty where none is near.
func Pick(said string, names []string) []int {
	var same, all []int
	asked, best := words.Content(said), 0.0
	for _, m := range words.Rank(said, names, enough) {
		best = max(best, m.Cover)
		if m.Cover < best-0.05 {
			continue
		}
		if all = append(all, m.Index); equal(asked, words.Content(names[m.Index])) {
			same = append(same, m.Index)
		}
	}
	if len(same) > 0 {
		return same
	}
	return all
}

// equal tells whether two lists hold the same words.
func equal(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}
