package listen

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/audio"
)

// turn is the user's open turn.
type turn struct {
	key    bool // held open by the key
	follow bool // opened by speech, without a wake word
	told   bool // Woke was called
	word   bool // opened by a wake word
	anew   bool // begun again behind the wake word's end

	stream Stream
	from   int64 // first sample fed
	end    endpoint
	ending ending
	polled int // frames since the last look at the partial
}

// open begins a turn, or begins the open one anew, with the sound from place from on. It is opened at
// place l.now, or at from for a turn without a wake word. False: it could not, and Missed was called.
func (l *Listener) open(ctx context.Context, from int64, t turn) bool {
	if l.turn != nil {
		l.drop()
	}
	if l.last != nil {
		l.last.forsake()
		l.last = nil
	}
	stream, err := l.c.Open(ctx)
	if err != nil {
		l.c.Log.Error().Err(err).Msg("the recogniser did not open")
		l.c.Missed(fmt.Sprintf("speech recognition could not start: %v", err))
		return false
	}
	tuning := l.c.Tuning
	if t.key {
		tuning.Longest *= 4
	}
	pcm, from := l.past.since(from)
	t.stream, t.from = stream, from
	t.end = newEndpoint(tuning, l.c.Complete, l.now)
	t.ending = l.newEnding(pcm)
	if t.follow {
		t.end.opened, t.end.changed = from, from
	}
	l.turn = &t
	l.room.enter(t.word)
	if err := l.replay(from); err != nil {
		l.broken(err)
		return false
	}
	if len(pcm) == 0 {
		return true
	}
	if err := stream.Feed(pcm); err != nil {
		l.broken(err)
		return false
	}
	return true
}

// replay shows the ring's frames to the VAD, and those from place from on to the endpoint too.
func (l *Listener) replay(from int64) error {
	l.c.VAD.Reset()
	pcm, at := l.past.since(never)
	frames := len(pcm) / audio.FrameLen
	for i := range frames {
		f := audio.Frame{At: at + int64(i*audio.FrameLen), PCM: pcm[i*audio.FrameLen : (i+1)*audio.FrameLen]}
		speech, err := l.c.VAD.Speech(f)
		if err != nil {
			return fmt.Errorf("hearing speech: %w", err)
		}
		if f.At+audio.FrameLen > from {
			l.turn.end.frame(f.At+audio.FrameLen, l.room.ago(frames-1-i) > l.room.loud(), speech)
		}
	}
	return nil
}

// listen hears one frame in the open turn.
func (l *Listener) listen(ctx context.Context, f audio.Frame, level float64) error {
	t := l.turn
	if err := t.stream.Feed(f.PCM); err != nil {
		l.broken(err)
		return nil
	}
	speech, err := l.c.VAD.Speech(f)
	if err != nil {
		return fmt.Errorf("hearing speech: %w", err)
	}
	l.room.follow()
	t.end.hidden, t.end.faded, t.end.near = l.room.hides(), l.room.faded(), l.room.near()
	t.end.frame(l.now, level > l.room.loud(), speech)
	l.consult(ctx, f)
	t.polled++
	if t.polled >= pollGap || t.end.run == 0 {
		l.poll()
	}
	l.announce()
	switch why, over := l.over(); {
	case over:
		l.end(why)
	case t.word && !t.anew && t.end.unheeded():
		l.open(ctx, l.now-ms(100), turn{word: true, told: true, anew: true})
	}
	return nil
}

// over decides on the newest words.
func (l *Listener) over() (string, bool) {
	t := l.turn
	why, over := t.end.over()
	if over && t.polled > 0 {
		l.poll()
		why, over = t.end.over()
	}
	if t.key && why != "longest" {
		return "", false
	}
	if t.follow && !t.end.begun() && t.end.silence() >= audio.Rate {
		return "nothing", true
	}
	if (why == "extendable" || why == "strange" || why == "open") && l.now-l.lastSpeech(t) < t.end.pause() {
		return "", false // a weak ending is speech too: a breath of 400 ms behind one must not end an order that may go on
	}
	return why, over
}

// poll takes a look at the recogniser's words and hands them on where they are new or just became stable.
func (l *Listener) poll() {
	t := l.turn
	t.polled = 0
	text := t.stream.Partial()
	changed, stable := t.end.words(text)
	if d, ok := t.stream.(Doubter); ok && t.end.kind() == "final" && t.end.silence() >= ms(100) {
		t.end.doubted = d.Doubts()
	}
	if (changed && text != "" || stable) && t.told {
		l.c.Partial(text, stable)
	}
}

// end closes the open turn: as an utterance, or as nothing said.
func (l *Listener) end(why string) {
	t := l.turn
	said := t.end.begun()
	if t.key && why == "key" {
		l.poll()
		said = t.end.spoken > 0 || t.end.partial != ""
	}
	if !said {
		l.miss(why)
		return
	}
	l.turn = nil
	l.follow = follow{}
	last := l.lastSpeech(t)
	u := &Utterance{
		From: place(t.from), Start: place(max(t.end.first, t.from)), End: place(last), Endpoint: place(l.now - last),
		Partial: t.end.partial, Why: why, stream: t.stream,
	}
	l.last = u
	l.c.Log.Debug().Str("why", why).Dur("endpoint", u.Endpoint).Str("partial", u.Partial).Msg("utterance ended")
	l.c.Ended(u)
}

// miss closes the open turn without an utterance.
func (l *Listener) miss(why string) {
	switch why {
	case "nothing":
		why = "nothing was said"
	case "key":
		why = "the key was pressed but nothing was said"
	case "end of sound":
		why = "the sound ended before anything was said"
	}
	told := l.turn.told
	l.drop()
	if told {
		l.c.Missed(why)
	}
}

// broken closes a turn whose recogniser failed.
func (l *Listener) broken(err error) {
	l.c.Log.Error().Err(err).Msg("the recogniser failed")
	l.turn.told = true
	l.miss(fmt.Sprintf("speech recognition failed: %v", err))
}

// drop frees the open turn's recogniser.
func (l *Listener) drop() {
	if err := l.turn.stream.Close(); err != nil {
		l.c.Log.Warn().Err(err).Msg("the recogniser did not close")
	}
	l.turn = nil
}
