package rows

import (
	"context"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// AddTurn stores a turn and gives it back with its ID.
func (o *Own) AddTurn(ctx context.Context, t Turn) (Turn, error) {
	t.UserID, t.Heard, t.Reply, t.Spoken, t.Outcome = o.user, o.discreet(plain(t.Heard)), o.discreet(plain(t.Reply)), o.discreet(plain(t.Spoken)), plain(t.Outcome)
	err := o.change(ctx, "storing a turn", func(q *gen.Queries) (err error) {
		if t.ID, err = o.identify(ctx, q, 0); err == nil {
			t, err = q.AddTurn(ctx, gen.AddTurnParams(t))
		}
		return err
	})
	return t, err
}

// Turns gives the last n turns before the one of an ID, the newest first.
func (o *Own) Turns(ctx context.Context, n int32, before int64) ([]Turn, error) {
	t, err := o.db.read.ListTurns(ctx, gen.ListTurnsParams{UserID: o.user, ID: before, Limit: n})
	return t, fault("listing turns", err)
}

// Tally counts what is kept: facts, open tasks, timers and reminders that wait or ring.
func (o *Own) Tally(ctx context.Context) (Tally, error) {
	t, err := o.db.read.Tally(ctx, o.user)
	return t, fault("counting", err)
}
