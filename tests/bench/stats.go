package main

import (
	"fmt"
	"math"
	"slices"
)

// percentile of values, p from 0 to 1, with straight lines between the ranks; NaN of none.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	low := int(at)
	if low == len(sorted)-1 {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// wilson is the 95 % confidence interval of a share of which k of n were seen, from 0 to 1.
//
// E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
func wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	size, p := float64(n), float64(k)/float64(n)
	middle := (p + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return max(middle-half, 0), min(middle+half, 1)
}

// share shows k of n with its percentage and its interval.
func share(k, n int) string {
	if n == 0 {
		return "0 of 0"
	}
	low, high := wilson(k, n)
	return fmt.Sprintf("%d of %d = %.1f %% (95 %% interval %.1f to %.1f)", k, n, 100*float64(k)/float64(n), 100*low, 100*high)
}

// figure shows a number with as many digits as are worth reading, "-" for none.
func figure(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
