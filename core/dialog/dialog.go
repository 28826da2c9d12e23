// Package dialog conducts the conversation: idle, listening, thinking, speaking.
//
// One lane: a turn is at work or none is. Whoever wakes Solo while it speaks cancels the turn under
// way with ErrBargeIn, and history keeps only what was really said. A turn can be read in turn.go
// from top to bottom; what is due rings in ring.go.
package dialog

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/voices"
)

// ErrBargeIn is the cause with which an answer ends that the user spoke over.
var ErrBargeIn = errors.New("the user spoke over the answer")

// Mind answers what was heard, piece by piece.
type Mind interface {
	Answer(ctx context.Context, h event.Heard) iter.Seq2[string, error]
}

// Voice says one answer: some sentences, closed by Flush. It falls silent when ctx ends.
type Voice interface {
	Say(ctx context.Context, sentence string) error
	Flush(ctx context.Context) (voices.Spoken, error)
	Cue(ctx context.Context, e voices.Earcon) error
}

// Ears is the listener, as far as the conductor leads it.
type Ears interface {
	Gate(on bool)                // while Solo speaks only the wake word is listened for
	Attend(window time.Duration) // speech that begins within window needs no wake word
	Muted() bool
}

// Utterance is what the user said, from the wake word to its end.
type Utterance struct {
	Start, End time.Duration // first and last sample of speech in the audio stream
	Endpoint   time.Duration // audio time from End to the decision that it was the end
	Finish     func(ctx context.Context) (audio.Transcript, error)
}

// Config is what a Conductor needs.
type Config struct {
	Mind  Mind           `toml:"-"`
	Voice Voice          `toml:"-"`
	Ears  Ears           `toml:"-"`
	Bus   *bus.Bus       `toml:"-"`
	Log   zerolog.Logger `toml:"-"`
	// Rings tells whether a promise that came due still rings.
	Rings func(event.Due) bool `toml:"-"`
	// Telling is told just before what is due is said for the first time, and Told when it was, or why it could not be;
	// neither where it was spoken over, and is said again. nil for nobody.
	Telling  func(context.Context, []event.Due)        `toml:"-"`
	Told     func(context.Context, []event.Due, error) `toml:"-"`
	FollowUp time.Duration                             `toml:"follow_up" default:"5s" min:"0s" max:"30s" doc:"how long Solo listens without its name after it asked something"`
	Resume   bool                                      `toml:"resume" default:"true" doc:"take up an answer again that was spoken over, where nothing was said then"`
	// Name is what this conductor's events come from, "" for "dialog".
	Name    string `toml:"-"`
	WakeCue bool   `toml:"wake_cue" default:"false" doc:"a soft sound when Solo begins to listen"`
}

// Conductor leads one conversation. Its methods may be called from any goroutine and return at once,
// but for those that say that they wait.
type Conductor struct {
	cfg  Config
	box  mailbox
	out  publishers
	busy atomic.Int64 // turns asked for and not yet ended

	mu    sync.Mutex
	end   context.CancelCauseFunc // ends the turn under way; nil between turns
	turn  uint64                  // opened by the last wake
	state event.State
	last  string // the last answer

	// Only Serve's goroutine touches these.
	due    []*bell // waits for a quiet moment
	broken *broken // the answer that was spoken over last
}

type publishers struct {
	state       bus.Pub[event.StateChanged]
	woke        bus.Pub[event.Woke]
	partial     bus.Pub[event.Partial]
	heard       bus.Pub[event.Heard]
	misheard    bus.Pub[event.Misheard]
	replied     bus.Pub[event.Replied]
	interrupted bus.Pub[event.Interrupted]
	turned      bus.Pub[event.Turned]
}

// New builds a Conductor; Serve makes it work.
func New(c Config) *Conductor {
	me := cmp.Or(c.Name, "dialog")
	return &Conductor{cfg: c, box: newMailbox(), state: event.Idle, out: publishers{
		state:       bus.Publisher[event.StateChanged](c.Bus, me),
		woke:        bus.Publisher[event.Woke](c.Bus, me),
		partial:     bus.Publisher[event.Partial](c.Bus, me),
		heard:       bus.Publisher[event.Heard](c.Bus, me),
		misheard:    bus.Publisher[event.Misheard](c.Bus, me),
		replied:     bus.Publisher[event.Replied](c.Bus, me),
		interrupted: bus.Publisher[event.Interrupted](c.Bus, me),
		turned:      bus.Publisher[event.Turned](c.Bus, me),
	}}
}

func (d *Conductor) String() string { return "dialog" }
