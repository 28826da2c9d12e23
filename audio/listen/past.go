package listen

import (
	"math"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// never lies before every stream.
const never = math.MinInt64 / 2

// preRoll is how much of the past is kept, in samples.
const preRoll = 3 * audio.Rate / 2

// past keeps the last sound, addressed by its place in the stream.
type past struct {
	ring *audio.Ring
	base int64 // place of the ring's sample 0
}

func newPast() past { return past{ring: audio.NewRing(preRoll)} }

func (p *past) reset(at int64) {
	p.ring.Reset()
	p.base = at
}

func (p *past) write(f audio.Frame) { p.ring.Write(f.PCM) }

// first and end are the places of the oldest sample and behind the newest.
func (p *past) first() int64 { return p.end() - int64(p.ring.Len()) }
func (p *past) end() int64   { return p.base + p.ring.Total() }

// since is a copy of the sound from place at on and the place at which it really begins.
func (p *past) since(at int64) ([]int16, int64) {
	at = min(max(at, p.first()), p.end())
	return p.ring.Since(at - p.base), at
}

func ms(n int64) int64 { return n * audio.Rate / 1000 }

func samples(d time.Duration) int64 { return audio.Samples(d, audio.Rate) }
