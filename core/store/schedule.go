package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Schedule is schedule.Rows: timers and alarms in one table, reminders in another,
// briefings and routines in a third.
type Schedule struct{ own *rows.Own }

var _ schedule.Rows = Schedule{}

// Schedule lends the rows to package schedule.
func (s *Store) Schedule() Schedule { return Schedule{s.own} }

// Insert stores a new promise.
func (r Schedule) Insert(ctx context.Context, p schedule.Promise) (schedule.Promise, error) {
	p.ID = 0
	put, err := r.own.PutPromises(ctx, promises(p))
	switch {
	case err != nil:
		return p, err
	case len(put.Timers) > 0:
		return timer(put.Timers[0]), nil
	case len(put.Reminders) > 0:
		return reminder(put.Reminders[0]), nil
	}
	return plan(put.Plans[0]), nil
}

// Put stores promises under their Kind and ID, and new receipts.
func (r Schedule) Put(ctx context.Context, c schedule.Change) error {
	for _, p := range c.Promises {
		if p.ID <= 0 {
			return schedule.ErrUnknown
		}
	}
	rs := promises(c.Promises...)
	for _, x := range c.Receipts {
		rs.Receipts = append(rs.Receipts, rows.Receipt{Kind: string(x.Kind), Promise: x.Promise, At: rows.Millis(x.At), Step: string(x.Step),
			Channel: x.Channel, Made: rows.Millis(x.Made), LateMs: x.Late.Milliseconds(), Again: x.Again, Note: shortened(x.Note)})
	}
	_, err := r.own.PutPromises(ctx, rs)
	return err
}

// maxNote is the longest note of a receipt, in bytes.
const maxNote = 500

func shortened(note string) string { return strings.ToValidUTF8(note[:min(len(note), maxNote)], "") }

// promises sorts promises into their tables.
func promises(all ...schedule.Promise) (out rows.Promises) {
	for _, p := range all {
		at, first, created := rows.Millis(p.At), rows.Maybe(p.From), rows.Millis(p.Created)
		switch p.Kind {
		case schedule.Reminder:
			out.Reminders = append(out.Reminders, rows.Reminder{ID: p.ID, Text: p.Text, At: at, Every: p.Every, Zone: p.Zone,
				FirstAt: first, State: string(p.State), Missed: p.Missed, Created: created})
		case schedule.Briefing, schedule.Routine:
			out.Plans = append(out.Plans, rows.Plan{ID: p.ID, Kind: string(p.Kind), Text: p.Text, At: at, Every: p.Every, Zone: p.Zone,
				FirstAt: first, State: string(p.State), Missed: p.Missed, Created: created})
		default:
			out.Timers = append(out.Timers, rows.Timer{ID: p.ID, Kind: string(p.Kind), Text: p.Text, At: at, LengthUs: p.Length.Microseconds(),
				Every: p.Every, Zone: p.Zone, FirstAt: first, State: string(p.State), Missed: p.Missed, Created: created})
		}
	}
	return out
}

// Get gives one promise, or schedule.ErrUnknown. A timer or an alarm is found as
// either, and so is a briefing or a routine.
func (r Schedule) Get(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error) {
	switch kind {
	case schedule.Reminder:
		row, err := r.own.Reminder(ctx, id)
		return reminder(row), absent(err, schedule.ErrUnknown)
	case schedule.Briefing, schedule.Routine:
		row, err := r.own.Plan(ctx, id)
		return plan(row), absent(err, schedule.ErrUnknown)
	}
	row, err := r.own.Timer(ctx, id)
	return timer(row), absent(err, schedule.ErrUnknown)
}

// In lists the promises in a state, the soonest first.
func (r Schedule) In(ctx context.Context, s schedule.State) ([]schedule.Promise, error) {
	timers, err := r.own.Timers(ctx, string(s))
	if err != nil {
		return nil, err
	}
	reminders, err := r.own.Reminders(ctx, string(s))
	if err != nil {
		return nil, err
	}
	plans, err := r.own.Plans(ctx, string(s))
	if err != nil {
		return nil, err
	}
	var out []schedule.Promise
	for _, row := range plans {
		out = append(out, plan(row))
	}
	for _, row := range timers {
		out = append(out, timer(row))
	}
	for _, row := range reminders {
		out = append(out, reminder(row))
	}
	slices.SortStableFunc(out, func(a, b schedule.Promise) int { return a.At.Compare(b.At) })
	return out, nil
}

// Receipts gives those of a promise at one of its times, in their order.
func (r Schedule) Receipts(ctx context.Context, _ schedule.Kind, id int64, at time.Time) ([]schedule.Receipt, error) {
	list, err := r.own.ReceiptsOf(ctx, id, rows.Millis(at))
	return receipts(list), err
}

// History gives the last n receipts before the one of an ID, the newest first.
func (r Schedule) History(ctx context.Context, n int, before int64) ([]schedule.Receipt, error) {
	list, err := r.own.Receipts(ctx, int32(min(n, 1<<30)), before)
	return receipts(list), err
}

func receipts(list []rows.Receipt) []schedule.Receipt {
	var out []schedule.Receipt
	for _, x := range list {
		out = append(out, schedule.Receipt{ID: x.ID, Kind: schedule.Kind(x.Kind), Promise: x.Promise, At: rows.Time(x.At), Step: schedule.Step(x.Step),
			Channel: x.Channel, Made: rows.Time(x.Made), Late: time.Duration(x.LateMs) * time.Millisecond, Again: x.Again, Note: x.Note})
	}
	return out
}

func timer(row rows.Timer) schedule.Promise {
	return local(schedule.Promise{ID: row.ID, Kind: schedule.Kind(row.Kind), Text: row.Text, At: rows.Time(row.At),
		Length: time.Duration(row.LengthUs) * time.Microsecond, Every: row.Every, Zone: row.Zone, From: rows.Time(row.FirstAt.Int64),
		State: schedule.State(row.State), Missed: row.Missed, Created: rows.Time(row.Created)})
}

func reminder(row rows.Reminder) schedule.Promise {
	return local(schedule.Promise{ID: row.ID, Kind: schedule.Reminder, Text: row.Text, At: rows.Time(row.At),
		Every: row.Every, Zone: row.Zone, From: rows.Time(row.FirstAt.Int64),
		State: schedule.State(row.State), Missed: row.Missed, Created: rows.Time(row.Created)})
}

func plan(row rows.Plan) schedule.Promise {
	return local(schedule.Promise{ID: row.ID, Kind: schedule.Kind(row.Kind), Text: row.Text, At: rows.Time(row.At),
		Every: row.Every, Zone: row.Zone, From: rows.Time(row.FirstAt.Int64),
		State: schedule.State(row.State), Missed: row.Missed, Created: rows.Time(row.Created)})
}

// local gives a promise's times in its zone; a zone that this machine no longer knows leaves them in UTC.
func local(p schedule.Promise) schedule.Promise {
	zone, err := time.LoadLocation(p.Zone)
	if err != nil {
		return p
	}
	for _, at := range []*time.Time{&p.At, &p.From, &p.Created} {
		if !at.IsZero() {
			*at = at.In(zone)
		}
	}
	return p
}
