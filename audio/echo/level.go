package echo

import (
	"math"
	"slices"

	"github.com/solo-assistant/solo/audio"
)

// quietest is below what any microphone gives, in dB like all levels here.
const quietest = -90.0

// meter measures frames without their rumble: of sounds below some 300 Hz rooms have too much.
type meter struct{ last float64 }

// level is that of the frame, in dBFS.
func (m *meter) level(pcm []int16) float64 {
	var sum float64
	for _, s := range pcm {
		d := float64(s) - 0.9*m.last
		m.last = float64(s)
		sum += d * d
	}
	return max(decibel(sum/float64(len(pcm))/(32768*32768)), quietest)
}

// energy is the sum of the squares.
func energy(pcm []int16) (sum float64) {
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	return sum
}

func decibel(power float64) float64 { return 10 * math.Log10(power+1e-12) }

func power(db float64) float64 { return math.Pow(10, db/10) }

// calm learns the room's level while Solo is silent.
type calm struct {
	last [100]float64 // two seconds
	n    int
}

func (c *calm) hear(level float64) {
	c.last[c.n%len(c.last)] = level
	c.n++
}

// floor is what the room was not quieter than for most of the time.
func (c *calm) floor() float64 {
	if c.n == 0 {
		return -70
	}
	sorted := slices.Clone(c.last[:min(c.n, len(c.last))])
	slices.Sort(sorted)
	return sorted[len(sorted)/4]
}

// spread is how some ratio was distributed lately, in steps of half a dB from -100 to 60.
type spread struct {
	bins [320]float64
	sum  float64
}

// forgets after that many frames: half a minute of speech.
const forgets = 1500

func (s *spread) add(db float64) {
	if s.sum >= forgets {
		for i := range s.bins {
			s.bins[i] /= 2
		}
		s.sum /= 2
	}
	s.bins[min(max(int(2*(db+100)), 0), len(s.bins)-1)]++
	s.sum++
}

// share is the ratio that so much of it was not above; NaN without any.
func (s *spread) share(part float64) float64 {
	left := part * s.sum
	for i, n := range s.bins {
		if left -= n; left <= 0 && s.sum > 0 {
			return float64(i)/2 - 100 + 0.25
		}
	}
	return math.NaN()
}

// hall makes of each frame's level of what was played how loud its echo is, up to the room's and the microphone's gain:
// sound fades by 1.1 dB a frame, as with 1.1 s of reverberation.
type hall struct{ power float64 }

const fades = 0.78

func (h *hall) play(level float64) float64 {
	h.power = power(level) + fades*h.power
	return max(decibel(h.power), quietest)
}

// hiss is what is heard of an empty room at a level, made here so that nothing of the room is in it.
type hiss struct{ seed uint32 }

// fill gives noise of a level as meter measures it.
func (h *hiss) fill(pcm []int16, level float64) {
	// Uniform noise of size a has a power of a²/3, and a meter sees 1.81 times that.
	size := math.Sqrt(3*power(level)/1.81) * 32768
	for i := range pcm {
		h.seed = h.seed*1664525 + 1013904223
		pcm[i] = int16(math.Round(size * (float64(h.seed>>8)/(1<<23) - 1)))
	}
}

const frame = audio.FrameLen
