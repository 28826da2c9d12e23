package schedule

import (
	"context"
	"slices"

	"github.com/solo-assistant/solo/core/event"
)

// escalate has told again, and through further channels, what nobody answers.
func (b *Book) escalate(ctx context.Context) {
	for _, r := range b.each() {
		now := b.c.Now()
		if !r.told || r.still || r.passed || !r.p.Kind.rings() || r.over != nil || !r.mute && !b.unanswered(r) {
			continue
		}
		b.alter(keyOf(r.p), func(r *ring) { r.passed = true })
		e := r.p.event(event.Still, now)
		// A timer or an alarm still sounds, and what was missed is said once.
		if r.p.Kind == Reminder && r.said && !r.late && !r.mute {
			if err := b.c.Due(ctx, e); err != nil {
				b.c.Log.Warn().Err(err).Int64("id", e.ID).Msg("a reminder could not be told again")
			}
		}
		for _, c := range b.c.Channels {
			if !slices.Contains(r.took, c.Name()) {
				b.work.Go(func() { b.pass(ctx, c, e) })
			}
		}
	}
}

// unanswered tells whether nobody has answered for long enough.
func (b *Book) unanswered(r ring) bool {
	return b.c.EscalateAfter > 0 && b.rung(r, b.c.Now()) >= b.c.EscalateAfter
}

// pass hands a promise to a channel and stores its receipt.
func (b *Book) pass(ctx context.Context, c Channel, e event.Due) {
	err := c.Send(ctx, e)
	if err != nil && ctx.Err() != nil {
		return // sent at the next start
	}
	p := Promise{Kind: Kind(e.Kind), ID: e.ID, At: e.At}
	r := p.receipt(Escalated, c.Name(), b.c.Now())
	if err != nil {
		b.c.Log.Warn().Err(err).Str("channel", c.Name()).Int64("id", e.ID).Str("kind", e.Kind).Msg("nobody answered, and the channel did not take it")
		r.Step, r.Note = Failed, err.Error()
	}
	if err := b.file(context.WithoutCancel(ctx), []Receipt{r}); err != nil {
		b.c.Log.Error().Err(err).Msg("will be stored later")
	}
}
