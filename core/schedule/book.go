package schedule

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/event"
)

// Rows keeps the promises of one user. A row is found by Kind and ID.
type Rows interface {
	// Insert stores a new promise and gives it back with its ID.
	Insert(ctx context.Context, p Promise) (Promise, error)
	// Put stores a promise as it is, over the one of its Kind and ID where there is one.
	Put(ctx context.Context, p Promise) error
	// Get gives one promise, or ErrUnknown.
	Get(ctx context.Context, kind Kind, id int64) (Promise, error)
	// In lists the promises in a state, the soonest first.
	In(ctx context.Context, s State) ([]Promise, error)
}

// Config is what a Book is made of.
type Config struct {
	Rows Rows `toml:"-"`
	// Now tells the time in the user's zone; nil is time.Now.
	Now func() time.Time `toml:"-"`
	// Due is called once for every promise that is due, with how late it is; it returns quickly. After an error it is
	// called again.
	Due func(ctx context.Context, e event.Due) error `toml:"-"`
	// Quiet is called when the last ringing promise went silent, by whatever way; nil for nobody.
	Quiet func()         `toml:"-"`
	Log   zerolog.Logger `toml:"-"`
	// RingFor is how long an unanswered promise rings; 0 is two minutes.
	RingFor time.Duration `toml:"ring_for" default:"2m" min:"1s" max:"1h" doc:"how long a timer, alarm or reminder rings when nobody answers"`
}

// Book holds the promises of one user.
type Book struct {
	c    Config
	rows sync.Mutex // one change of rows at a time: each reads, decides and writes
	wake chan struct{}

	mu    sync.Mutex // guards rings alone, so that Ringing never waits for the disk
	rings map[key]*ring
}

type key struct {
	kind Kind
	id   int64
}

func keyOf(p Promise) key { return key{p.Kind, p.ID} }

// New builds a Book. Promises can be changed at once; they ring while Serve runs.
func New(c Config) *Book {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.RingFor <= 0 {
		c.RingFor = 2 * time.Minute
	}
	if c.Due == nil {
		c.Due = func(context.Context, event.Due) error { return nil }
	}
	if c.Quiet == nil {
		c.Quiet = func() {}
	}
	return &Book{c: c, wake: make(chan struct{}, 1), rings: map[key]*ring{}}
}

// Add promises a time: At, or Length from now, or the first of Every after now. It returns what was stored.
// Errors: ErrKind, ErrNoTime, ErrPast, ErrTooFar, ErrTooLong, ErrRule, ErrNever, ErrZone, or the rows' own.
func (b *Book) Add(ctx context.Context, p Promise) (Promise, error) {
	p, err := complete(p, b.c.Now())
	if err != nil {
		return Promise{}, err
	}
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err = b.c.Rows.Insert(ctx, p)
	if err != nil {
		return Promise{}, fmt.Errorf("storing the %s: %w", p.Kind, err)
	}
	b.nudge()
	return p, nil
}

// Waiting lists what is to ring later, the soonest first, of the given kinds or of all.
func (b *Book) Waiting(ctx context.Context, kinds ...Kind) ([]Promise, error) {
	all, err := b.c.Rows.In(ctx, Waiting)
	if err != nil {
		return nil, fmt.Errorf("listing what waits: %w", err)
	}
	return slices.DeleteFunc(all, func(p Promise) bool {
		return len(kinds) > 0 && !slices.Contains(kinds, p.Kind) || b.held(keyOf(p))
	}), nil
}

// Cancel takes a waiting or ringing promise back and returns it as it was, ready for Restore.
// It is ErrUnknown where there is none or it is over already.
func (b *Book) Cancel(ctx context.Context, kind Kind, id int64) (Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err := b.open(ctx, kind, id)
	if err != nil {
		return Promise{}, err
	}
	gone := p
	gone.State = Cancelled
	if err := b.put(ctx, gone); err != nil {
		return Promise{}, err
	}
	return p, nil
}

// Restore puts a promise back as Cancel, Stop or Waiting returned it. What was ringing waits again, and so is due at once.
func (b *Book) Restore(ctx context.Context, p Promise) error {
	if p.State == Ringing {
		p.State = Waiting
	}
	b.rows.Lock()
	defer b.rows.Unlock()
	return b.put(ctx, p)
}

// Extend gives a timer or an alarm more time, or less where by is negative. A ringing timer goes on for by from now.
// It is ErrPast where no time would be left.
func (b *Book) Extend(ctx context.Context, id int64, by time.Duration) (Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err := b.open(ctx, Timer, id)
	if err != nil {
		return Promise{}, err
	}
	now := b.c.Now()
	base := p.At
	if p.due(now) {
		base = now
	}
	p.At, p.State = tidy(base.Add(by), p.At.Location()), Waiting
	if p.due(now) {
		return Promise{}, ErrPast
	}
	if p.At.Sub(now) > horizon {
		return Promise{}, ErrTooFar
	}
	if p.Kind == Timer {
		p.Length += by
	}
	return p, b.put(ctx, p)
}

// open reads a promise that is not over.
func (b *Book) open(ctx context.Context, kind Kind, id int64) (Promise, error) {
	p, err := b.c.Rows.Get(ctx, kind, id)
	if err != nil {
		return Promise{}, fmt.Errorf("looking up %s %d: %w", kind, id, err)
	}
	if p.State == Done || p.State == Cancelled {
		return Promise{}, fmt.Errorf("%s %d is over: %w", kind, id, ErrUnknown)
	}
	return p, nil
}

// put stores a promise that no longer rings and lets Serve look again.
func (b *Book) put(ctx context.Context, p Promise) error {
	if err := b.c.Rows.Put(ctx, p); err != nil {
		return fmt.Errorf("storing %s %d: %w", p.Kind, p.ID, err)
	}
	b.drop(keyOf(p))
	b.nudge()
	return nil
}

// nudge wakes Serve; one waiting nudge is enough.
func (b *Book) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
