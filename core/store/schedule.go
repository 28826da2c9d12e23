package store

import (
	"context"
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Schedule is schedule.Rows: timers and alarms in one table, reminders in another.
type Schedule struct{ own *rows.Own }

var _ schedule.Rows = Schedule{}

// Schedule lends the rows to package schedule.
func (s *Store) Schedule() Schedule { return Schedule{s.own} }

// Insert stores a new promise.
func (r Schedule) Insert(ctx context.Context, p schedule.Promise) (schedule.Promise, error) {
	p.ID = 0
	return r.put(ctx, p)
}

// Put stores a promise under its Kind and ID.
func (r Schedule) Put(ctx context.Context, p schedule.Promise) error {
	if p.ID <= 0 {
		return schedule.ErrUnknown
	}
	_, err := r.put(ctx, p)
	return err
}

func (r Schedule) put(ctx context.Context, p schedule.Promise) (schedule.Promise, error) {
	if p.Kind == schedule.Reminder {
		row, err := r.own.PutReminder(ctx, rows.Reminder{ID: p.ID, Text: p.Text, At: rows.Millis(p.At), Every: p.Every, Zone: p.Zone,
			FirstAt: rows.Maybe(p.From), State: string(p.State), Missed: p.Missed, Created: rows.Millis(p.Created)})
		return reminder(row), err
	}
	row, err := r.own.PutTimer(ctx, rows.Timer{ID: p.ID, Kind: string(p.Kind), Text: p.Text, At: rows.Millis(p.At), LengthUs: p.Length.Microseconds(),
		Every: p.Every, Zone: p.Zone, FirstAt: rows.Maybe(p.From), State: string(p.State), Missed: p.Missed, Created: rows.Millis(p.Created)})
	return timer(row), err
}

// Get gives one promise, or schedule.ErrUnknown. A timer or an alarm is found as either.
func (r Schedule) Get(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error) {
	if kind == schedule.Reminder {
		row, err := r.own.Reminder(ctx, id)
		return reminder(row), absent(err, schedule.ErrUnknown)
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
	var out []schedule.Promise
	for _, row := range timers {
		out = append(out, timer(row))
	}
	for _, row := range reminders {
		out = append(out, reminder(row))
	}
	slices.SortStableFunc(out, func(a, b schedule.Promise) int { return a.At.Compare(b.At) })
	return out, nil
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
