// Package fourier takes sound apart into its frequencies.
package fourier

import (
	"math"
	"math/bits"
	"math/cmplx"
)

// Transform is the discrete Fourier transform of one length. It may be used by many at once.
type Transform struct {
	size  int
	turns []complex128 // e^(-2πik/size) for the first half of k
}

// New makes the transform of a size, which is a power of two.
func New(size int) *Transform {
	f := &Transform{size: size, turns: make([]complex128, size/2)}
	for k := range f.turns {
		f.turns[k] = cmplx.Rect(1, -2*math.Pi*float64(k)/float64(size))
	}
	return f
}

// Forward transforms x, which is as long as the size, in place and without a factor.
func (f *Transform) Forward(x []complex128) {
	shift := 64 - bits.Len(uint(f.size-1))
	for i := range x {
		if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for half := 1; half < f.size; half *= 2 {
		step := f.size / (2 * half)
		for from := 0; from < f.size; from += 2 * half {
			low, high := x[from:from+half], x[from+half:from+2*half]
			for k := range low {
				t := high[k] * f.turns[k*step]
				low[k], high[k] = low[k]+t, low[k]-t
			}
		}
	}
}
