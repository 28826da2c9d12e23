// Package listen turns microphone frames into utterances: frames -> wake word -> speech -> utterance.
//
// Every time is a count of samples, so a file gives the same utterances however fast it is read.
//
// What the recogniser is fed. A ring keeps the last 1.5 s. A wake word is told late, 140 to 330 ms after its
// end (Porcupine), so that in "jarvis what time is it" the order has begun by then; and a recogniser that is
// fed the end of the wake word makes words of it. So the seam between the two is looked for (seam.go) and the
// recogniser gets the sound from there on.
//
// When an utterance ends. A frame is loud when the VAD hears speech in it and its level is clearly above
// the room's, which is learnt before and during the turn; so babble that a VAD takes for speech does not
// hold a turn open. Silence begins where loud frames end. How long it must last depends on what the
// partial transcript means (Tuning); up to 200 ms are added where noise hides how words begin and end. A
// partial that stays the same ends the turn too, whatever is heard, and so does sound that has become much
// quieter than the words were and no louder than the room was before them.
//
// Concurrency: Serve is one goroutine (with one more that reads the source, never ahead of it). The
// callbacks of Config are called on it, one at a time; they may call every method of the Listener. The next
// frame is asked for when the last one's callbacks have returned, so a source that is no microphone can
// make time stand still. Methods may be called from anywhere; they take effect before the next frame, in
// the order of the calls, and at once where the source keeps Serve waiting.
package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
)

// Config says what to listen with and whom to tell. Source, Wake, VAD and Open are needed.
type Config struct {
	Source Source
	Wake   Wake
	VAD    VAD
	Open   func(context.Context) (Stream, error) // a recogniser for one utterance; holds up the frames while it opens

	Complete func(partial string) (complete, extendable bool) // what the words so far mean; nil: they are never complete
	Woke     func(hit audio.Hit, at time.Duration)            // a turn was opened; Word "" by key or follow-up; at: where in the stream
	Partial  func(text string, stable bool)                   // stable: unchanged for two polls
	Ended    func(*Utterance)                                 // something was said; the receiver calls Finish or Close
	Missed   func(why string)                                 // a turn was opened but nothing was said
	Turns    Turns                                            // hears whether the user has finished; nil: pauses and words alone tell
	Own      func(word string) bool                           // true while Solo's own voice is saying that word

	Tuning Tuning
	Log    zerolog.Logger
}

// Tuning holds the times of a turn. Zero values mean the defaults.
type Tuning struct {
	Final      time.Duration `toml:"final_pause" default:"150ms" min:"60ms" max:"2s" doc:"silence that ends an order which cannot go on"`
	Extendable time.Duration `toml:"extendable_pause" default:"600ms" min:"60ms" max:"3s" doc:"silence that ends an order which may go on, and words that no order begins with"`
	Open       time.Duration `toml:"open_pause" default:"900ms" min:"60ms" max:"3s" doc:"silence that ends the beginning of an order"`
	Stalled    time.Duration `toml:"stalled" default:"1.5s" min:"500ms" max:"5s" doc:"words that stay the same for so long end a turn, whatever is heard"`
	Patience   time.Duration `toml:"patience" default:"5s" min:"1s" max:"15s" doc:"how long Solo waits for the first word"`
	Longest    time.Duration `toml:"longest" default:"15s" min:"3s" max:"15s" doc:"no turn takes longer; with the key held, four times that"`
}

func (t Tuning) filled() Tuning {
	for _, f := range []struct {
		at  *time.Duration
		def time.Duration
	}{
		{&t.Final, 150 * time.Millisecond}, {&t.Extendable, 600 * time.Millisecond}, {&t.Open, 900 * time.Millisecond},
		{&t.Stalled, 1500 * time.Millisecond}, {&t.Patience, 5 * time.Second}, {&t.Longest, 15 * time.Second},
	} {
		if *f.at <= 0 {
			*f.at = f.def
		}
	}
	return t
}

