package listen

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Turns tells from how something was said whether the user has finished.
type Turns interface {
	// Complete is how sure it is, 0 to 1, that the turn is over, from its last TurnSpan of sound at most, Mono16k, with a
	// pause at its end. It is asked once in a pause and must answer within TurnTime.
	Complete(ctx context.Context, pcm []int16) (float64, error)
}

// Bounds of a question to Turns, and when it is asked: the models are trained on pauses of 200 ms.
const (
	TurnSpan = 8 * time.Second
	TurnTime = 300 * time.Millisecond
	turnAsk  = 200 // ms of silence
	turnSure = 0.5
)

// ending is what Turns says of the pause that the turn is in. Words that are no whole order are waited for longer where
// the user sounds as if there were more, and less where not; a whole order that cannot go on ends as it does without.
type ending struct {
	sound *audio.Ring // the turn's last sound; nil without Turns
	asked int64       // behind which speech it was asked last
}

func (l *Listener) newEnding(pcm []int16) ending {
	if l.c.Turns == nil {
		return ending{}
	}
	e := ending{sound: audio.NewRing(int(audio.Samples(TurnSpan, audio.Rate))), asked: never}
	e.sound.Write(pcm)
	return e
}

// consult asks Turns in each pause behind speech, once.
func (l *Listener) consult(ctx context.Context, f audio.Frame) {
	t := l.turn
	if t.ending.sound == nil {
		return
	}
	t.ending.sound.Write(f.PCM)
	if t.end.last != t.ending.asked {
		t.end.verdict = 0
	}
	if !t.end.begun() || t.end.run > 0 || t.end.silence() < ms(turnAsk) || t.end.last == t.ending.asked {
		return
	}
	t.ending.asked = t.end.last
	ctx, cancel := context.WithTimeout(ctx, TurnTime)
	defer cancel()
	began := time.Now()
	sure, err := l.c.Turns.Complete(ctx, t.ending.sound.Last(t.ending.sound.Len()))
	if err != nil {
		l.c.Log.Warn().Err(err).Msg("whether the turn is over could not be told from its sound")
		return
	}
	t.end.verdict = -1
	if sure >= turnSure {
		t.end.verdict = 1
	}
	l.c.Log.Debug().Float64("sure", sure).Dur("took", time.Since(began)).Msg("the end of a turn was judged")
}

// judged is a pause as the sound lengthens or shortens it.
func (e *endpoint) judged(kind string, pause int64) int64 {
	switch {
	case e.verdict == 0 || kind == "final":
		return pause
	case e.verdict > 0 && kind == "open":
		return samples(e.t.Extendable)
	case e.verdict > 0:
		return max(samples(e.t.Extendable)/2, samples(e.t.Final))
	case kind == "open":
		return pause * 3 / 2
	}
	return max(pause, samples(e.t.Open))
}
