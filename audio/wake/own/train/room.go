package train

import (
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"

	"github.com/solo-assistant/solo/audio"
)

// room is the echo of a room that nobody built: the sound itself, some early reflections, and a tail of
// noise that takes 0.15 to 0.7 s to fade by 60 dB and loses its heights on the way.
func room(r *rand.Rand) []float32 {
	fade := 0.15 + 0.55*r.Float64()
	out := make([]float32, int(fade*audio.Rate))
	wet := math.Pow(10, (-3-15*r.Float64())/20) // of the tail's beginning
	dull, last := 0.3+0.5*r.Float64(), 0.0
	first := audio.Rate/500 + r.IntN(audio.Rate/100)
	for i := first; i < len(out); i++ {
		last = dull*last + (1-dull)*r.NormFloat64()
		out[i] = float32(wet * 0.3 * last * math.Exp(-6.9*float64(i)/float64(len(out))))
	}
	for range 6 {
		at := first + r.IntN(audio.Rate/30)
		out[min(at, len(out)-1)] += float32((r.Float64() - 0.5) * wet * 2)
	}
	out[0] = 1
	return out
}

// echo is x in a room, as long as x.
func echo(x, room []float32) []float32 {
	size := 1 << bits.Len(uint(len(x)+len(room)-1))
	a, b := make([]complex128, size), make([]complex128, size)
	for i, v := range x {
		a[i] = complex(float64(v), 0)
	}
	for i, v := range room {
		b[i] = complex(float64(v), 0)
	}
	fourier(a)
	fourier(b)
	for i := range a {
		a[i] = cmplx.Conj(a[i] * b[i])
	}
	fourier(a) // of the conjugate: back again
	out := make([]float32, len(x))
	for i := range out {
		out[i] = float32(real(a[i]) / float64(size))
	}
	return out
}

// fourier is the transform in place; len(x) is a power of two.
func fourier(x []complex128) {
	shift := 64 - bits.Len(uint(len(x)-1))
	for i := range x {
		if j := int(bits.Reverse64(uint64(i)) >> shift); j > i {
			x[i], x[j] = x[j], x[i]
		}
	}
	turns := make([]complex128, len(x)/2)
	for i := range turns {
		turns[i] = cmplx.Rect(1, -2*math.Pi*float64(i)/float64(len(x)))
	}
	for size := 2; size <= len(x); size *= 2 {
		stride := len(x) / size
		for begin := 0; begin < len(x); begin += size {
			low, high := x[begin:begin+size/2], x[begin+size/2:begin+size]
			for k := range low {
				t := turns[k*stride] * high[k]
				low[k], high[k] = low[k]+t, low[k]-t
			}
		}
	}
}