// Listener hears the user's turns.
type Listener struct {
	c   Config
	box mailbox

	now    int64 // index of the sample behind the last frame
	past   past  // the last 1.5 s
	room   room  // how loud it is, with and without speech
	turn   *turn // the open turn, nil for none
	last   *Utterance
	hitAt  int64 // the last wake hit
	gated  bool  // Solo speaks
	muted  bool
	follow follow // listening without a wake word
}

// New builds a listener; Serve works.
func New(c Config) (*Listener, error) {
	if c.Source == nil || c.Wake == nil || c.VAD == nil || c.Open == nil {
		return nil, errors.New("listening needs a source, a wake word, a VAD and a recogniser")
	}
	c.Tuning = c.Tuning.filled()
	if c.Complete == nil {
		c.Complete = func(string) (bool, bool) { return false, false }
	}
	if c.Woke == nil {
		c.Woke = func(audio.Hit, time.Duration) {}
	}
	if c.Partial == nil {
		c.Partial = func(string, bool) {}
	}
	if c.Ended == nil {
		c.Ended = func(u *Utterance) { u.Close() }
	}
	if c.Missed == nil {
		c.Missed = func(string) {}
	}
	if c.Own == nil {
		c.Own = func(string) bool { return false }
	}
	c.Log = c.Log.With().Str("part", "listen").Logger()
	return &Listener{c: c, box: mailbox{bell: make(chan struct{}, 1)}, past: newPast(), hitAt: never}, nil
}

// Serve listens until the source ends (nil, after ending an open turn), ctx ends (its cause) or a part
// fails. A later Serve begins anew.
func (l *Listener) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	r := reader{want: make(chan struct{}), got: make(chan read)}
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	defer l.abandon()
	l.begin()
	wg.Go(func() { r.run(ctx, l.c.Source) })
	for {
		if err := l.next(ctx, r); errors.Is(err, io.EOF) {
			l.atEOF()
			return nil
		} else if err != nil {
			return err
		}
	}
}

// next waits for one frame, obeying commands meanwhile, and hears it.
func (l *Listener) next(ctx context.Context, r reader) error {
	select {
	case r.want <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for {
		select {
		case <-l.box.bell:
			l.obey(ctx)
		case <-ctx.Done():
			return context.Cause(ctx)
		case got := <-r.got:
			l.obey(ctx)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.Is(got.err, io.EOF) {
				return io.EOF
			}
			if got.err != nil {
				return fmt.Errorf("reading the microphone: %w", got.err)
			}
			return l.hear(ctx, got.frame)
		}
	}
}

// begin forgets everything that an earlier Serve left.
func (l *Listener) begin() {
	l.now, l.hitAt, l.gated = 0, never, false
	l.follow = follow{}
	l.forget()
}

// forget drops the sound heard so far, as after a gap.
func (l *Listener) forget() {
	l.past.reset(l.now)
	l.room.reset()
	l.c.Wake.Reset()
	l.c.VAD.Reset()
}

// String names the service.
func (l *Listener) String() string { return "listen" }

// Chain shows the way of the sound, such as "Mic(16k) -> Wake(porcupine) -> VAD(webrtc) -> Recogniser".
func (l *Listener) Chain() string {
	return strings.Join([]string{named("Mic(16k)", nil), named("Wake", l.c.Wake), named("VAD", l.c.VAD), "Recogniser"}, " -> ")
}

func named(role string, part any) string {
	if s, ok := part.(fmt.Stringer); ok {
		return role + "(" + s.String() + ")"
	}
	return role
}

// reader reads the source on a goroutine of its own, one frame for each want, so that a command need
// not wait for a microphone that gives nothing.
type reader struct {
	want chan struct{}
	got  chan read
}

type read struct {
	frame audio.Frame
	err   error
}

func (r reader) run(ctx context.Context, src Source) {
	for {
		select {
		case <-r.want:
		case <-ctx.Done():
			return
		}
		f, err := src.Read(ctx)
		select {
		case r.got <- read{f, err}:
		case <-ctx.Done():
			return
		}
	}
}
