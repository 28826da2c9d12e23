// Package speak turns sentences into sound at the loudspeaker: the first is heard while the next is
// still being synthesized, and all fall silent within 50 ms when the user speaks over them.
//
// One answer is a run of Say calls with one ctx, closed by Flush. Two goroutines work on it: render
// asks the engine for sound, at most a few seconds ahead, and play hands it to the loudspeaker.
package speak

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// Synth makes sound of a phrase, in mono chunks in playing order.
type Synth interface {
	Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error]
}

// Sink plays mono sound at Rate Hz.
type Sink interface {
	Rate() int
	Play(ctx context.Context, pcm []int16) error // queues; waits while more than about 200 ms are queued
	Drain(ctx context.Context) error             // returns when all was played
	Hush()                                       // drops what is queued
}

// ErrNoVoice says that no speech engine was found.
var ErrNoVoice = errors.New("Solo has no voice here; on Debian: apt-get install flite")

// ahead is how many chunks of sound, of at most a second each, wait between render and play: an answer that is
// spoken over has not been made for nothing.
const ahead = 3

// Config is what a Speaker needs and how it shall sound.
type Config struct {
	Synth  Synth          `toml:"-"` // nil: nothing can be said, and Say tells so
	Sink   Sink           `toml:"-"`
	Log    zerolog.Logger `toml:"-"`
	Name   string         `toml:"name" default:"" doc:"voice, as solo voices of the engine are named: slt, rms, awb, kal16; en-us, de, ... for espeak"`
	Pace   float64        `toml:"pace" default:"1" min:"0.5" max:"3" doc:"speed of speech, 1 is the voice's own"`
	Volume int            `toml:"volume" default:"80" min:"0" max:"100" doc:"loudness of speech in percent"`
}

// Speaker speaks one answer at a time.
type Speaker struct {
	cfg    Config
	todo   chan *line
	sound  chan chunk
	volume atomic.Int64
	pace   atomic.Uint64 // thousandths

	mu     sync.Mutex
	answer *answer // under way, nil between answers
	saying string
}

// New builds a Speaker; Serve makes it work.
func New(c Config) *Speaker {
	s := &Speaker{cfg: c, todo: make(chan *line, 2), sound: make(chan chunk, ahead)}
	s.SetVolume(c.Volume)
	s.SetPace(c.Pace)
	return s
}

func (s *Speaker) String() string { return "speak" }

// SetVolume sets the loudness in percent, 0 to 100; it is heard at once.
func (s *Speaker) SetVolume(percent int) { s.volume.Store(int64(min(max(percent, 0), 100))) }

// Volume is the loudness in percent.
func (s *Speaker) Volume() int { return int(s.volume.Load()) }

// SetPace sets the speed of the sentences to come, 0.5 to 3; 0 means 1.
func (s *Speaker) SetPace(pace float64) {
	if pace == 0 {
		pace = 1
	}
	s.pace.Store(uint64(1000 * min(max(pace, 0.5), 3)))
}

// Saying is the sentence that is heard now, "" in silence.
func (s *Speaker) Saying() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saying
}

// Serve renders and plays until ctx ends.
func (s *Speaker) Serve(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { s.render(ctx) })
	s.play(ctx)
	return nil
}

// Say queues one sentence of the answer that ctx belongs to; at most two wait unrendered.
// When ctx ends, the whole answer falls silent at once, whoever is waiting for what.
func (s *Speaker) Say(ctx context.Context, sentence string) error {
	if s.cfg.Synth == nil {
		return ErrNoVoice
	}
	text := voices.Plain(sentence)
	if text == "" {
		return context.Cause(ctx)
	}
	l := s.open(ctx).add(sentence, text)
	select {
	case s.todo <- l:
		return nil
	case <-ctx.Done():
		l.finish(context.Cause(ctx))
		return context.Cause(ctx)
	}
}

// Flush waits until the answer has been heard and tells what was said. Where ctx ends first it
// returns its cause at once, with only the words that were really played.
func (s *Speaker) Flush(ctx context.Context) (voices.Spoken, error) {
	a := s.current()
	if a == nil {
		return voices.Spoken{}, nil
	}
	defer s.end(a)
	for _, l := range a.all() {
		select {
		case <-l.done:
		case <-ctx.Done():
			a.hush() // here and now, lest it fall upon the next answer
			return a.spoken(), context.Cause(ctx)
		}
	}
	if err := s.cfg.Sink.Drain(a.ctx); err != nil {
		return a.spoken(), err
	}
	if err := context.Cause(a.ctx); err != nil { // a hush drains as well
		return a.spoken(), err
	}
	return a.spoken(), a.failure()
}

// open returns the answer under way, begun now where there is none.
func (s *Speaker) open(ctx context.Context) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answer == nil || s.answer.ctx.Err() != nil && ctx.Err() == nil { // a late sentence of an answer that was spoken over belongs to it
		s.answer = newAnswer(ctx, s.cfg.Sink)
	}
	return s.answer
}

func (s *Speaker) current() *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer
}

func (s *Speaker) end(a *answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.release()
	if s.answer == a {
		s.answer, s.saying = nil, ""
	}
}

func (s *Speaker) says(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saying = text
}
