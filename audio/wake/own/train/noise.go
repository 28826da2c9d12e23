package train

import (
	"math"
	"math/rand/v2"

	"github.com/solo-assistant/solo/audio"
)

// noise is one of the sounds that a home makes by itself: hiss of some colour, hum of the mains, a motor,
// knocks, chords. Its level means nothing.
func noise(r *rand.Rand, n int) []float32 {
	out := hiss(r, n, r.Float64()*0.98)
	switch r.IntN(5) {
	case 0:
		add(out, tones(r, n, []float64{50, 100, 150, 250, 350}, 0), 0.5+r.Float64())
	case 1:
		add(out, tones(r, n, []float64{90, 180, 270, 540, 810}, 0.1+r.Float64()/5), 0.5+r.Float64())
	case 2:
		add(out, knocks(r, n), 2+4*r.Float64())
	case 3:
		add(out, music(r, n), 1+3*r.Float64())
	}
	return out
}

// hiss is noise whose low part is the stronger the nearer colour is to 1.
func hiss(r *rand.Rand, n int, colour float64) []float32 {
	out := make([]float32, n)
	last, gain := 0.0, math.Sqrt(1-colour*colour)
	for i := range out {
		last = colour*last + gain*r.NormFloat64()
		out[i] = float32(last)
	}
	return out
}

// tones sound together; wobble lets their pitch sway.
func tones(r *rand.Rand, n int, hz []float64, wobble float64) []float32 {
	out := make([]float32, n)
	shift := 0.8 + 0.4*r.Float64()
	for k, f := range hz {
		phase, loud := r.Float64()*2*math.Pi, r.Float64()/float64(k+1)
		for i := range out {
			sway := 1 + wobble*math.Sin(float64(i)/9000)
			phase += 2 * math.Pi * f * shift * sway / audio.Rate
			out[i] += float32(loud * math.Sin(phase))
		}
	}
	return out
}

// knocks are short bursts that ring.
func knocks(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for at := r.IntN(audio.Rate); at < n; at += audio.Rate/20 + r.IntN(audio.Rate) {
		hz, fade, loud := 100+2500*r.Float64(), 40+400*r.Float64(), r.Float64()
		for i := at; i < min(at+audio.Rate/5, n); i++ {
			t := float64(i-at) / audio.Rate
			out[i] += float32(loud * math.Exp(-fade*t) * math.Sin(2*math.Pi*hz*t))
		}
	}
	return out
}

// music is a run of chords with overtones.
func music(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for at := 0; at < n; {
		length := audio.Rate/6 + r.IntN(audio.Rate/2)
		for range 1 + r.IntN(3) {
			hz := 110 * math.Pow(2, float64(r.IntN(36))/12)
			for i := at; i < min(at+length, n); i++ {
				t := float64(i-at) / audio.Rate
				v := math.Sin(2*math.Pi*hz*t) + 0.5*math.Sin(4*math.Pi*hz*t) + 0.25*math.Sin(6*math.Pi*hz*t)
				out[i] += float32(math.Exp(-3*t) * v / 3)
			}
		}
		at += length
	}
	return out
}

// babble is several people talking at once.
func babble(r *rand.Rand, talk [][]float32, n, people int) []float32 {
	out := make([]float32, n)
	if len(talk) == 0 {
		return hiss(r, n, 0.9)
	}
	for range people {
		loud := math.Pow(10, -6*r.Float64()/20)
		for at := -r.IntN(2 * audio.Rate); at < n; {
			t := talk[r.IntN(len(talk))]
			gain := loud / (power(t) + 1e-9)
			for i, v := range t {
				if k := at + i; k >= 0 && k < n {
					out[k] += v * float32(gain)
				}
			}
			at += len(t) + r.IntN(audio.Rate/4)
		}
	}
	return out
}

func add(to, what []float32, gain float64) {
	g := gain * power(to) / (power(what) + 1e-9)
	for i, v := range what {
		to[i] += v * float32(g)
	}
}

// power is the root of the mean square.
func power(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}
