package rows

import (
	"context"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Promises are rows to store together. One whose ID is 0 is new; the others go over the one of their ID where there is
// one. Receipts are always new.
type Promises struct {
	Timers    []Timer
	Reminders []Reminder
	Plans     []Plan
	Receipts  []Receipt
}

// PutPromises stores all of them or nothing, and gives them back with their IDs.
func (o *Own) PutPromises(ctx context.Context, p Promises) (Promises, error) {
	var out Promises
	err := o.change(ctx, "storing promises", func(q *gen.Queries) error {
		out = Promises{}
		for _, t := range p.Timers {
			id, err := o.identify(ctx, q, t.ID)
			if err != nil {
				return err
			}
			t.ID, t.UserID, t.Text, t.Every, t.Zone = id, o.user, plain(t.Text), plain(t.Every), plain(t.Zone)
			if t, err = q.PutTimer(ctx, gen.PutTimerParams(t)); err != nil {
				return err
			}
			out.Timers = append(out.Timers, t)
		}
		for _, r := range p.Reminders {
			id, err := o.identify(ctx, q, r.ID)
			if err != nil {
				return err
			}
			r.ID, r.UserID, r.Text, r.Every, r.Zone = id, o.user, plain(r.Text), plain(r.Every), plain(r.Zone)
			if r, err = q.PutReminder(ctx, gen.PutReminderParams(r)); err != nil {
				return err
			}
			out.Reminders = append(out.Reminders, r)
		}
		for _, r := range p.Plans {
			id, err := o.identify(ctx, q, r.ID)
			if err != nil {
				return err
			}
			r.ID, r.UserID, r.Text, r.Every, r.Zone = id, o.user, plain(r.Text), plain(r.Every), plain(r.Zone)
			if r, err = q.PutPlan(ctx, gen.PutPlanParams(r)); err != nil {
				return err
			}
			out.Plans = append(out.Plans, r)
		}
		return o.addReceipts(ctx, q, p.Receipts)
	})
	return out, err
}

func (o *Own) addReceipts(ctx context.Context, q *gen.Queries, all []Receipt) error {
	for _, r := range all {
		id, err := o.identify(ctx, q, 0)
		if err != nil {
			return err
		}
		r.ID, r.UserID, r.Channel, r.Note = id, o.user, plain(r.Channel), plain(r.Note)
		if err := q.AddReceipt(ctx, gen.AddReceiptParams(r)); err != nil {
			return err
		}
	}
	return nil
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

// Plan gives one briefing or routine of the clock's, or ErrNone.
func (o *Own) Plan(ctx context.Context, id int64) (Plan, error) {
	r, err := o.db.read.GetPlan(ctx, gen.GetPlanParams{UserID: o.user, ID: id})
	return r, fault("reading a plan", err)
}

// Plans lists the briefings and routines in a state, the soonest first.
func (o *Own) Plans(ctx context.Context, state string) ([]Plan, error) {
	r, err := o.db.read.ListPlans(ctx, gen.ListPlansParams{UserID: o.user, State: state})
	return r, fault("listing plans", err)
}

// ReceiptsOf gives the receipts of a promise at one of its times, in their order.
func (o *Own) ReceiptsOf(ctx context.Context, promise, at int64) ([]Receipt, error) {
	r, err := o.db.read.ReceiptsOf(ctx, gen.ReceiptsOfParams{UserID: o.user, Promise: promise, At: at})
	return r, fault("reading receipts", err)
}

// Receipts gives the last n receipts before the one of an ID, the newest first.
func (o *Own) Receipts(ctx context.Context, n int32, before int64) ([]Receipt, error) {
	r, err := o.db.read.ListReceipts(ctx, gen.ListReceiptsParams{UserID: o.user, ID: before, Limit: n})
	return r, fault("listing receipts", err)
}
