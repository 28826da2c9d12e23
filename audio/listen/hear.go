package listen

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Places and spans around a wake word, in samples.
const (
	again    = audio.Rate     // a second hit within this is the same word
	repeated = 2 * audio.Rate // the word said again within this begins the turn anew
	onset    = 3 * audio.Rate / 10
)

func place(at int64) time.Duration { return audio.Time(at, audio.Rate) }

// hear takes one frame through the chain.
func (l *Listener) hear(ctx context.Context, f audio.Frame) error {
	if f.At != l.past.end() { // the microphone lost something
		l.now = f.At
		l.forget()
	}
	l.now = f.At + int64(len(f.PCM))
	if l.muted && l.turn == nil {
		l.past.reset(l.now)
		return nil
	}
	l.past.write(f)
	level := l.room.hear(f.PCM)
	if l.turn == nil || !l.turn.key {
		hit, found, err := l.c.Wake.Feed(f.PCM)
		if err != nil {
			return fmt.Errorf("hearing the wake word: %w", err)
		}
		if found && l.woke(ctx, hit) {
			return nil
		}
	}
	if l.turn != nil {
		return l.listen(ctx, f, level)
	}
	return l.attend(ctx, f, level)
}

// woke opens a turn for a hit, or begins the open one anew; false where the hit does not count.
func (l *Listener) woke(ctx context.Context, hit audio.Hit) bool {
	if l.now-l.hitAt < again || l.c.Own(hit.Word) {
		return false
	}
	t := l.turn
	if t != nil && t.end.begun() && l.now-t.end.opened > repeated {
		return false // a word in a sentence
	}
	l.hitAt = l.now
	if t == nil || !t.told {
		l.c.Woke(hit, place(l.now))
	}
	l.open(ctx, l.past.seam(l.now, hit.Word, l.room.loudest()), turn{word: true, told: true})
	return true
}

// follow is listening without a wake word.
type follow struct {
	left    int64  // samples still to listen
	from    int64  // nothing before this place is the user's
	history uint32 // the last frames, the newest in bit 0, set where loud
}

// attend waits for speech where a follow-up may come.
func (l *Listener) attend(ctx context.Context, f audio.Frame, level float64) error {
	if l.gated || l.follow.left <= 0 {
		return nil
	}
	l.follow.left -= int64(len(f.PCM))
	speech, err := l.c.VAD.Speech(f)
	if err != nil {
		return fmt.Errorf("hearing speech: %w", err)
	}
	l.room.enter(false)
	l.follow.history <<= 1
	if speech && level > l.room.loud() {
		l.follow.history |= 1
	}
	if bits.OnesCount32(l.follow.history&0xff) < 6 {
		return nil
	}
	l.follow.history = 0
	l.open(ctx, max(l.now-8*audio.FrameLen-onset, l.follow.from), turn{follow: true})
	return nil
}

// announce tells of a turn without a wake word once there are words in it.
func (l *Listener) announce() {
	if t := l.turn; !t.told && t.end.begun() {
		t.told = true
		l.c.Woke(audio.Hit{Score: math.NaN()}, place(max(t.end.first, t.from)))
	}
}

// atEOF ends an open turn where the sound ends.
func (l *Listener) atEOF() {
	if l.turn != nil {
		l.end("end of sound")
	}
}

// abandon frees what an interrupted Serve leaves.
func (l *Listener) abandon() {
	if l.turn != nil {
		l.drop()
	}
}

// lastSpeech is the place behind the last sample of speech. The last loud frame is only known to 20 ms,
// and a weak ending (the burst of a "t", a fading vowel) is no loud frame: so from that frame on blocks
// of 5 ms are taken while they stand out of the room's floor, over a gap as long as a stop consonant
// where the room is quiet enough to tell. What is as far below the voice as no sound of it is counts for nothing: where
// the microphone gave digital silence before, the floor is that, and any hiss stands out of it.
func (l *Listener) lastSpeech(t *turn) int64 {
	if t.end.last == never {
		return l.now
	}
	const block = audio.Rate / 200
	above := min(max(0.2*(l.room.speech-l.room.floor), 3), 8)
	gap, reach := ms(15), ms(60)
	if l.room.speech-l.room.floor > 30 {
		gap, reach = ms(80), ms(200)
	}
	pcm, at := l.past.since(t.end.last - audio.FrameLen - block)
	last, high := t.end.last-audio.FrameLen, highPass{}
	for i := 0; i+block <= len(pcm); i += block {
		level, end := high.level(pcm[i:i+block]), at+int64(i+block)
		if i == 0 || end > t.end.last+reach || end-last > gap+block && end > t.end.last {
			continue // the filter settles in the first block
		}
		if level > max(l.room.floor+above, l.room.speech-farBelow) {
			last = end
		}
	}
	return min(max(last, t.end.last-audio.FrameLen+block), l.now)
}
