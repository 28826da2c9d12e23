package schedule

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

const (
	again = time.Minute // after which what failed is carried out once more
	tries = 3
)

// carrier is who carries out promises of a kind; nil for nobody.
func (b *Book) carrier(k Kind) Deliverer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.plans[k]
}

// carry has a plan carried out and stores what came of it. What ends with Solo is taken up by the next start.
func (b *Book) carry(ctx context.Context, d Deliverer, e event.Due) {
	if err := b.note(ctx, Begun, "", []event.Due{e}, func(*ring) {}); err != nil {
		b.c.Log.Error().Err(err).Msg("will be stored later")
	}
	err := d.Deliver(ctx, e)
	if err != nil && ctx.Err() != nil {
		return
	}
	k, now := key{Kind(e.Kind), e.ID}, b.c.Now()
	var held *ring
	b.alter(k, func(r *ring) {
		if r.of(e) {
			r.busy, r.since, r.tries = false, now, r.tries+1
			copied := *r
			held = &copied
		}
	})
	if held == nil {
		return // cancelled meanwhile
	}
	receipt := held.p.receipt(Ran, "", now)
	receipt.Again = e.How == event.Again
	if err != nil {
		b.c.Log.Warn().Err(err).Int64("id", e.ID).Str("kind", e.Kind).Int("try", held.tries).Msg("not carried out")
		receipt.Step, receipt.Note = Failed, err.Error()
		if held.tries < tries {
			_ = b.file(context.WithoutCancel(ctx), []Receipt{receipt}) // kept and stored later
			b.nudge()
			return
		}
	}
	b.rows.Lock()
	defer b.rows.Unlock()
	c := Change{[]Promise{held.p.settled(err != nil)}, []Receipt{receipt}}
	if err := b.settle(context.WithoutCancel(ctx), k, c); err != nil {
		b.c.Log.Error().Err(err).Msg("will be stored later")
	}
}
