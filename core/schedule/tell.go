package schedule

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/core/event"
)

// Telling notes that what is due begins to be told; call it just before the first sound. Should Solo end before Told, it
// is told again, as a repeat.
func (b *Book) Telling(ctx context.Context, es ...event.Due) error {
	return b.note(ctx, Begun, "", es, func(r *ring) { r.since = b.c.Now() })
}

// Told notes that what is due was told: Spoken or Shown, and through which channel. It is never told a first time again.
func (b *Book) Told(ctx context.Context, s Step, channel string, es ...event.Due) error {
	now := b.c.Now()
	err := b.note(ctx, s, channel, es, func(r *ring) { r.said, r.since = true, now })
	for _, e := range es {
		if b.c.policy(Kind(e.Kind)) == All && e.Late > grace {
			b.further(ctx, e)
		}
	}
	return err
}

// further goes on to the next missed time of a recurrence whose missed times are all to be told.
func (b *Book) further(ctx context.Context, e event.Due) {
	b.rows.Lock()
	defer b.rows.Unlock()
	now := b.c.Now()
	for _, r := range b.each() {
		if !r.of(e) || r.p.Every == "" {
			continue
		}
		if next := r.p.settled(true); next.State == Waiting && next.due(now) {
			if err := b.settle(ctx, keyOf(r.p), Change{Promises: []Promise{next}}); err != nil {
				b.c.Log.Error().Err(err).Msg("will be stored later")
			}
		}
	}
}

// Untold notes that what is due could not be told through a channel. Others take it at once.
func (b *Book) Untold(ctx context.Context, channel string, why error, es ...event.Due) error {
	err := b.record(ctx, Failed, channel, why.Error(), es, func(r *ring) { r.mute = true })
	b.nudge()
	return err
}

func (b *Book) note(ctx context.Context, s Step, channel string, es []event.Due, change func(*ring)) error {
	return b.record(ctx, s, channel, "", es, change)
}

// record changes the rings of some events and stores a receipt for each, in one change. A receipt that cannot be stored
// now is stored later.
func (b *Book) record(ctx context.Context, s Step, channel, note string, es []event.Due, change func(*ring)) error {
	now := b.c.Now()
	var receipts []Receipt
	for _, e := range es {
		b.alter(key{Kind(e.Kind), e.ID}, func(r *ring) {
			if r.of(e) {
				change(r)
			}
		})
		p := Promise{Kind: Kind(e.Kind), ID: e.ID, At: e.At}
		r := p.receipt(s, channel, now)
		r.Again, r.Note = e.How == event.Again, note
		receipts = append(receipts, r)
	}
	return b.file(context.WithoutCancel(ctx), receipts)
}

// file stores receipts, now or later.
func (b *Book) file(ctx context.Context, receipts []Receipt) error {
	err := b.c.Rows.Put(ctx, Change{Receipts: receipts})
	if err != nil {
		b.mu.Lock()
		b.owed = append(b.owed, receipts...)
		b.mu.Unlock()
		return fmt.Errorf("storing receipts: %w", err)
	}
	return nil
}

// repay stores the receipts that could not be stored before.
func (b *Book) repay(ctx context.Context) {
	b.mu.Lock()
	owed := b.owed
	b.owed = nil
	b.mu.Unlock()
	if len(owed) > 0 {
		_ = b.file(ctx, owed) // which keeps them
	}
}

// of tells whether a ring is the one that an event told of.
func (r *ring) of(e event.Due) bool {
	return r.p.ID == e.ID && r.p.Kind == Kind(e.Kind) && r.p.At.Equal(e.At)
}

// tell hands each new ring to Due, or to whoever carries it out.
func (b *Book) tell(ctx context.Context) {
	for _, r := range b.each() {
		if r.told || r.over != nil || r.busy || ctx.Err() != nil {
			continue
		}
		now := b.c.Now()
		e := r.p.event(r.how, now)
		if !r.p.Kind.rings() {
			if d := b.carrier(r.p.Kind); d != nil && (r.tries == 0 || b.rung(r, now) >= again) {
				b.alter(keyOf(r.p), func(r *ring) { r.busy = true })
				b.work.Go(func() { b.carry(ctx, d, e) })
			}
			continue
		}
		if err := b.c.Due(ctx, e); err != nil {
			b.c.Log.Warn().Err(err).Int64("id", e.ID).Str("kind", e.Kind).Msg("due, but nobody could be told yet")
			continue
		}
		b.alter(keyOf(r.p), func(r *ring) {
			if r.told = true; !r.said {
				r.since = now
			}
		})
	}
}
