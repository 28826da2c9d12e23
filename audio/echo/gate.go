package echo

import (
	"math/bits"

	"github.com/solo-assistant/solo/audio"
)

// gate parts what the user says from what is left of Solo's own voice: it opens only for what is clearly and lastingly
// louder than the echo can be, and is the room's noise otherwise, so that not even a wake word can be made out of the
// rest. It holds a few frames back, so that a word is let through from its beginning.
type gate struct {
	wait  []held
	open  int    // frames to come that pass
	loud  uint64 // the last frames, the newest in bit 0, set where louder than the echo
	sure  uint64 // and where much louder
	shut  bool   // the last frame that went out was noise
	floor float64
	hiss  hiss
}

// held is a frame that waits.
type held struct {
	f    audio.Frame
	pass bool
}

const (
	margin = 1.0  // dB above what is left of the echo for nine frames of ten
	louder = 4.0  // dB more where it is not taken out
	much   = 7.0  // dB more for what Solo may have said itself
	burst  = 14.0 // dB above that at which one frame is enough
	span   = 6    // of so many frames
	lasts  = 4    // so many must be louder
	ahead  = 5    // frames that are held back
	holds  = 14   // frames for which it stays open: the pauses inside of words
)

// take judges a frame with a level, of which the echo is expected to have most at most, in a room of level floor.
func (g *gate) take(f audio.Frame, level, most, floor float64) {
	g.floor = floor
	limit := max(most, floor+6)
	g.loud, g.sure = g.loud<<1, g.sure<<1
	if level > limit {
		g.loud |= 1
	}
	if level > limit+much {
		g.sure |= 1
	}
	if bits.OnesCount64(g.loud&(1<<span-1)) >= lasts || level > limit+burst {
		g.open = holds
		for i := range g.wait {
			g.wait[i].pass = true
		}
	}
	g.wait = append(g.wait, held{f, g.open > 0})
	g.open = max(g.open-1, 0)
}

// through takes a frame that is not judged.
func (g *gate) through(f audio.Frame, users bool) {
	g.loud, g.sure = g.loud<<1, g.sure<<1
	if users {
		g.loud, g.sure = g.loud|1, g.sure|1
	}
	g.wait = append(g.wait, held{f, true})
}

// next gives the oldest frame, where more than keep wait.
func (g *gate) next(keep int) (audio.Frame, bool) {
	if len(g.wait) <= keep {
		return audio.Frame{}, false
	}
	h := g.wait[0]
	g.wait = g.wait[:copy(g.wait, g.wait[1:])]
	g.turn(h.f.PCM, !h.pass)
	return h.f, true
}

// turn makes the frame noise, or fades between both within 5 ms where the gate moves.
func (g *gate) turn(pcm []int16, shut bool) {
	was := g.shut
	g.shut = shut
	if !shut && !was {
		return
	}
	var noise [frame]int16
	g.hiss.fill(noise[:], g.floor)
	if shut == was {
		copy(pcm, noise[:])
		return
	}
	const ramp = audio.Rate / 200
	for i := range pcm {
		in := min(float64(i)/ramp, 1)
		if shut {
			in = 1 - in
		}
		pcm[i] = int16(in*float64(pcm[i]) + (1-in)*float64(noise[i]))
	}
}

// over says whether 180 ms of the last 1.3 s cannot be Solo's own; said asks for more, as Solo says the like.
func (g *gate) over(said bool) bool {
	if said {
		return bits.OnesCount64(g.sure) >= 9
	}
	return bits.OnesCount64(g.loud) >= 9
}
