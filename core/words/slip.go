package words

import (
	"strings"
	"unicode"
)

// alike tells how like two stems are: 1 for the same, 0.75 where one slip or a cut end parts them, else 0.
func alike(a, b string) float64 {
	switch {
	case a == b:
		return 1
	case len(a) < 4 || len(b) < 4 || numeric(a) || numeric(b):
		return 0
	case strings.HasPrefix(b, a) || strings.HasPrefix(a, b):
		return 0.75
	case slips(a, b):
		return 0.75
	}
	return 0
}

func numeric(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }

// slips tells whether b is a misspelt a: one slip in words of four or more letters, two from eight on. In a short word
// an exchanged letter makes another word ("bill", "bell"), so there it is no slip.
func slips(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	allowed := 1
	if len(x) >= 8 {
		allowed = 2
	}
	if len(y)-len(x) > allowed || len(y) > 64 {
		return false
	}
	d := distance(x, y)
	if len(x) == 4 && len(y) == 4 && d == 1 {
		return swapped(x, y)
	}
	return d <= allowed
}

// distance counts the letters to add, drop, exchange or swap with their neighbour to make y of x.
func distance(x, y []rune) int {
	two, one, now := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range one {
		one[j] = j
	}
	for i := range x {
		now[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			now[j+1] = min(one[j+1]+1, now[j]+1, one[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				now[j+1] = min(now[j+1], two[j-1]+1)
			}
		}
		two, one, now = one, now, two
	}
	return one[len(y)]
}

// swapped tells whether two words of one length hold the same letters.
func swapped(x, y []rune) bool {
	count := map[rune]int{}
	for i := range x {
		count[x[i]]++
		count[y[i]]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
