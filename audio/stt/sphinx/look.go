package sphinx

import (
	"context"
	"sync"

	"github.com/solo-assistant/solo/audio"
)

// look is the decoding of the whole utterance, begun when a pause might be its end, while the listener still waits
// whether more is said. Finish then has little or nothing left to do.
type look struct {
	at     int // samples of the stream that it looks at
	done   chan struct{}
	cancel context.CancelFunc
	before float64 // the fit of the live decoding
	heard  audio.Transcript
	belief
	err error

	long  chan struct{} // closed when the pause is long enough for the slow search, or the utterance is over
	since int           // samples of the pause
	once  sync.Once
}

// longPause is the pause from which on the slow search by dictation is worth its time: until then the user mostly goes
// on, and would wait for its end.
const longPause = audio.Rate * 3 / 10

// pause tells the look that n more samples of it are over.
func (l *look) pause(n int) {
	if l.since += n; l.since >= longPause {
		l.patient()
	}
}

// patient lets the slow search begin.
func (l *look) patient() { l.once.Do(func() { close(l.long) }) }

// linger waits until the slow search may begin.
func (l *look) linger(ctx context.Context) error {
	select {
	case <-l.long:
		return context.Cause(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Doubts says that the words of Partial are not to be relied on: by their own fit to the sound as long as the second
// decoding has not come to an end, then because it has not confirmed them.
func (s *Stream) Doubts() bool {
	if s.look == nil {
		return s.begun && s.fit() < plausible
	}
	select {
	case <-s.look.done:
		return !s.look.sound
	default:
		return s.look.before < trusted
	}
}

// fit is the trust in what the live decoding holds.
func (s *Stream) fit() float64 {
	grammar := s.decoder == s.engine.commands && s.engine.searches[0] == byGrammar
	words := s.decoder.words(grammar)
	for i := range words {
		words[i].word = plain(words[i].word)
	}
	sure := weigh(words, s.heard, func(segment) bool { return false }).sure()
	s.engine.log.Debug().Str("partial", s.Partial()).Float64("sure", sure).Msg("fit of the live words")
	return sure
}

// take begins to look at the utterance so far. The decoders are its own until it is done.
func (s *Stream) take() error {
	if s.look != nil {
		return nil
	}
	before := 0.0
	if s.begun {
		before = s.fit()
	}
	if err := s.end(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &look{at: s.gate.at, since: s.gate.at - s.gate.loud, done: make(chan struct{}), cancel: cancel, before: before, long: make(chan struct{})}
	s.look = l
	pcm := s.pcm[:l.at]
	go func() {
		defer close(l.done)
		if l.heard, l.belief, l.err = s.engine.recognise(ctx, pcm, l.linger); l.shown {
			s.show(l.heard.Text)
		}
	}()
	return nil
}

// wait ends with the look, or when ctx does: then the look goes on and Close waits for it.
func (s *Stream) wait(ctx context.Context) error {
	if s.look == nil {
		return nil
	}
	s.look.patient()
	select {
	case <-s.look.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// resume throws the look away, because there is more to hear, and decodes again what the live decoding had heard.
func (s *Stream) resume() error {
	if s.look == nil {
		return nil
	}
	s.look.cancel()
	<-s.look.done
	s.look = nil
	if e := s.engine; e.commands != nil {
		if err := e.commands.use(e.searches[0]); err != nil {
			return err
		}
	}
	if len(s.heard) == 0 {
		return nil
	}
	return s.decode(s.heard)
}
