// Package echotest makes rooms of arithmetic: what a microphone hears of a loudspeaker and of a person, with the walls' echoes
// by the image method, a loudspeaker that distorts a little, noise, a delay, and clocks that drift.
package echotest

import (
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"

	"github.com/solo-assistant/solo/audio"
)

// Place is a point in a room, in metres from a corner.
type Place [3]float64

// Room is a box with things in it.
type Room struct {
	Size    Place
	RT60    float64 // time in which sound fades by 60 dB, seconds
	Mic     Place
	Speaker Place
	User    Place
}

// Living is a living room with a loudspeaker a good half metre from the microphone and a user two metres away.
func Living(rt60 float64) Room {
	return Room{Size: Place{5.2, 4.1, 2.6}, RT60: rt60, Mic: Place{1.3, 1.1, 0.8}, Speaker: Place{1.9, 1.2, 0.9}, User: Place{2.9, 2.4, 1.5}}
}

const soundSpeed = 343.0

// Response is what is heard at the microphone of a click at a place: the image method, with walls that are all alike.
func (r Room) Response(from Place) []float64 {
	volume := r.Size[0] * r.Size[1] * r.Size[2]
	walls := 2 * (r.Size[0]*r.Size[1] + r.Size[1]*r.Size[2] + r.Size[0]*r.Size[2])
	swallows := 1 - math.Exp(-0.161*volume/(walls*r.RT60)) // Eyring's formula, without the air
	wall := math.Sqrt(1 - swallows)
	n := int(min(1.1*r.RT60, 0.8) * audio.Rate)
	h := make([]float64, n)
	far := soundSpeed * float64(n) / audio.Rate
	var most [3]int
	for d := range most {
		most[d] = int(far/(2*r.Size[d])) + 1
	}
	for x := -most[0]; x <= most[0]; x++ {
		for y := -most[1]; y <= most[1]; y++ {
			for z := -most[2]; z <= most[2]; z++ {
				r.images(h, from, [3]int{x, y, z}, wall)
			}
		}
	}
	return highPass(h)
}

// images adds the eight mirror images of one box of the lattice.
func (r Room) images(h []float64, from Place, box [3]int, wall float64) {
	for side := range 8 {
		var sum float64
		bounces := 0
		for d := range 3 {
			flip := side >> d & 1
			p := float64(1-2*flip)*from[d] + 2*float64(box[d])*r.Size[d] - r.Mic[d]
			sum += p * p
			bounces += abs(box[d]-flip) + abs(box[d])
		}
		dist := math.Sqrt(sum)
		at := dist / soundSpeed * audio.Rate
		click(h, at, math.Pow(wall, float64(bounces))/max(dist, 0.1))
	}
}

// click adds an impulse between two samples.
func click(h []float64, at, size float64) {
	const side = 6
	for i := int(at) - side; i <= int(at)+side+1; i++ {
		if i < 0 || i >= len(h) {
			continue
		}
		x := float64(i) - at
		w := 0.5 + 0.5*math.Cos(math.Pi*x/(side+1))
		if x != 0 {
			w *= math.Sin(math.Pi*x) / (math.Pi * x)
		}
		h[i] += size * w
	}
}

// highPass takes out what no small loudspeaker gives; the image method has too much of it.
func highPass(h []float64) []float64 {
	var x, y float64
	for i, v := range h {
		y = 0.97 * (y + v - x)
		x, h[i] = v, y
	}
	return h
}

func abs(n int) int { return max(n, -n) }

// Through is what is heard of a sound, of the sound's length.
func Through(h []float64, pcm []int16) []float64 {
	x := make([]float64, len(pcm))
	for i, s := range pcm {
		x[i] = float64(s)
	}
	return convolve(x, h)
}

// Distort bends the loudest samples as a small loudspeaker does: by 1 % where a voice is loud.
func Distort(pcm []int16) []int16 {
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		v := float64(s) / 32768
		out[i] = int16(32767 * min(max(v-0.08*v*v-0.15*v*v*v, -1), 1))
	}
	return out
}

