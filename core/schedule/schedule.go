// Package schedule keeps promised times: timers, alarms and reminders.
//
// Every promise is stored before Add returns, and "ringing" is stored before anyone is told, so that a crash
// loses nothing: what rang when Solo died rings again at the next start. Rows are the truth; the Book holds in memory
// only what rings now. Times follow the wall clock, which Serve looks at no less often than every 30 s, because Go's
// timers stand still while the machine sleeps.
//
// What became due while Solo was off, or while the machine slept, rings as soon as it can; Due is told how late it is.
// Of a recurring promise only the last missed time rings. A Book is safe for use by several goroutines.
package schedule

import (
	"errors"
	"slices"
	"time"
)

// Kind says what was promised.
type Kind string

const (
	Timer    Kind = "timer"    // rings when a length of time has passed
	Alarm    Kind = "alarm"    // rings at a time of day
	Reminder Kind = "reminder" // says its text at a time
	Briefing Kind = "briefing" // tells what lies ahead; quiet hours hold it back
	Routine  Kind = "routine"  // carries out what its Text names
)

// Kinds are all of them.
var Kinds = []Kind{Timer, Alarm, Reminder, Briefing, Routine}

// rings tells whether promises of the kind ring until someone answers; others are carried out.
func (k Kind) rings() bool { return k == Timer || k == Alarm || k == Reminder }

// State is where a promise stands.
type State string

const (
	Waiting   State = "waiting"
	Ringing   State = "ringing"
	Done      State = "done"
	Cancelled State = "cancelled"
)

// MaxText is the longest Text of a promise, in bytes.
const MaxText = 4096

// Promise is one promised time.
type Promise struct {
	ID     int64 // set by Add, never used twice for one user
	Kind   Kind
	Text   string        // name of a timer, what to remind of; may be ""
	At     time.Time     // when it is due next, in Zone
	Length time.Duration // of a timer, with what was added to it
	Every  string        // RRULE, "" for once
	Zone   string        // IANA name in which Every is reckoned, "Local" for the machine's own
	From   time.Time     // first time of a recurrence (its DTSTART); Add sets it
	State  State
	Missed bool // its last ring ended without anyone answering
	// Created is when it was promised.
	Created time.Time
}

var (
	ErrUnknown = errors.New("no such promise")
	ErrNoTime  = errors.New("a promise needs a time")
	ErrPast    = errors.New("that time is past")
	ErrTooFar  = errors.New("that time is too far away")
	ErrTooLong = errors.New("the text of a promise is longer than 4096 bytes")
	ErrKind    = errors.New("a promise is a timer, an alarm, a reminder, a briefing or a routine")
	ErrRule    = errors.New("unusable recurrence")
	ErrNever   = errors.New("the recurrence has no further time")
	ErrZone    = errors.New("unknown time zone")
)

// horizon is how far ahead a time may lie. It keeps times within what rows can hold.
const horizon = 200 * 366 * 24 * time.Hour

// complete checks a new promise and fills in what follows from the rest. now carries the user's zone.
func complete(p Promise, now time.Time) (Promise, error) {
	if !slices.Contains(Kinds, p.Kind) {
		return p, ErrKind
	}
	if len(p.Text) > MaxText {
		return p, ErrTooLong
	}
	if p.Zone == "" {
		p.Zone = named(now.Location())
	}
	zone, err := location(p.Zone)
	if err != nil {
		return p, err
	}
	if err := p.time(now); err != nil {
		return p, err
	}
	p.At, p.Created, p.State, p.Missed = tidy(p.At, zone), tidy(now, zone), Waiting, false
	if p.Every != "" && p.From.IsZero() {
		p.From = p.At
	}
	return p, nil
}

// time settles At: as given, after Length, or the first of Every.
func (p *Promise) time(now time.Time) error {
	if p.Every != "" {
		first, err := Next(p.Every, p.Zone, now)
		if err != nil {
			return err
		}
		if !p.At.After(now) {
			p.At = first
		}
	}
	if p.At.IsZero() && p.Length > 0 {
		p.At = now.Add(p.Length)
	}
	switch {
	case p.At.IsZero():
		return ErrNoTime
	case p.At.Before(now) || p.Length < 0:
		return ErrPast
	case p.At.Sub(now) > horizon:
		return ErrTooFar
	}
	if p.Kind == Timer && p.Length == 0 {
		p.Length = p.At.Sub(now).Round(time.Second)
	}
	return nil
}

// due tells whether the promise should have rung by now.
func (p Promise) due(now time.Time) bool { return !p.At.After(now) }

// settled is the row of a promise that has rung: waiting for its next time, or done. A next time that came while it rang
// is due at once.
func (p Promise) settled(missed bool) Promise {
	p.State, p.Missed = Done, missed
	if p.Every == "" {
		return p
	}
	if at, err := following(p.Every, p.Zone, p.From, p.At); err == nil {
		p.At, p.State = at, Waiting
	}
	return p
}

// latest moves a recurring promise that is long overdue to its last time up to now, so that this morning's alarm
// rings although Solo was off since Friday.
func (p Promise) latest(now time.Time) Promise {
	if p.Every == "" {
		return p
	}
	for _, back := range spans {
		start := now.Add(-back)
		if start.Before(p.At) {
			start = p.At
		}
		at, err := following(p.Every, p.Zone, p.From, start)
		for err == nil && !at.After(now) {
			p.At = at
			at, err = following(p.Every, p.Zone, p.From, at)
		}
		if p.At.After(start) || start.Equal(p.At) {
			return p
		}
	}
	return p
}

// tidy is the form of a time that survives storing: milliseconds, no monotonic reading.
func tidy(t time.Time, zone *time.Location) time.Time {
	return t.Round(0).Truncate(time.Millisecond).In(zone)
}
