package fourier_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/solo-assistant/solo/audio/fourier"
)

func TestItIsTheSumByTheDefinition(t *testing.T) {
	for _, n := range []int{2, 8, 64} {
		x := make([]complex128, n)
		for i := range x {
			x[i] = complex(math.Sin(float64(3*i)), math.Cos(float64(i*i)))
		}
		want := make([]complex128, n)
		for k := range want {
			for i, v := range x {
				want[k] += v * cmplx.Rect(1, -2*math.Pi*float64(i*k)/float64(n))
			}
		}
		fourier.New(n).Forward(x)
		for k := range want {
			if cmplx.Abs(x[k]-want[k]) > 1e-9 {
				t.Fatalf("of %d, bin %d is %v, want %v", n, k, x[k], want[k])
			}
		}
	}
}
