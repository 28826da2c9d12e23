package smartturn

import (
	"math"
	"math/cmplx"

	"github.com/solo-assistant/solo/audio"
)

// Sizes of Whisper's spectrogram (Radford et al. 2022, section 2.2).
const (
	bands  = 80
	hop    = audio.Rate / 100
	window = audio.Rate / 40
	frames = span / hop
	bins   = window/2 + 1
)

// spectrogram makes Whisper's spectrogram of 8 s. It is safe for use by several goroutines.
type spectrogram struct {
	hann    [window]float64
	twiddle [window]complex128
	filters [bands]filter
}

// filter is a triangle over some bins.
type filter struct {
	from   int
	weight []float64
}

func newSpectrogram() *spectrogram {
	s := &spectrogram{}
	for i := range window {
		turn := 2 * math.Pi * float64(i) / window
		s.hann[i] = 0.5 - 0.5*math.Cos(turn)
		s.twiddle[i] = cmplx.Rect(1, -turn)
	}
	var edge [bands + 2]float64
	top := mel(audio.Rate / 2)
	for i := range edge {
		edge[i] = hertz(top * float64(i) / (bands + 1))
	}
	for b := range bands {
		low, mid, high := edge[b], edge[b+1], edge[b+2]
		f := filter{from: -1}
		for i := range bins {
			hz := float64(i) * audio.Rate / window
			w := min((hz-low)/(mid-low), (high-hz)/(high-mid))
			if w <= 0 {
				continue
			}
			if f.from < 0 {
				f.from = i
			}
			f.weight = append(f.weight, w*2/(high-low)) // each of the same area
		}
		s.filters[b] = f
	}
	return s
}

// mel is Slaney's scale: even below 1 kHz, logarithmic above.
func mel(hz float64) float64 {
	if hz < 1000 {
		return 3 * hz / 200
	}
	return 15 + 27*math.Log(hz/1000)/math.Log(6.4)
}

func hertz(m float64) float64 {
	if m < 15 {
		return 200 * m / 3
	}
	return 1000 * math.Exp((m-15)*math.Log(6.4)/27)
}

// of is the spectrogram of the last 8 s, band after band; where there is less, silence comes before it.
func (s *spectrogram) of(pcm []int16) []float32 {
	x := normal(pcm)
	out := make([]float32, bands*frames)
	var in, spectrum [window]complex128
	top := math.Inf(-1)
	for f := range frames {
		for i := range window {
			in[i] = complex(x[mirrored(f*hop+i-window/2)]*s.hann[i], 0)
		}
		s.transform(spectrum[:], in[:], window, 1)
		for b, filter := range s.filters {
			sum := 0.0
			for i, w := range filter.weight {
				v := spectrum[filter.from+i]
				sum += w * (real(v)*real(v) + imag(v)*imag(v))
			}
			v := math.Log10(max(sum, 1e-10))
			top = max(top, v)
			out[b*frames+f] = float32(v)
		}
	}
	for i, v := range out {
		out[i] = float32((max(float64(v), top-8) + 4) / 4)
	}
	return out
}

// normal is 8 s of samples of mean 0 and variance 1.
func normal(pcm []int16) []float64 {
	pcm = pcm[max(0, len(pcm)-span):]
	x := make([]float64, span)
	sum, square := 0.0, 0.0
	for i, v := range pcm {
		y := float64(v) / 32768
		x[span-len(pcm)+i] = y
		sum, square = sum+y, square+y*y
	}
	mean := sum / span
	scale := 1 / math.Sqrt(square/span-mean*mean+1e-7)
	for i := range x {
		x[i] = (x[i] - mean) * scale
	}
	return x
}

// mirrored is a place within the sound, for one beyond its ends.
func mirrored(i int) int {
	if i < 0 {
		return -i
	}
	if i >= span {
		return 2*span - 2 - i
	}
	return i
}

// transform is Fourier's, of n numbers that lie stride apart; n has the factors 2 and 5 alone.
func (s *spectrogram) transform(out, in []complex128, n, stride int) {
	if n == 1 {
		out[0] = in[0]
		return
	}
	p := 2
	if n%2 != 0 {
		p = 5
	}
	m := n / p
	for k := range p {
		s.transform(out[k*m:(k+1)*m], in[k*stride:], m, stride*p)
	}
	var part [5]complex128
	step := window / n
	for k := range m {
		for j := range p {
			part[j] = out[j*m+k] * s.twiddle[j*k*step%window]
		}
		for q := range p {
			var sum complex128
			for j := range p {
				sum += part[j] * s.twiddle[j*q*(window/p)%window]
			}
			out[q*m+k] = sum
		}
	}
}
