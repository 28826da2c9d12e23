package sphinx

import (
	"context"

	"github.com/solo-assistant/solo/audio"
)

// look is the decoding of the whole utterance, begun when a pause might be its end, while the listener still waits
// whether more is said. Finish then has little or nothing left to do.
type look struct {
	done   chan struct{}
	cancel context.CancelFunc
	heard  audio.Transcript
	err    error
}

// take begins to look at the utterance so far. The decoders are its own until it is done.
func (s *Stream) take() error {
	if s.look != nil {
		return nil
	}
	if err := s.end(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &look{done: make(chan struct{}), cancel: cancel}
	s.look = l
	pcm := s.pcm[:s.gate.at]
	go func() {
		defer close(l.done)
		var sound bool
		if l.heard, sound, l.err = s.engine.recognise(ctx, pcm); sound {
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
