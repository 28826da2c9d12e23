package device

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Samples is a stream of 16 kHz mono, such as a decoded file. Read ends with io.EOF.
type Samples interface {
	Read(pcm []int16) (int, error)
}

// TapeConfig says what a Tape hears and where it plays.
type TapeConfig struct {
	In      Samples       // what the microphone hears; nil is silence
	To      io.Writer     // gets a WAV of all that is played, as it is played; nil keeps it for Out
	Rate    int           // of what is played, Hz; 0 is audio.Rate
	Clocked bool          // frames come at the pace of the wall clock, else as fast as they are read
	Tail    time.Duration // silence after all is heard and said before the end; 0 is 1.5 s

	// Busy is true while a turn is thought about or synthesized, from before the read that follows
	// the end of the user's words. Unclocked, the tape then stands still unless there is something to play.
	Busy func() bool
	// OnPlay is called when the first sample after silence is taken, with its place on the tape.
	OnPlay func(at time.Duration)
}

// Tape is a microphone and a speaker on one clock. Every Read gives the next 20 ms of the input
// and plays 20 ms: what is played lies on the tape where the input then was, with silence between.
type Tape struct {
	c TapeConfig
	q *queue

	// Of the reader alone.
	step    []int16   // samples to play in one frame
	start   time.Time // wall clock of the first frame
	played  int64     // samples written, silence included
	heard   bool      // the input is over
	quiet   int64     // samples since the last sign of life
	playing bool

	mu   sync.Mutex
	at   int64            // samples heard
	out  *audio.WAVWriter // nil keeps in memory
	kept []int16
	err  error // of the input
}

// NewTape makes a tape at its beginning. It starts nothing.
func NewTape(c TapeConfig) *Tape {
	if c.Rate == 0 {
		c.Rate = audio.Rate
	}
	if c.Tail == 0 {
		c.Tail = 1500 * time.Millisecond
	}
	if c.Busy == nil {
		c.Busy = func() bool { return false }
	}
	return &Tape{c: c, q: newQueue(c.Rate), heard: c.In == nil}
}

// Rate is the rate of Play, in Hz.
func (t *Tape) Rate() int { return t.c.Rate }

// Play queues mono samples and blocks while more than 200 ms wait. After the end it gives ErrEnded.
func (t *Tape) Play(ctx context.Context, pcm []int16) error { return t.q.put(ctx, pcm) }

// Drain returns when all was played.
func (t *Tape) Drain(ctx context.Context) error { return t.q.drain(ctx) }

// Hush drops what waits to be played, at once.
func (t *Tape) Hush() { t.q.hush(0) }

// Position is how much of the tape has been read.
func (t *Tape) Position() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return audio.Time(t.at, audio.Rate)
}

// Out is what was played so far, from the input's first sample on. It is empty where a writer gets it.
func (t *Tape) Out() audio.Clip {
	t.mu.Lock()
	defer t.mu.Unlock()
	return audio.Clip{Format: t.format(), PCM: append([]int16(nil), t.kept...)}
}

// Err is why the input ended early, nil where it did not.
func (t *Tape) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// Close ends the tape and completes the WAV. It does not close the writer.
func (t *Tape) Close() error {
	t.q.end(ErrEnded)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.out == nil {
		return nil
	}
	return t.out.Close()
}

// Read gives the next frame. Once the input is over it gives silence, and io.EOF when Solo is not
// busy, nothing waits to be played and the tail has passed.
func (t *Tape) Read(ctx context.Context) (audio.Frame, error) {
	if err := t.pace(ctx); err != nil {
		return audio.Frame{}, err
	}
	if t.over() {
		t.q.end(ErrEnded)
		return audio.Frame{}, io.EOF
	}
	f := audio.Frame{At: t.at, PCM: make([]int16, audio.FrameLen)} // only the reader writes at
	err := t.hear(f.PCM)
	step := t.play()
	return f, t.advance(step, err)
}

// over says whether nothing more is to come, and counts the tail.
func (t *Tape) over() bool {
	waits, _, _ := t.q.state()
	if !t.heard || waits > 0 || t.playing || t.c.Busy() {
		t.quiet = 0
		return false
	}
	t.quiet += audio.FrameLen
	return t.quiet > audio.Samples(t.c.Tail, audio.Rate)
}

// hear fills pcm from the input, with silence behind its end, and gives why it ended early.
func (t *Tape) hear(pcm []int16) error {
	for n := 0; n < len(pcm) && !t.heard; {
		got, err := t.c.In.Read(pcm[n:])
		n += got
		if err == nil {
			continue
		}
		t.heard = true
		if !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// play takes one frame's time from the queue.
func (t *Tape) play() []int16 {
	n := int((t.at+audio.FrameLen)*int64(t.c.Rate)/audio.Rate - t.played)
	if cap(t.step) < n {
		t.step = make([]int16, n+1)
	}
	step := t.step[:n]
	clear(step)
	got := t.q.take(step)
	if got > 0 && !t.playing && t.c.OnPlay != nil {
		t.c.OnPlay(audio.Time(t.played, t.c.Rate))
	}
	t.playing = got == n && n > 0
	t.played += int64(n)
	return step
}

// advance moves the clock, and puts what is played onto the tape.
func (t *Tape) advance(step []int16, err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at += audio.FrameLen
	if err != nil {
		t.err = err
	}
	return t.keep(step)
}

func (t *Tape) keep(step []int16) (err error) {
	if t.c.To == nil {
		t.kept = append(t.kept, step...)
		return nil
	}
	if t.out == nil {
		if t.out, err = audio.NewWAVWriter(t.c.To, t.format()); err != nil {
			return fmt.Errorf("recording what is played: %w", err)
		}
	}
	if err := t.out.Write(step); err != nil {
		return fmt.Errorf("recording what is played: %w", err)
	}
	return nil
}

func (t *Tape) format() audio.Format { return audio.Format{Rate: t.c.Rate, Channels: 1} }
