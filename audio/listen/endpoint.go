package listen

import (
	"math/bits"

	"github.com/solo-assistant/solo/audio"
)

// endpoint decides when a turn's words are over. It knows places in the stream, levels made into loud
// or not, and the partial transcript; nothing else.
type endpoint struct {
	t        Tuning
	complete func(string) (bool, bool)

	opened int64 // where the turn was opened, as behind the wake word; only speech after it begins the words
	now    int64

	run     int    // loud frames in a row, up to now
	history uint32 // the last 32 frames, the newest in bit 0, set where loud
	first   int64  // where speech began, never before any
	last    int64  // behind the last frame of speech
	sure    int64  // behind the last frame in which the VAD heard it too
	spoken  int64  // samples of speech behind opened
	early   int64  // and before it

	hidden int64 // samples by which noise may make a pause longer
	faded  bool  // the last 1.8 s were much quieter than the words
	near   bool  // the last second was as loud as the wake word

	partial           string
	changed           int64 // where the partial became what it is
	stable            bool  // it was told that the partial is stable
	whole, extendable bool  // what complete says of the partial
	doubted           bool  // the recogniser does not trust its words yet
	verdict           int   // what Turns says of the pause: 1 it is over, -1 it is not, 0 it was not asked
}

// Frames and samples that make speech of loudness.
const (
	leastRun = 3 // 60 ms: shorter is a click
	pollGap  = 5 // frames between two looks at the partial while someone speaks
)

func newEndpoint(t Tuning, complete func(string) (bool, bool), opened int64) endpoint {
	return endpoint{t: t, complete: complete, opened: opened, now: opened, first: never, last: never, sure: never, changed: opened}
}

// frame takes the next frame, which ends at place end: whether it is above the room's level, and whether the
// VAD heard speech in it. A VAD misses weak endings, such as the breath of a "k": what is loud soon
// behind speech belongs to it.
func (e *endpoint) frame(end int64, loud, speech bool) {
	e.now = end
	if loud && speech {
		e.sure = end
	}
	loud = loud && end-e.sure <= ms(200)
	e.history <<= 1
	if !loud {
		e.run = 0
		return
	}
	e.history |= 1
	e.run++
	if e.run < leastRun {
		return
	}
	fresh := int64(audio.FrameLen)
	if e.run == leastRun {
		fresh *= leastRun
	}
	if e.first == never || !e.begun() && end-e.last > ms(500) { // what came before was the wake word's end
		e.first = end - fresh
	}
	e.last = end
	after := max(min(fresh, end-e.opened), 0)
	e.spoken, e.early = e.spoken+after, e.early+fresh-after
}

// words takes a look at the recogniser and says whether the words changed and whether they are just stable.
func (e *endpoint) words(partial string) (changed, stable bool) {
	if partial == e.partial {
		was := e.stable
		e.stable = partial != "" && e.now-e.changed >= ms(150)
		return false, e.stable && !was
	}
	e.partial, e.changed, e.stable = partial, e.now, false
	e.whole, e.extendable = false, false
	if partial != "" {
		e.whole, e.extendable = e.complete(partial)
	}
	return true, false
}

// begun says whether the user has said anything: a word and some speech, or more speech. Speech before the
// turn was opened, which may be the end of the wake word ("...vis" is heard as "are this"), needs a whole order ("jarvis
// no"): who has said no more than that has not begun. Such words, and a short sound without a word, which may be a cough
// in front of the order, count once nothing followed for two seconds.
func (e *endpoint) begun() bool {
	switch {
	case e.whole:
		return e.spoken >= ms(100) || e.early >= ms(160)
	case e.partial != "":
		if e.spoken >= ms(100) {
			return true
		}
	}
	return e.spoken >= ms(400) || e.spoken+e.early >= ms(200) && e.silence() >= ms(2000)
}

// unheeded says that only the end of the wake word was heard so far, and that it is over: the recogniser makes words of
// it that would stand before the order.
func (e *endpoint) unheeded() bool {
	return e.early > 0 && e.spoken == 0 && !e.begun() && e.silence() >= ms(400)
}

// over says whether the turn ends now, and why; why is "nothing" when nothing was said.
func (e *endpoint) over() (why string, ended bool) {
	switch {
	case e.now-e.opened >= samples(e.t.Longest):
		return e.reason("longest"), true
	case !e.begun():
		return "nothing", e.now-e.opened >= samples(e.t.Patience) && (e.run == 0 || !e.near)
	case e.run == 0 && e.silence() >= e.pause() && e.settled():
		return e.kind(), true
	case e.faded && e.now-e.first >= ms(1800):
		return "faded", true
	case e.stalled():
		return "stalled", true
	}
	return "", false
}

func (e *endpoint) reason(why string) string {
	if !e.begun() {
		return "nothing"
	}
	return why
}

// settled says that the words did not change just now: a recogniser that is still catching up may hold a
// shorter order for the one that is said.
func (e *endpoint) settled() bool {
	return e.now-e.changed >= ms(100) || e.silence() >= samples(e.t.Open)
}

func (e *endpoint) silence() int64 { return e.now - e.last }

// kind names what the words so far are. No order begins with strange words: they were misheard, or are no order, and
// nothing can be known of how they go on.
func (e *endpoint) kind() string {
	switch {
	case e.whole && !e.extendable:
		return "final"
	case e.whole:
		return "extendable"
	case e.partial != "" && !e.extendable:
		return "strange"
	}
	return "open"
}

// pause is the silence that ends words of this kind. Where noise hides how words end and begin, a pause
// sounds longer than it is, and more of it is waited for.
func (e *endpoint) pause() int64 {
	kind := e.kind()
	pause := samples(e.t.Open)
	switch {
	case kind == "final" && !e.doubted:
		pause = samples(e.t.Final)
	case kind != "open":
		pause = samples(e.t.Extendable)
	}
	return e.judged(kind, pause) + e.hidden
}

// stalled says whether the partial has not changed for so long that what goes on is noise. Words that are
// no order yet get a second more while it sounds as if the user speaks on: the recogniser may be slow, or
// lack the word. Where there are no words at all, speech as near as the wake word was goes on.
func (e *endpoint) stalled() bool {
	if e.partial == "" {
		return !e.near && e.now-max(e.changed, e.first) >= samples(e.t.Patience)
	}
	limit := samples(e.t.Stalled)
	if !e.whole && bits.OnesCount32(e.history<<7) > 12 { // more than half of the last 500 ms
		limit += audio.Rate
	}
	return e.now-max(e.changed, e.first) >= limit
}
