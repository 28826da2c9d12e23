package listen

import (
	"math"
	"strings"
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

// seam is where the order may begin when the wake word was told at hit. Porcupine tells a word 140 to 330 ms
// after its end, and now and then 700 ms when the order follows in the same breath. Tried in this order:
//   - behind the hiss of a word that ends in one ("jarvis"), which a hiss of the order may lengthen ("stop")
//   - in the first gap of 70 ms
//   - 330 ms before the hit: rather the end of the wake word than an order without its beginning
func (p *past) seam(hit int64, word string) int64 {
	if strings.HasSuffix(word, "s") {
		for _, span := range [][2]int64{{520, 120}, {900, 480}} {
			pcm, from := p.since(hit - ms(span[0]))
			blocks := measure(pcm, ms(span[0]-span[1]))
			if hiss, ok := hissEnd(blocks); ok {
				return from + int64(hiss*seamBlock)
			}
		}
	}
	pcm, from := p.since(hit - ms(370))
	if gap, ok := firstGap(measure(pcm, ms(250))); ok {
		return from + int64(gap*seamBlock)
	}
	return max(p.first(), hit-ms(330))
}

const seamBlock = audio.Rate / 100

// block is 10 ms of sound.
type block struct {
	level float64 // dBFS
	hiss  bool    // more than half of its power lies high, as in an "s"
}

// measure cuts the first n samples into blocks.
func measure(pcm []int16, n int64) []block {
	var out []block
	for i := 1; i+seamBlock <= min(len(pcm), int(n)); i += seamBlock {
		var all, high float64
		for j := i; j < i+seamBlock; j++ {
			v, d := float64(pcm[j]), float64(pcm[j])-float64(pcm[j-1])
			all, high = all+v*v, high+d*d
		}
		// A difference of neighbours leaves a tone of 2.7 kHz as it is, and takes 6 dB from one of 1.3 kHz.
		out = append(out, block{audio.Level(pcm[i : i+seamBlock]), high > all && all > 0})
	}
	return out
}

// hissEnd is the block behind the first hiss of 40 ms or more. A longer one than 80 ms may be the order's too.
func hissEnd(blocks []block) (int, bool) {
	top := audio.Silence
	for _, b := range blocks {
		top = max(top, b.level)
	}
	run := 0
	for i, b := range blocks {
		if b.hiss && b.level > top-35 {
			run++
			continue
		}
		if run >= 4 {
			return i - max(run-8, 0), true
		}
		run = 0
	}
	return 0, false
}

// firstGap is the block in the middle of the first 70 ms that are quiet beside the rest.
func firstGap(blocks []block) (int, bool) {
	low, top := 0.0, audio.Silence
	for _, b := range blocks {
		low, top = min(low, b.level), max(top, b.level)
	}
	if top-low < 8 {
		return 0, false
	}
	run := 0
	for i, b := range blocks {
		if b.level > low+0.3*(top-low) {
			run = 0
			continue
		}
		if run++; run == 7 {
			return i - 3, true
		}
	}
	return 0, false
}
