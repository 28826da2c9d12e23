package echo

import (
	"math"
	"slices"

	"github.com/solo-assistant/solo/audio"
)

// Times of the aligner, in frames.
const (
	seek   = 12 // between two looks for an echo whose place is not known
	follow = 25 // between two looks where it is
	talked = 9  // of the last 25 frames, something was played in so many
)

// lead is how much earlier than the echo's peak what was played is read, in samples: the peak may move, and the filter
// must never be asked for sound from before.
const lead = audio.Rate / 200

// jump is by how much more than expected the delay may change between two looks, in samples: clocks that drift do not make
// that much of it, but a device that had no sound for a moment does.
const jump = 14

// aligner knows which sample of what was played is heard in which sample of the microphone: the time between both, and
// by how much the devices' clocks differ.
type aligner struct {
	ref    *reference
	find   *finder
	heard  *audio.Ring
	epoch  int64
	locked bool
	since  int64 // the microphone's count where it locked

	known  bool    // a delay is known, of this epoch or of one before
	delay  float64 // from what was played to its echo, in samples, at the place at
	at     int64
	drift  float64 // by how much the delay grows, samples a sample
	proved bool    // drift was measured

	next   float64 // place that is read for the next frame, while locked
	points []point // what was measured in this epoch
	guess  float64 // the last find before it counts
	missed int     // looks in which the echo was not where it should be
	talk   uint32  // frames in which something was played, the newest in bit 0
	looked int     // frames since the last look
	poor   bool    // the canceller does badly: the echo may be elsewhere
	until  int64   // the microphone's count behind the last frame
	played []int16
}

// point is a delay that was measured.
type point struct {
	at    int64
	delay float64
}

func newAligner(r *reference) *aligner {
	return &aligner{ref: r, guess: math.NaN()}
}

// begin forgets what was heard before Solo spoke.
func (a *aligner) begin() {
	if a.find == nil { // who never speaks needs no room for it
		a.find, a.heard, a.played = newFinder(), audio.NewRing(piece), make([]int16, window)
	}
	a.heard.Reset()
	a.talk, a.looked, a.missed = 0, 0, 0
	a.find.reset()
}

// hear takes a frame of the microphone, and finds the place of its echo anew now and then. Sound says that something
// was played lately.
func (a *aligner) hear(at int64, pcm []int16, sound bool) {
	if e := a.ref.epoch.Load(); e != a.epoch {
		a.epoch = e
		a.lose()
	}
	if at != a.until { // the microphone lost something
		a.heard.Reset()
	}
	a.until = at + int64(len(pcm))
	a.heard.Write(pcm)
	a.talk <<= 1
	if sound {
		a.talk |= 1
	}
	a.looked++
	every := seek
	if a.locked && !a.poor {
		every = follow
	}
	if a.looked < every || a.heard.Len() < piece || ones(a.talk&0x1ffffff) < talked {
		return
	}
	a.looked = 0
	a.look(at + int64(len(pcm)))
}

func ones(v uint32) (n int) {
	for ; v != 0; v &= v - 1 {
		n++
	}
	return n
}

// lose forgets where the echo is, but not how long it took.
func (a *aligner) lose() {
	a.locked, a.points, a.guess, a.missed = false, a.points[:0], math.NaN(), 0
	a.find.reset()
}

// look compares the last half second with what was played; it ends at the microphone's count.
func (a *aligner) look(end int64) {
	from := end - piece
	a.ref.read(a.played, math.Round(a.ref.place(from))-latest, 1)
	if a.locked {
		a.find.reset()
	}
	a.find.add(a.heard.Last(piece), a.played, 0.75)
	middle := from + piece/2
	if !a.locked {
		a.search(middle, end)
		return
	}
	near, h := a.find.around(a.expected(middle), jump)
	d, height := a.find.find()
	switch {
	case h > like && h > height/2:
		a.missed = 0
		a.add(point{middle, near})
	case height > 2*sure || height > sure && math.Abs(d-a.guess) < 8:
		a.missed = 0
		a.lock(middle, end, d)
	default:
		a.missed++
		a.guess = d
	}
}

// search looks for an echo anywhere, or sooner where the last one was.
func (a *aligner) search(middle, end int64) {
	d, height := a.find.find()
	enough := height > 1.4*sure || height > sure && math.Abs(d-a.guess) < 16
	if a.known && !enough {
		if near, h := a.find.around(a.delay, 0.06*audio.Rate); h > like && (math.Abs(near-a.guess) < 8 || h > sure) {
			d, enough = near, true
		} else {
			d = near
		}
	}
	a.guess = d
	if enough {
		a.lock(middle, end, d)
	}
}

// lock begins to follow an echo.
func (a *aligner) lock(middle, end int64, delay float64) {
	a.locked, a.known, a.delay, a.at, a.missed = true, true, delay, middle, 0
	a.since = end
	a.points = append(a.points[:0], point{middle, delay})
	a.next = math.Round(a.wanted(end))
	a.find.reset()
}

// expected is the delay at a place.
func (a *aligner) expected(at int64) float64 { return a.delay + a.drift*float64(at-a.at) }

// wanted is the place of what is heard at a place, with some lead.
func (a *aligner) wanted(at int64) float64 { return a.ref.place(at) - a.expected(at) + lead }

// add learns from a measured delay.
func (a *aligner) add(p point) {
	a.points = append(a.points, p)
	if len(a.points) > 40 {
		a.points = slices.Delete(a.points, 0, 1)
	}
	if slope, fits := line(a.points); fits {
		a.drift, a.proved = slope, true
	}
	if !a.proved { // the newest may be far from all before it
		a.delay, a.at = p.delay, p.at
		return
	}
	var late []float64 // the delay that the newest points tell, at the newest place
	for _, q := range a.points[max(0, len(a.points)-5):] {
		late = append(late, q.delay+a.drift*float64(p.at-q.at))
	}
	slices.Sort(late)
	a.delay, a.at = late[len(late)/2], p.at
}

// line is the slope of delays over time, by the median of the slopes between points; fits tells that there is enough to know it.
func line(points []point) (slope float64, fits bool) {
	if len(points) < 4 || points[len(points)-1].at-points[0].at < 2*audio.Rate {
		return 0, false
	}
	var slopes []float64
	for i, p := range points {
		for _, q := range points[i+1:] {
			if gap := float64(q.at - p.at); gap >= audio.Rate {
				slopes = append(slopes, (q.delay-p.delay)/gap)
			}
		}
	}
	if len(slopes) < 3 {
		return 0, false
	}
	slices.Sort(slopes)
	slope = slopes[len(slopes)/2]
	var off []float64
	first := points[0]
	for _, p := range points {
		off = append(off, math.Abs(p.delay-first.delay-slope*float64(p.at-first.at)))
	}
	slices.Sort(off)
	return slope, off[len(off)*3/4] < 3
}

// read gives what was played and is heard in the frame at a place; false where that is not known.
func (a *aligner) read(pcm []int16, at int64) bool {
	if !a.locked {
		return false
	}
	step := 1 - a.drift
	off := a.wanted(at) - a.next
	switch {
	case math.Abs(off) > 2*lead: // the echo jumped
		a.next = math.Round(a.wanted(at))
	case math.Abs(a.drift) < 4e-6 && math.Abs(off) < 1:
		step, a.next = 1, math.Round(a.next)
	default:
		step += min(max(0.002*off, -5e-4), 5e-4)
	}
	ok := a.ref.read(pcm, a.next, step)
	a.next += step * float64(len(pcm))
	return ok
}