// Late is a sound that comes so many samples later, by a clock that is ppm parts in a million slower.
func Late(x []float64, samples int, ppm float64) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		at := float64(i-samples) * (1 - ppm/1e6)
		k := int(math.Floor(at))
		if k < 1 || k+2 >= len(x) {
			continue
		}
		f, a, b, c, d := at-math.Floor(at), x[k-1], x[k], x[k+1], x[k+2]
		out[i] = b + f/2*(c-a+f*(2*a-5*b+4*c-d+f*(3*(b-c)+d-a)))
	}
	return out
}

// At is a sound with another level: the RMS of its louder half, in dBFS.
func At(x []float64, dbfs float64) []float64 {
	var sum, n float64
	for i := 0; i+audio.FrameLen <= len(x); i += audio.FrameLen {
		p := 0.0
		for _, v := range x[i : i+audio.FrameLen] {
			p += v * v / audio.FrameLen
		}
		if p > 100 {
			sum, n = sum+p, n+1
		}
	}
	if n == 0 {
		return x
	}
	gain := 32768 * math.Pow(10, dbfs/20) / math.Sqrt(sum/n)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = gain * v
	}
	return out
}

// Noise is a room's own, as a fan makes it: n samples at a level in dBFS.
func Noise(n int, dbfs float64, seed uint64) []float64 {
	rnd := rand.New(rand.NewPCG(seed, 7))
	out, low := make([]float64, n), 0.0
	var sum float64
	for i := range out {
		low = 0.85*low + rnd.NormFloat64()
		out[i] = low
		sum += low * low
	}
	gain := 32768 * math.Pow(10, dbfs/20) / math.Sqrt(sum/float64(max(n, 1)))
	for i := range out {
		out[i] *= gain
	}
	return out
}

// Sum is what a microphone makes of sounds.
func Sum(sounds ...[]float64) []int16 {
	out := make([]int16, len(sounds[0]))
	for i := range out {
		var v float64
		for _, s := range sounds {
			if i < len(s) {
				v += s[i]
			}
		}
		out[i] = int16(math.Round(min(max(v, -32768), 32767)))
	}
	return out
}

// convolve is x through h, in blocks of the frequency domain.
func convolve(x, h []float64) []float64 {
	size := 1 << bits.Len(uint(2*len(h)))
	step := size - len(h)
	spectrum := make([]complex128, size)
	for i, v := range h {
		spectrum[i] = complex(v, 0)
	}
	fourier(spectrum, false)
	out := make([]float64, len(x))
	for from := 0; from < len(x); from += 2 * step { // two blocks at once: one in the imaginary part
		b := make([]complex128, size)
		for i := range step {
			var re, im float64
			if from+i < len(x) {
				re = x[from+i]
			}
			if from+step+i < len(x) {
				im = x[from+step+i]
			}
			b[i] = complex(re, im)
		}
		fourier(b, false)
		for i := range b {
			b[i] *= spectrum[i]
		}
		fourier(b, true)
		for i, v := range b {
			if from+i < len(out) {
				out[from+i] += real(v)
			}
			if from+step+i < len(out) {
				out[from+step+i] += imag(v)
			}
		}
	}
	return out
}

// fourier transforms in place.
func fourier(x []complex128, back bool) {
	n := len(x)
	shift := 64 - bits.Len(uint(n-1))
	for i := range x {
		if j := int(bits.Reverse64(uint64(i)) >> shift); i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	sign := -2 * math.Pi
	if back {
		sign = -sign
	}
	for half := 1; half < n; half *= 2 {
		turns := make([]complex128, half)
		for k := range turns {
			turns[k] = cmplx.Rect(1, sign*float64(k)/float64(2*half))
		}
		for from := 0; from < n; from += 2 * half {
			for k := range half {
				a, b := x[from+k], x[from+half+k]*turns[k]
				x[from+k], x[from+half+k] = a+b, a-b
			}
		}
	}
	if back {
		for i := range x {
			x[i] /= complex(float64(n), 0)
		}
	}
}
