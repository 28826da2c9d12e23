package sphinx

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// how often the partial result is asked for, in samples let through
const partialEvery = audio.Rate / 10

// Stream recognises one utterance. It holds its engine until Close.
type Stream struct {
	engine   *Engine
	live     bool    // decode while being fed, for partials
	pcm      []int16 // all that was fed
	gate     gate
	heard    []int16  // what of it was decoded live
	look     *look    // nil while someone speaks
	decoder  *decoder // of the live decoding
	begun    bool
	fresh    int // samples decoded since the last partial
	finished bool
	closed   bool

	mu      sync.Mutex
	partial string
}

// listen chooses who decodes while the stream is fed.
func (s *Stream) listen() error {
	e := s.engine
	if e.commands != nil {
		s.decoder = e.commands
		return e.commands.use(e.searches[0])
	}
	d, err := e.dictation.get()
	s.decoder = d
	return err
}

// Feed takes 16 kHz mono samples, any number at a time. It decodes as it goes: about a fiftieth of the time
// that the samples last.
func (s *Stream) Feed(pcm []int16) error {
	if s.finished || s.closed {
		return ErrFinished
	}
	if len(s.pcm)+len(pcm) > int(audio.Samples(Longest, audio.Rate)) {
		return ErrTooLong
	}
	s.pcm = hiss(s.pcm, pcm)
	if s.look != nil {
		s.look.pause(len(pcm))
	}
	for s.live {
		out, why := s.gate.next(s.pcm)
		err := s.hear(out)
		switch {
		case err != nil || why == atEnd:
			return err
		case why == atDip && s.look == nil:
			s.refresh()
		case why == atClose, why == atLull && s.whole():
			err = s.take()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whole says that the words so far are a command: little is lost by looking at once, and mostly a moment is won.
func (s *Stream) whole() bool {
	return s.engine.config.Meaning != nil && s.engine.config.Meaning(s.Partial()) != ""
}

// hear decodes what the gate let through.
func (s *Stream) hear(out []int16) error {
	if len(out) == 0 {
		return nil
	}
	if s.look != nil && s.gate.loud <= s.look.at { // it is the quiet behind what is looked at
		s.heard = append(s.heard, out...)
		return nil
	}
	if err := s.resume(); err != nil {
		return err
	}
	s.heard = append(s.heard, out...)
	return s.decode(out)
}

func (s *Stream) decode(pcm []int16) error {
	if len(pcm) == 0 {
		return nil
	}
	if !s.begun {
		if err := s.decoder.begin(false); err != nil {
			return err
		}
		s.begun = true
	}
	if err := s.decoder.feed(pcm, false); err != nil {
		return err
	}
	if s.fresh += len(pcm); s.fresh >= partialEvery {
		s.refresh()
	}
	return nil
}

// refresh shows the words of the live decoding.
func (s *Stream) refresh() {
	if !s.begun {
		return
	}
	s.fresh = 0
	text, _ := s.decoder.text()
	s.show(text)
}

func (s *Stream) show(text string) {
	text = plain(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partial = text
}

// plain takes the marks of other pronunciations out: "read(2)" is read.
func plain(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i], _, _ = strings.Cut(w, "(")
	}
	return strings.Join(words, " ")
}

// Partial is what was understood so far, "" for nothing; later words may change it.
func (s *Stream) Partial() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.partial
}

// Finish decodes the whole utterance again, now that all of it is known, and returns its words. It returns
// audio.ErrNoSpeech where there are none, and the cause of ctx where that ends first. Speech that is not in the
// grammar comes back with Sure under 0.5.
func (s *Stream) Finish(ctx context.Context) (audio.Transcript, error) {
	if s.finished || s.closed {
		return audio.Transcript{}, ErrFinished
	}
	s.finished = true
	if ctx.Err() != nil {
		return audio.Transcript{}, context.Cause(ctx)
	}
	begun := time.Now()
	t, err := s.decide(ctx)
	if err == nil {
		s.show(t.Text)
	}
	s.engine.log.Debug().Dur("took", time.Since(begun)).Float64("sure", t.Sure).Str("text", t.Text).Err(err).Msg("utterance recognised")
	return t, err
}

// decide takes what the look at the last pause found, or looks now.
func (s *Stream) decide(ctx context.Context) (audio.Transcript, error) {
	if s.look != nil {
		if err := s.wait(ctx); err != nil {
			return audio.Transcript{}, err
		}
		return s.look.heard, s.look.err
	}
	if err := s.end(); err != nil {
		return audio.Transcript{}, err
	}
	t, _, err := s.engine.recognise(ctx, s.pcm, atOnce)
	return t, err
}

func (s *Stream) end() error {
	if !s.begun {
		return nil
	}
	s.begun = false
	return s.decoder.end()
}

// Close gives the engine to the next Stream. Closing again does nothing.
func (s *Stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if s.look != nil {
		s.look.cancel()
		<-s.look.done
	}
	err := s.end()
	s.pcm, s.heard = nil, nil
	<-s.engine.turn
	return err
}
