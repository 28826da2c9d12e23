package train

import "math"

// Wilson is the interval in which a share lies with 95 % certainty when k of n were counted (Wilson 1927).
// It is that of independent trials: where one speaker said many of them, the truth is wider.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid, half := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max((mid-half)/(1+z*z/m), 0), min((mid+half)/(1+z*z/m), 1)
}

// AtMost is how many were to be expected at the most, with 95 % certainty, when k were counted.
func AtMost(k int) float64 {
	low, high := 0.0, 10+3*float64(k)
	for range 60 {
		mid := (low + high) / 2
		term := math.Exp(-mid)
		sum := term
		for i := 1; i <= k; i++ {
			term *= mid / float64(i)
			sum += term
		}
		if sum > 0.05 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
