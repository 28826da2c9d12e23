package agent

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/bus"
)

// Planned says that a task was broken into steps.
type Planned struct {
	Goal  string
	Steps []string
}

// Stepped says how one step of a task ended.
type Stepped struct {
	Goal    string
	Step    int // from 1
	Of      int
	Do      string
	Tool    string // "" where it took none
	Outcome string // "done", "failed", "waiting" (for the user's word) or "unsure"
	Took    time.Duration
}

// Criticised says what a look at the finished steps found.
type Criticised struct {
	Goal    string
	Good    bool
	Missing string // what is left to do, where it is not good
	Added   int    // steps that were added for it
}

// events tell the bus. Nobody is told where there is none.
type events struct {
	planned    func(context.Context, Planned)
	stepped    func(context.Context, Stepped)
	criticised func(context.Context, Criticised)
}

func newEvents(b *bus.Bus) events {
	return events{teller[Planned](b), teller[Stepped](b), teller[Criticised](b)}
}

func teller[T any](b *bus.Bus) func(context.Context, T) {
	if b == nil {
		return func(context.Context, T) {}
	}
	pub := bus.Publisher[T](b, "agent")
	return func(ctx context.Context, v T) {
		// It fails only when the work was given up, and then nobody waits for it.
		_ = pub.Publish(ctx, v)
	}
}
