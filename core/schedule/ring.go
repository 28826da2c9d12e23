package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// ring is a promise whose time has come, until its row says what became of it.
type ring struct {
	p      Promise
	how    event.Telling
	since  time.Time
	told   bool     // Due took it
	said   bool     // a receipt says that it was delivered
	late   bool     // it was missed: it is said once, and the rest is for the other channels
	mute   bool     // whoever told it could not; the other channels need not wait
	passed bool     // on to the other channels
	took   []string // other channels that took it before Solo ended
	still  bool     // it was answered
	over   *Change  // what is to be stored, where that failed

	busy  bool // it is being carried out
	tries int
}

// Ringing lists what rings now, the first first.
func (b *Book) Ringing() []Promise {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Promise
	for _, r := range b.rings {
		if !r.still && r.p.Kind.rings() {
			out = append(out, r.p)
		}
	}
	slices.SortFunc(out, soonest)
	return out
}

// Rings tells whether a promise that came due still rings.
func (b *Book) Rings(e event.Due) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.rings[key{Kind(e.Kind), e.ID}]
	return r != nil && !r.still
}

// Stop answers all that rings and returns it as it rang. A recurring promise waits for its next time, others are done.
// It falls silent even where storing fails; Serve tries that again.
func (b *Book) Stop(ctx context.Context) ([]Promise, error) {
	return b.answer(ctx, Acknowledged, b.Ringing, done)
}

// done is what becomes of a promise that was answered.
func done(p Promise) Promise { return p.settled(false) }

// Answered notes that somebody is there who has heard what was said before a moment: reminders said by then ring no more.
// Timers and alarms ring until they are stopped.
func (b *Book) Answered(ctx context.Context, before time.Time) error {
	_, err := b.answer(ctx, Acknowledged, func() []Promise {
		var out []Promise
		for _, r := range b.each() {
			if r.p.Kind == Reminder && r.said && !r.still && r.since.Before(before) {
				out = append(out, r.p)
			}
		}
		return out
	}, done)
	return err
}

// Snooze lets all that rings ring again after d, which is more than 0, and returns it with its new time.
func (b *Book) Snooze(ctx context.Context, d time.Duration) ([]Promise, error) {
	if d <= 0 {
		return nil, ErrPast
	}
	if d > horizon {
		return nil, ErrTooFar
	}
	later := func(p Promise) Promise {
		p.At, p.State = tidy(b.c.Now().Add(d), p.At.Location()), Waiting
		return p
	}
	rang, err := b.answer(ctx, Snoozed, b.Ringing, later)
	for i, p := range rang {
		rang[i] = later(p)
	}
	return rang, err
}

func (b *Book) answer(ctx context.Context, as Step, which func() []Promise, become func(Promise) Promise) ([]Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	rang := which()
	var failed []error
	for _, p := range rang {
		failed = append(failed, b.settle(ctx, keyOf(p), Change{[]Promise{become(p)}, []Receipt{p.receipt(as, channel(ctx), b.c.Now())}}))
	}
	return rang, errors.Join(failed...)
}

// settle silences a ring and stores what became of it. Where storing fails the ring is held, still, so that the row,
// which is due yet, does not ring it anew.
func (b *Book) settle(ctx context.Context, k key, c Change) error {
	b.mu.Lock()
	if r := b.rings[k]; r != nil {
		r.over = &c
	}
	b.mu.Unlock()
	b.hush(k)
	if err := b.c.Rows.Put(ctx, c); err != nil {
		return fmt.Errorf("storing that %s %d was answered: %w", k.kind, k.id, err)
	}
	b.drop(k)
	b.nudge()
	return nil
}

// hold begins a ring.
func (b *Book) hold(r ring) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rings[keyOf(r.p)] = &r
}

// alter changes a ring, where there is one yet.
func (b *Book) alter(k key, change func(r *ring)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.rings[k]; r != nil {
		change(r)
	}
}

// held tells whether a promise has rung and is not stored as over.
func (b *Book) held(k key) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rings[k] != nil
}

// drop ends a ring.
func (b *Book) drop(k key) {
	b.hush(k)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.rings, k)
}

// hush makes a ring still, and says so where it was the last that sounded.
func (b *Book) hush(k key) {
	b.mu.Lock()
	r := b.rings[k]
	sounded := r != nil && !r.still && r.p.Kind.rings()
	if sounded {
		r.still = true
		b.fade(r.p)
	}
	last := sounded
	for _, other := range b.rings {
		last = last && (other.still || !other.p.Kind.rings())
	}
	b.mu.Unlock()
	if last {
		b.c.Quiet()
	}
}

// each gives a copy of the rings, the first due first.
func (b *Book) each() []ring {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []ring
	for _, r := range b.rings {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y ring) int { return soonest(x.p, y.p) })
	return out
}

func soonest(a, b Promise) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	return int(a.ID - b.ID)
}
