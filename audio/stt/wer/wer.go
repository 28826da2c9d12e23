// Package wer measures how far a transcript is from what was said.
//
// Both are brought to one way of writing first (see Normal), as is usual for English word error rates: the rules are those
// that Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision" (2022, appendix C) describe in prose,
// without their table of British spellings. The rate is the least number of words changed, added or left out (Levenshtein),
// over the words said, as NIST's sclite counts it.
package wer

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Errors is the least number of words to change, add or take out to make got of want. Both are normal.
func Errors(want, got []string) int {
	row := make([]int, len(got)+1)
	for i := range row {
		row[i] = i
	}
	for i, w := range want {
		corner := row[0]
		row[0] = i + 1
		for j, g := range got {
			change := corner
			if w != g {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(got)]
}

// Score is what came of one recording.
type Score struct{ Words, Errors int }

// Rate is the word error rate of all scores together, 0 for none; it may be over 1.
func Rate(all []Score) float64 {
	words, errors := 0, 0
	for _, s := range all {
		words, errors = words+s.Words, errors+s.Errors
	}
	if words == 0 {
		return 0
	}
	return float64(errors) / float64(words)
}

// Interval is where the rate lies with 95 % certainty, by a bootstrap over whole recordings (Bisani and Ney, "Bootstrap
// estimates for confidence intervals in ASR performance evaluation", 2004): the words of one recording are not
// independent. The same scores give the same interval.
func Interval(all []Score) (low, high float64) {
	if len(all) == 0 {
		return 0, 0
	}
	r := rand.New(rand.NewPCG(1, uint64(len(all))))
	const rounds = 1000
	rates := make([]float64, rounds)
	drawn := make([]Score, len(all))
	for i := range rates {
		for k := range drawn {
			drawn[k] = all[r.IntN(len(all))]
		}
		rates[i] = Rate(drawn)
	}
	slices.Sort(rates)
	return rates[rounds*25/1000], rates[rounds*975/1000]
}

// Percentile is the value that a share p, 0 to 1, of x does not exceed, 0 for none.
func Percentile[T cmp.Ordered](x []T, p float64) (v T) {
	if len(x) == 0 {
		return v
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[min(int(p*float64(len(x))), len(x)-1)]
}
