package listen

import (
	"math"
	"slices"

	"github.com/solo-assistant/solo/audio"
)

// room learns how loud it is without speech and with it, from the level of every frame.
//
// Before a turn the floor is a low percentile of the last 3 s. During a turn it goes slowly up and
// quickly down towards the quiet moments of the last 1.5 s, so that neither the user's own words nor a
// tap that is turned on count for the other. Speech is known from the wake word and from then on.
type room struct {
	last   [150]float64 // levels of the last 3 s, a ring
	n      int64        // frames ever heard
	floor  float64      // dBFS
	spread float64      // dB from the floor to the room's louder moments
	speech float64      // dBFS
	noise  float64      // dBFS, the louder moments before the turn, 0 where they are not known
	voice  float64      // dBFS, the wake word's louder moments; silence where there was none
	top    float64      // dBFS, the loudest half second of the turn
	opened int64        // frames heard when the turn was opened
	high   highPass
	sorted []float64
}

// Levels in dB.
const (
	unknownFloor  = -60.0
	unknownSpeech = 20.0 // above the floor
	unknownSpread = 6.0  // between the floor and the room's louder moments
	aboveSpread   = 1.0  // a loud frame is this far above those
	leastAbove    = 4.0  // and this far above the floor
	shareAbove    = 0.4  // but not further than this share of the way up to speech
	likeBefore    = 6.0  // noise varies that much
	below         = 9.0  // what is so far below the user's voice is not the user
	farBelow      = 42.0 // and this far, no sound of it: some microphones give digital silence, beside which any hiss is loud
)

func (r *room) reset() { *r = room{sorted: r.sorted} }

// hear takes one frame and returns its level without rumble, in dBFS.
func (r *room) hear(pcm []int16) float64 {
	level := max(r.high.level(pcm), -90) // digital silence is not quieter than any room
	r.last[r.n%int64(len(r.last))] = level
	r.n++
	return level
}

// ago is the level of the frame that came n frames before the last one.
func (r *room) ago(n int) float64 {
	if int64(n) >= min(r.n, int64(len(r.last))) {
		return audio.Silence
	}
	return r.last[(r.n-1-int64(n))%int64(len(r.last))]
}

// percentile is of those frames that came between from and to frames ago; ok is false without any.
func (r *room) percentile(from, to int64, share float64) (float64, bool) {
	r.sorted = r.sorted[:0]
	for ago := to; ago < min(from, r.n, int64(len(r.last))); ago++ {
		r.sorted = append(r.sorted, r.last[(r.n-1-ago)%int64(len(r.last))])
	}
	if len(r.sorted) == 0 {
		return 0, false
	}
	slices.Sort(r.sorted)
	return r.sorted[int(share*float64(len(r.sorted)-1))], true
}

// loudest is the level of the room's louder moments before a wake word that ends now, silence where it is not
// known.
func (r *room) loudest() float64 {
	if top, ok := r.percentile(150, 50, 0.95); ok && r.n >= 75 {
		return top
	}
	return audio.Silence
}

// enter prepares a turn. After a wake word the last 0.8 s hold the user's voice and are no floor.
func (r *room) enter(word bool) {
	skip := int64(0)
	if word {
		skip = 40
	}
	var ok bool
	if r.floor, ok = r.percentile(150, skip, 0.2); ok && r.n >= skip+25 {
		top, _ := r.percentile(150, skip, 0.95)
		r.spread, r.noise = top-r.floor, top
	} else {
		r.spread, r.noise = unknownSpread, 0
		if r.floor, ok = r.percentile(150, 0, 0.1); !ok {
			r.floor = unknownFloor
		}
	}
	r.speech, r.voice = r.floor+unknownSpeech, audio.Silence
	r.top, r.opened = audio.Silence, r.n
	if top, ok := r.percentile(45, 0, 0.9); ok && word {
		r.speech, r.voice = max(top, r.floor+2*leastAbove), top
	}
}

// follow goes on learning during a turn.
func (r *room) follow() {
	low, ok := r.percentile(75, 0, 0.1)
	if !ok {
		return
	}
	r.floor += min(max(low-r.floor, -0.6), 0.12) // at most 30 dB/s down, 6 dB/s up
	if top, _ := r.percentile(50, 0, 0.9); top > r.speech {
		r.speech = top
	} else {
		r.speech = max(r.speech-0.04, r.floor+2*leastAbove) // 2 dB/s
	}
	if half, _ := r.percentile(25, 0, 0.9); r.n-r.opened >= 25 {
		r.top = max(r.top, half)
	}
}

// loud is the level above which a frame may be speech: above the room's louder moments, as long as that is
// well below the speech.
func (r *room) loud() float64 {
	most := max(shareAbove*(r.speech-r.floor), leastAbove)
	return max(r.floor+min(max(r.spread+aboveSpread, leastAbove), most), r.speech-farBelow)
}

// faded says whether the last 1.8 s of the turn were much quieter than the words in it, and no louder than
// the room was before: who spoke is silent, whatever a VAD or a recogniser makes of the rest.
func (r *room) faded() bool {
	now, ok := r.percentile(90, 0, 0.9)
	return ok && r.n-r.opened >= 90 && now < r.top-below && now < r.noise+likeBefore
}

// near says whether the last second was about as loud as the wake word.
func (r *room) near() bool {
	now, _ := r.percentile(50, 0, 0.9)
	return r.voice > audio.Silence && now > r.voice-below
}

// hides is how much of a word's weak end and the next one's beginning may drown in the room, in samples:
// nothing where speech is 30 dB above what counts as loud, 200 ms where it is 10 dB.
func (r *room) hides() int64 {
	return int64(min(max((30-(r.speech-r.loud()))/20, 0), 1) * float64(ms(200)))
}

// highPass takes rumble and hum below about 130 Hz out of a level.
type highPass struct{ x, y float64 }

func (h *highPass) level(pcm []int16) float64 {
	var sum float64
	for _, s := range pcm {
		h.y = 0.95 * (h.y + float64(s) - h.x)
		h.x = float64(s)
		sum += h.y * h.y
	}
	if sum == 0 {
		return audio.Silence
	}
	return 10 * math.Log10(sum/float64(len(pcm))/(32768*32768))
}
