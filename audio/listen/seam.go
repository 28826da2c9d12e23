package listen

import (
	"strings"

	"github.com/solo-assistant/solo/audio"
)

// seam is where the order may begin when the wake word was told at hit. Porcupine tells a word 140 to 330 ms
// after its end, and now and then 600 ms when the order follows in the same breath. A recogniser that is fed
// the end of "jarvis" makes words of it, and one that lacks the beginning of the order makes others.
//   - Where it has been quiet for 110 ms, the word is over and nothing else was said: the quiet.
//   - Behind the hiss of a word that ends in one ("jarvis"), which a hiss of the order may lengthen ("stop").
//   - The first gap of 70 ms.
//   - 330 ms before the hit: rather the end of the wake word than an order without its beginning.
//
// noise is the level of the room's louder moments, in dBFS; what is not above it is quiet.
func (p *past) seam(hit int64, word string, noise float64) int64 {
	pcm, from := p.since(hit - ms(900))
	blocks := measure(pcm)
	back := func(n int) int { return max(len(blocks)-n/10, 0) } // the block n ms before the hit
	place := func(block int) int64 { return from + int64(block*seamBlock) }
	hissing := strings.HasSuffix(word, "s")

	if q := quietFrom(blocks[back(500):], noise); q >= 0 {
		q += back(500)
		if over := !hissing || hisses(blocks[max(q-12, 0):q]) >= 4; over && q <= back(110) {
			return place(min(q+4, back(60)))
		}
	}
	for _, span := range [][2]int{{520, 120}, {900, 480}} {
		if h := hissEnd(blocks[back(span[0]):], back(span[1])-back(span[0]), noise); hissing && h >= 0 {
			return place(back(span[0]) + h)
		}
	}
	if g := firstGap(blocks[back(370):back(120)], noise); g >= 0 {
		return place(back(370) + g)
	}
	return place(back(330))
}

const seamBlock = audio.Rate / 100

// block is 10 ms of sound.
type block struct {
	level float64 // dBFS, without rumble
	hiss  bool    // more than half of its power lies high, as in an "s"
}

// measure cuts samples into blocks, so that the last one ends with them.
func measure(pcm []int16) []block {
	var out []block
	var rumble highPass
	for i := len(pcm) % seamBlock; i+seamBlock <= len(pcm); i += seamBlock {
		var all, high float64
		for j := max(i, 1); j < i+seamBlock; j++ {
			v, d := float64(pcm[j]), float64(pcm[j])-float64(pcm[j-1])
			all, high = all+v*v, high+d*d
		}
		// A difference of neighbours leaves a tone of 2.7 kHz as it is, and takes 6 dB from one of 1.3 kHz.
		out = append(out, block{rumble.level(pcm[i : i+seamBlock]), high > all && all > 0})
	}
	return out
}

// quietBelow is the level that parts sound from quiet in blocks; ok is false where there is no such.
func quietBelow(blocks []block, noise float64) (level float64, ok bool) {
	low, top := 0.0, audio.Silence
	for _, b := range blocks {
		low, top = min(low, b.level), max(top, b.level)
	}
	span := top - low
	return min(max(noise+2, low+0.3*span), low+0.55*span), span >= 8
}

// quietFrom is the block from which on all are quiet, -1 where the last is not.
func quietFrom(blocks []block, noise float64) int {
	limit, ok := quietBelow(blocks, noise)
	i := len(blocks)
	for ok && i > 0 && blocks[i-1].level <= limit {
		i--
	}
	if i == len(blocks) {
		return -1
	}
	return i
}

// firstGap is the block in the middle of the first 70 ms that are quiet beside the rest, -1 for none.
func firstGap(blocks []block, noise float64) int {
	limit, ok := quietBelow(blocks, noise)
	run := 0
	for i, b := range blocks {
		if !ok || b.level > limit {
			run = 0
			continue
		}
		if run++; run == 7 {
			return i - 3
		}
	}
	return -1
}

func hisses(blocks []block) (n int) {
	for _, b := range blocks {
		if b.hiss {
			n++
		}
	}
	return n
}

// hissEnd is the block behind the first hiss of 40 ms or more that ends in the first n, -1 for none. A longer
// hiss than 80 ms may be the order's too, unless a pause follows; the stop in "stop" is none.
func hissEnd(blocks []block, n int, noise float64) int {
	limit, _ := quietBelow(blocks, noise)
	top := audio.Silence
	for _, b := range blocks {
		top = max(top, b.level)
	}
	run := 0
	for i, b := range blocks[:n] {
		if b.hiss && b.level > top-35 {
			run++
			continue
		}
		if run >= 4 {
			if q := pauseNear(blocks[i:], limit, run); q >= 0 {
				return i + q
			}
			return i - max(run-8, 0)
		}
		run = 0
	}
	return -1
}

// pauseNear is the first of at most five blocks at which a pause begins, -1 where none does. Behind a long
// hiss, which may be two, it must be longer.
func pauseNear(blocks []block, limit float64, hiss int) int {
	least := 6
	if hiss > 16 {
		least = 10
	}
	for q := range min(5, len(blocks)) {
		run := 0
		for _, b := range blocks[q:] {
			if b.level > limit {
				break
			}
			run++
		}
		if run >= least {
			return q
		}
	}
	return -1
}
