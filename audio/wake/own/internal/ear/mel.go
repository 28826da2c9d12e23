// Package ear turns sound into the numbers that a small classifier can tell words by.
//
// It is the front end of openWakeWord in plain Go: 32 mel bands every 10 ms, and on them Google's speech
// embedding, a network of 20 convolutions that makes 96 numbers of the last 0.78 s, every 80 ms. Nothing in
// the network looks beyond its window and its steps are those of the stream, so each layer keeps the two
// last columns that it saw and computes only what is new: a ninth of the work, and the same numbers.
package ear

import "math"

// Sizes of the spectrum.
const (
	Bands           = 32
	Hop             = 160          // samples between two columns, 10 ms
	window          = 512          // samples that a column sees
	hann            = 400          // and those of them, in the middle, that count
	lowest, highest = 60.0, 3800.0 // Hz
	rate            = 16000
)

// Floor is what silence is in a band. Sound of 16 bits has about as much from rounding alone; digital
// silence must not be quieter than any that a microphone gives.
const Floor = 3

// spectrum makes columns of bands of samples.
type spectrum struct {
	past   [window]float32 // samples that wait; n of them are there
	n      int
	weight [hann]float32
	bands  [Bands]band
	fft    transform
}

// band sums powers, from bin first on.
type band struct {
	first  int
	weight []float32
}

func newSpectrum() *spectrum {
	s := &spectrum{fft: newTransform()}
	for i := range s.weight {
		s.weight[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/hann))
	}
	for i := range s.bands {
		s.bands[i] = newBand(i)
	}
	return s
}

// hear takes samples and gives column to do, Bands numbers every Hop samples.
func (s *spectrum) hear(pcm []int16, do func(column []float32)) {
	for len(pcm) > 0 {
		took := min(len(pcm), window-s.n)
		for i, v := range pcm[:took] {
			s.past[s.n+i] = float32(v)
		}
		pcm = pcm[took:]
		if s.n += took; s.n < window {
			return
		}
		var column [Bands]float32
		s.column(&column)
		do(column[:])
		s.n = copy(s.past[:], s.past[Hop:])
	}
}

// column is the level of each band, in units of 10 dB, as the network was trained with.
func (s *spectrum) column(out *[Bands]float32) {
	const edge = (window - hann) / 2
	var in [window]float32
	for i, w := range s.weight {
		in[edge+i] = w * s.past[edge+i]
	}
	power := s.fft.power(&in)
	for i, b := range s.bands {
		sum := float32(0)
		for j, w := range b.weight {
			sum += w * power[b.first+j]
		}
		out[i] = max(float32(math.Log10(float64(max(sum, 1e-10))))+2, Floor)
	}
}

// newBand is a triangle on the scale of mels that is even up to 1 kHz and logarithmic above (Slaney 1998),
// of one area whatever its width.
func newBand(i int) band {
	at := func(i int) float64 {
		low, high := mel(lowest), mel(highest)
		return hertz(low + float64(i)*(high-low)/(Bands+1))
	}
	low, mid, high := at(i), at(i+1), at(i+2)
	b := band{first: int(low*window/rate) + 1}
	for k := b.first; float64(k)*rate/window < high; k++ {
		f := float64(k) * rate / window
		b.weight = append(b.weight, float32(min((f-low)/(mid-low), (high-f)/(high-mid))*2/(high-low)))
	}
	return b
}

// step is what a factor of e is, in mels.
var step = 27 / math.Log(6.4)

func mel(hz float64) float64 {
	if hz < 1000 {
		return hz * 3 / 200
	}
	return 15 + step*math.Log(hz/1000)
}

func hertz(mel float64) float64 {
	if mel < 15 {
		return mel * 200 / 3
	}
	return 1000 * math.Exp((mel-15)/step)
}
