package ear

import (
	"math"
	"math/bits"
)

// half is the length of the complex transform that does a real one of twice the length.
const half = window / 2

// transform is the Fourier transform of window real numbers.
type transform struct {
	cos, sin [half]float32 // of 2 pi k / window
	order    [half]int     // where the bits of k are turned around
	re, im   [half]float32
	powers   [half + 1]float32
}

func newTransform() transform {
	var t transform
	for k := range half {
		t.cos[k] = float32(math.Cos(2 * math.Pi * float64(k) / window))
		t.sin[k] = float32(math.Sin(2 * math.Pi * float64(k) / window))
		t.order[k] = int(bits.Reverse8(uint8(k)))
	}
	return t
}

// power is the square of the spectrum's magnitude, from 0 to half of the rate. It is good until the next call.
func (t *transform) power(x *[window]float32) []float32 {
	for k, o := range t.order { // even samples as real parts, odd ones as imaginary parts
		t.re[o], t.im[o] = x[2*k], x[2*k+1]
	}
	t.turn()
	for k := range half/2 + 1 {
		m := (half - k) % half
		evenRe, evenIm := (t.re[k]+t.re[m])/2, (t.im[k]-t.im[m])/2
		oddRe, oddIm := (t.im[k]+t.im[m])/2, (t.re[m]-t.re[k])/2
		turnRe := oddRe*t.cos[k] + oddIm*t.sin[k]
		turnIm := oddIm*t.cos[k] - oddRe*t.sin[k]
		a, b := evenRe+turnRe, evenIm+turnIm
		c, d := evenRe-turnRe, evenIm-turnIm
		t.powers[k], t.powers[half-k] = a*a+b*b, c*c+d*d
	}
	return t.powers[:]
}

// turn is the complex transform in place, of numbers in turned order.
func (t *transform) turn() {
	for size := 2; size <= half; size *= 2 {
		stride, mid := window/size, size/2
		for begin := 0; begin < half; begin += size {
			for k := range mid {
				c, s := t.cos[k*stride], t.sin[k*stride]
				i, j := begin+k, begin+k+mid
				re, im := t.re[j]*c+t.im[j]*s, t.im[j]*c-t.re[j]*s
				t.re[j], t.im[j] = t.re[i]-re, t.im[i]-im
				t.re[i], t.im[i] = t.re[i]+re, t.im[i]+im
			}
		}
	}
}
