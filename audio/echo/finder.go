package echo

import (
	"math"
	"math/cmplx"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/fourier"
)

// Lengths of what is compared, in samples.
const (
	window = 1 << 14         // about one second of what was played
	piece  = window / 2      // and half of it of what was heard
	early  = audio.Rate / 16 // an echo may seem to come that much before its sound, as the counts are not exact
	latest = piece - early   // and that much after it: 448 ms
	sure   = 9.0             // a peak so many times higher than chance makes them is an echo
	like   = 7.0             // and one so high at a place that is known already
	low    = 200 * window / audio.Rate
	high   = 5000 * window / audio.Rate // bins beyond which a voice has little
)

// finder finds how long after its sound the echo comes, from both spectra's phases: every frequency counts alike, so
// that a voice's few loud ones, and a room's, do not hide when it was.
type finder struct {
	f     *fourier.Transform
	x     []complex128
	cross []complex128 // the mean of what pieces gave, newer ones count more
	count float64      // pieces in cross, those forgotten left out
}

func newFinder() *finder {
	return &finder{f: fourier.New(window), x: make([]complex128, window), cross: make([]complex128, window/2)}
}

func (f *finder) reset() {
	clear(f.cross)
	f.count = 0
}

// add compares the last piece of what was heard with what was played around it: played begins latest samples before heard.
func (f *finder) add(heard, played []int16, keep float64) {
	for i := range f.x {
		h := 0.0
		if i < len(heard) {
			h = float64(heard[i])
		}
		f.x[i] = complex(h, float64(played[i]))
	}
	f.f.Forward(f.x)
	for k := range f.cross {
		f.cross[k] *= complex(keep, 0)
	}
	f.count = f.count*keep + 1
	for k := low; k < high; k++ {
		// Two real signals in one transform: each is the even or the odd part of its spectrum.
		a, b := f.x[k], cmplx.Conj(f.x[window-k])
		c := cmplx.Conj((a+b)/2) * ((a - b) / complex(0, 2))
		if size := cmplx.Abs(c); size > 0 {
			f.cross[k] += c / complex(size, 0)
		}
	}
}

// find gives the delay of the echo in samples, to a fraction, and how many times its peak is higher than chance.
func (f *finder) find() (delay, height float64) { return f.around(0, window) }

// around looks no further than reach samples from a delay.
func (f *finder) around(center, reach float64) (delay, height float64) {
	clear(f.x)
	copy(f.x[low:high], f.cross[low:high])
	f.f.Forward(f.x) // backwards in time, and only the real part counts
	best, top := 0, 0.0
	var sum float64
	for k := range f.x {
		sum += real(f.x[k]) * real(f.x[k])
	}
	at := func(lag int) float64 { return real(f.x[(lag+2*window-latest)%window]) }
	for lag := -early; lag < latest; lag++ {
		if v := at(lag); v > top && math.Abs(float64(lag)-center) <= reach {
			best, top = lag, v
		}
	}
	if top == 0 {
		return 0, 0
	}
	l, r := at(best-1), at(best+1)
	bend := l - 2*top + r
	off := 0.0
	if bend < 0 {
		off = min(max((l-r)/(2*bend), -0.5), 0.5)
	}
	return float64(best) + off, top / math.Sqrt(sum/window)
}
