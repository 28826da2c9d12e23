package rows

import (
	"context"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// PutTimer stores a timer or an alarm: a new one where its ID is 0, else over the one of that ID where there is one.
func (o *Own) PutTimer(ctx context.Context, t Timer) (Timer, error) {
	t.UserID, t.Text, t.Every, t.Zone = o.user, plain(t.Text), plain(t.Every), plain(t.Zone)
	err := o.change(ctx, "storing a "+t.Kind, func(q *gen.Queries) (err error) {
		if t.ID, err = o.identify(ctx, q, t.ID); err == nil {
			t, err = q.PutTimer(ctx, gen.PutTimerParams(t))
		}
		return err
	})
	return t, err
}

// Timer gives one timer or alarm, or ErrNone.
func (o *Own) Timer(ctx context.Context, id int64) (Timer, error) {
	t, err := o.db.read.GetTimer(ctx, gen.GetTimerParams{UserID: o.user, ID: id})
	return t, fault("reading a timer", err)
}

// Timers lists the timers and alarms in a state, the soonest first.
func (o *Own) Timers(ctx context.Context, state string) ([]Timer, error) {
	t, err := o.db.read.ListTimers(ctx, gen.ListTimersParams{UserID: o.user, State: state})
	return t, fault("listing timers", err)
}

// PutReminder stores a reminder: a new one where its ID is 0, else over the one of that ID where there is one.
func (o *Own) PutReminder(ctx context.Context, r Reminder) (Reminder, error) {
	r.UserID, r.Text, r.Every, r.Zone = o.user, plain(r.Text), plain(r.Every), plain(r.Zone)
	err := o.change(ctx, "storing a reminder", func(q *gen.Queries) (err error) {
		if r.ID, err = o.identify(ctx, q, r.ID); err == nil {
			r, err = q.PutReminder(ctx, gen.PutReminderParams(r))
		}
		return err
	})
	return r, err
}

// Reminder gives one reminder, or ErrNone.
func (o *Own) Reminder(ctx context.Context, id int64) (Reminder, error) {
	r, err := o.db.read.GetReminder(ctx, gen.GetReminderParams{UserID: o.user, ID: id})
	return r, fault("reading a reminder", err)
}

// Reminders lists the reminders in a state, the soonest first.
func (o *Own) Reminders(ctx context.Context, state string) ([]Reminder, error) {
	r, err := o.db.read.ListReminders(ctx, gen.ListRemindersParams{UserID: o.user, State: state})
	return r, fault("listing reminders", err)
}

// AddTurn stores a turn and gives it back with its ID.
func (o *Own) AddTurn(ctx context.Context, t Turn) (Turn, error) {
	t.UserID, t.Heard, t.Reply, t.Spoken, t.Outcome = o.user, plain(t.Heard), plain(t.Reply), plain(t.Spoken), plain(t.Outcome)
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
	return Tally(t), fault("counting", err)
}
