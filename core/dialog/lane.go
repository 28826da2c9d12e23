package dialog

import (
	"context"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/supervise"
)

// mailbox keeps orders in their sequence. It never makes the sender wait, because the sender is the
// goroutine that reads the microphone.
type mailbox struct {
	mu   *sync.Mutex
	todo *[]order
	bell chan struct{}
}

// order is one thing to do in the lane, as part of a turn.
type order struct {
	turn uint64
	do   func(ctx context.Context)
}

func newMailbox() mailbox {
	return mailbox{mu: new(sync.Mutex), todo: new([]order), bell: make(chan struct{}, 1)}
}

func (m mailbox) put(o order) {
	m.mu.Lock()
	*m.todo = append(*m.todo, o)
	m.mu.Unlock()
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

func (m mailbox) take() (order, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(*m.todo) == 0 {
		return order{}, false
	}
	o := (*m.todo)[0]
	*m.todo = (*m.todo)[1:]
	return o, true
}

func (m mailbox) waiting() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(*m.todo) > 0
}

// Serve carries out one order after the other until ctx ends.
func (d *Conductor) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	for {
		for o, ok := d.box.take(); ok && ctx.Err() == nil; o, ok = d.box.take() {
			d.carryOut(ctx, o)
		}
		if len(d.due) > 0 && d.State() != event.Listening && ctx.Err() == nil {
			d.carryOut(ctx, order{do: d.ring})
			continue
		}
		select {
		case <-d.box.bell:
		case <-ctx.Done():
			return nil
		}
	}
}

// carryOut runs one order under a ctx that Interrupt can end and that names its turn on the bus.
func (d *Conductor) carryOut(ctx context.Context, o order) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if o.turn == 0 {
		ctx, _ = bus.NewTurn(ctx)
	} else {
		ctx = bus.With(ctx, &bus.Meta{Turn: o.turn})
	}
	d.mu.Lock()
	d.end = end
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		d.end = nil
		d.mu.Unlock()
	}()
	o.do(ctx)
}

// Interrupt ends the turn under way, if there is one, with its cause.
func (d *Conductor) Interrupt(cause error) {
	d.mu.Lock()
	end := d.end
	d.mu.Unlock()
	if end != nil {
		end(cause)
	}
}

// Woke opens the user's turn: whatever Solo was saying ends now.
func (d *Conductor) Woke(hit audio.Hit, at time.Duration) {
	_, id := bus.NewTurn(context.Background())
	d.mu.Lock()
	d.turn = id
	d.mu.Unlock()
	d.Interrupt(ErrBargeIn)
	d.box.put(order{turn: id, do: func(ctx context.Context) {
		d.enter(ctx, event.Listening)
		_ = d.out.woke.Publish(ctx, event.Woke{Word: hit.Word, Score: hit.Score, At: at})
		d.cue(ctx, d.cfg.WakeCue)
	}})
}

// Partial tells what has been heard so far.
func (d *Conductor) Partial(text string, stable bool) {
	d.box.put(order{turn: d.open(), do: func(ctx context.Context) {
		_ = d.out.partial.Publish(ctx, event.Partial{Text: text, Stable: stable})
	}})
}

// Missed closes a turn in which nothing was said.
func (d *Conductor) Missed(why string) {
	d.box.put(order{turn: d.open(), do: func(ctx context.Context) {
		_ = d.out.misheard.Publish(ctx, event.Misheard{Why: why})
		_ = d.out.turned.Publish(ctx, event.Turned{Outcome: "misheard"})
		d.resume(ctx)
		d.rest(ctx)
	}})
}

// Hear answers a finished utterance.
func (d *Conductor) Hear(u Utterance) {
	d.busy.Add(1)
	d.box.put(order{turn: d.open(), do: func(ctx context.Context) {
		defer d.busy.Add(-1)
		d.converse(ctx, u)
	}})
}

// Due rings for a promise whose time has come, at the next quiet moment. It never fails; the error
// is there because whoever keeps promises must be told where one cannot be taken.
func (d *Conductor) Due(_ context.Context, e event.Due) error {
	d.box.put(order{do: func(context.Context) { d.due = append(d.due, &bell{Due: e, known: e.How == event.On}) }})
	return nil
}

// Busy says whether a turn is being thought or spoken.
func (d *Conductor) Busy() bool { return d.busy.Load() > 0 }

// State is what the conversation is doing now.
func (d *Conductor) State() event.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}

// Last is the last answer, "" before the first.
func (d *Conductor) Last() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

func (d *Conductor) open() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turn
}

func (d *Conductor) enter(ctx context.Context, s event.State) {
	d.mu.Lock()
	changed := d.state != s
	d.state = s
	d.mu.Unlock()
	if changed {
		_ = d.out.state.Publish(ctx, event.StateChanged{State: s})
	}
}

// rest goes back to waiting for the user.
func (d *Conductor) rest(ctx context.Context) {
	if d.cfg.Ears.Muted() {
		d.enter(ctx, event.Muted)
		return
	}
	d.enter(ctx, event.Idle)
}
