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
	live     bool // decode while being fed, for partials
	pcm      []int16
	gate     gate
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
	s.pcm = append(s.pcm, pcm...)
	if !s.live {
		return nil
	}
	return s.decode(s.gate.pass(pcm))
}

func (s *Stream) decode(pcm []int16) error {
	if len(pcm) == 0 {
		return nil
	}
	if !s.begun {
		if err := s.decoder.begin(); err != nil {
			return err
		}
		s.begun = true
	}
	if err := s.decoder.feed(pcm, false); err != nil {
		return err
	}
	if s.fresh += len(pcm); s.fresh >= partialEvery {
		s.fresh = 0
		text, _ := s.decoder.text()
		s.show(text)
	}
	return nil
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
	if err := s.end(); err != nil {
		return audio.Transcript{}, err
	}
	if err := ctx.Err(); err != nil {
		return audio.Transcript{}, context.Cause(ctx)
	}
	begun := time.Now()
	t, err := s.engine.recognise(ctx, s.pcm)
	if err == nil {
		s.show(t.Text)
	}
	s.engine.log.Debug().Dur("took", time.Since(begun)).Float64("sure", t.Sure).Str("text", t.Text).Err(err).Msg("utterance recognised")
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
	err := s.end()
	s.pcm = nil
	<-s.engine.turn
	return err
}
