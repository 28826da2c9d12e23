package audio

import (
	"fmt"
	"math"
	"sync"
)

// The filter: 100 dB down beyond half of the lower rate, flat up to 87 % of it.
const (
	crossings = 48    // zero crossings of the sinc on each side, at the lower rate
	kaiser    = 10.06 // beta of the window for 100 dB
	fold      = 0.933 // middle of the transition, as a part of half the lower rate
	maxPhases = 1024  // finer ratios are interpolated between this many rows
)

// Resampler turns mono samples of one rate into another, piece by piece, without delay:
// the first sample out belongs to the same moment as the first sample in. It is for one goroutine.
type Resampler struct {
	up, down int // reduced ratio: up samples out for down samples in
	rows     *rows
	in       []float32 // rows.half samples before the next output's place, and what is not used yet
	phase    int       // place between in[half-1] and in[half], in parts of up
	taken    int64     // samples in so far
	given    int64     // samples out so far
}

// NewResampler turns from Hz into to Hz. It panics where a rate is not positive.
func NewResampler(from, to int) *Resampler {
	if from <= 0 || to <= 0 {
		panic(fmt.Sprintf("audio: resampling from %d to %d Hz", from, to))
	}
	d := gcd(from, to)
	r := &Resampler{up: to / d, down: from / d}
	if r.up == r.down {
		return r
	}
	r.rows = rowsFor(r.up, r.down)
	r.in = make([]float32, r.rows.half-1, 4096)
	return r
}

// Process appends to dst what src makes possible, and keeps the rest for the next call.
func (r *Resampler) Process(dst, src []int16) []int16 {
	if r.rows == nil {
		return append(dst, src...)
	}
	r.taken += int64(len(src))
	for _, s := range src {
		r.in = append(r.in, float32(s))
	}
	return r.run(dst, math.MaxInt64)
}

// Flush appends what is still inside and makes r new. All in all there come
// ceil(in * to / from) samples out.
func (r *Resampler) Flush(dst []int16) []int16 {
	if r.rows == nil {
		return dst
	}
	total := (r.taken*int64(r.up) + int64(r.down) - 1) / int64(r.down)
	r.in = append(r.in, make([]float32, r.rows.half+1)...)
	dst = r.run(dst, total)
	r.in = append(r.in[:0], make([]float32, r.rows.half-1)...)
	r.phase, r.taken, r.given = 0, 0, 0
	return dst
}

// run makes samples until the input or the limit ends.
func (r *Resampler) run(dst []int16, limit int64) []int16 {
	at, width := 0, 2*r.rows.half
	for at+width <= len(r.in) && r.given < limit {
		dst = append(dst, clip(math.Round(float64(r.rows.dot(r.in[at:at+width], r.phase, r.up)))))
		r.given++
		r.phase += r.down
		at += r.phase / r.up
		r.phase %= r.up
	}
	r.in = r.in[:copy(r.in, r.in[at:])]
	return dst
}

// rows are the filter's coefficients, one row for each place between two samples of the input.
type rows struct {
	half int // taps on each side
	taps [][]float32
}

// dot filters in at phase/up of the way from its middle sample to the next.
func (t *rows) dot(in []float32, phase, up int) float32 {
	n := len(t.taps) - 1
	row, rest := phase*n/up, phase*n%up
	a := product(in, t.taps[row])
	if rest == 0 {
		return a
	}
	return a + (product(in, t.taps[row+1])-a)*float32(rest)/float32(up)
}

// product sums in four lanes, which a processor does at once.
func product(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

var tables sync.Map // [2]int{up, down} -> *rows; a handful of rates in a process

func rowsFor(up, down int) *rows {
	key := [2]int{up, down}
	if t, ok := tables.Load(key); ok {
		return t.(*rows)
	}
	t, _ := tables.LoadOrStore(key, newRows(up, down))
	return t.(*rows)
}

func newRows(up, down int) *rows {
	scale := min(1, float64(up)/float64(down)) // below 1 the filter must also keep the new rate's mirror out
	half := int(math.Ceil(crossings / scale))
	n := min(up, maxPhases)
	t := &rows{half: half, taps: make([][]float32, n+1)}
	cut, i0 := scale*fold, bessel(kaiser)
	for p := range t.taps {
		row := make([]float32, 2*half)
		for k := range row {
			x := float64(k-half+1) - float64(p)/float64(n)
			row[k] = float32(cut * sinc(cut*x) * window(x/float64(half), i0))
		}
		t.taps[p] = row
	}
	return t
}

func window(x, i0 float64) float64 {
	if x <= -1 || x >= 1 {
		return 0
	}
	return bessel(kaiser*math.Sqrt(1-x*x)) / i0
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// bessel is the modified Bessel function of the first kind, order 0.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-12; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
