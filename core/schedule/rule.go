package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// maxRule is the longest recurrence, in bytes.
const maxRule = 512

// ahead is how far a recurrence by days is searched.
const ahead = 100 * 366 * 24 * time.Hour

// Next gives the first time after the given one at which a recurrence falls, in the zone.
//
// rule is an RRULE of RFC 5545 without DTSTART, from yearly down to minutely. Where it names no time of day, that of
// after is used. Days are reckoned on the zone's wall clock: a time that the clock skips in spring is moved on by what
// was skipped (2:30 becomes 3:30), one that comes twice in autumn falls once, at the first. Hourly and minutely rules
// run on through both. Errors: ErrRule, ErrZone, ErrNever.
func Next(rule, zone string, after time.Time) (time.Time, error) {
	o, err := parse(rule)
	if err != nil {
		return time.Time{}, err
	}
	if o.Freq < rrule.HOURLY || len(o.Byhour) > 0 && o.Freq == rrule.HOURLY || len(o.Byminute) > 0 && o.Freq == rrule.MINUTELY {
		o.Interval = 1 // the first of "every other day" is the next day that fits
	}
	if len(o.Byhour)+len(o.Byminute) > 0 { // at 7 means at 7:00:00
		if len(o.Byminute) == 0 && o.Freq < rrule.MINUTELY {
			o.Byminute = []int{0}
		}
		if len(o.Bysecond) == 0 {
			o.Bysecond = []int{0}
		}
	}
	return search(o, zone, after, after)
}

// following is Next for a recurrence that began at from, which anchors INTERVAL and COUNT and gives the time of day.
func following(rule, zone string, from, after time.Time) (time.Time, error) {
	o, err := parse(rule)
	if err != nil {
		return time.Time{}, err
	}
	return search(o, zone, from, after)
}

func search(o rule, zone string, from, after time.Time) (time.Time, error) {
	loc, err := location(zone)
	if err != nil {
		return time.Time{}, err
	}
	if o.Freq >= rrule.HOURLY {
		return o.even(loc, from, after)
	}
	return o.wall(loc, from, after)
}

// rule is a parsed recurrence. Its Until is a wall clock reading, unless utc.
type rule struct {
	rrule.ROption
	utc bool
}

func parse(text string) (rule, error) {
	if len(text) > maxRule {
		return rule{}, fmt.Errorf("%w: longer than %d bytes", ErrRule, maxRule)
	}
	if strings.Contains(text, "DTSTART") || strings.ContainsAny(text, "\r\n") {
		return rule{}, fmt.Errorf("%w: one RRULE without DTSTART is wanted", ErrRule)
	}
	text = strings.ToUpper(strings.TrimSpace(text))
	o, err := rrule.StrToROption(text)
	if err != nil {
		return rule{}, fmt.Errorf("%w %q: %w", ErrRule, text, err)
	}
	switch {
	case o.Freq == rrule.SECONDLY:
		return rule{}, fmt.Errorf("%w %q: not more often than every minute", ErrRule, text)
	case o.Interval < 0 || o.Interval > 10000:
		return rule{}, fmt.Errorf("%w %q: INTERVAL is 1 to 10000", ErrRule, text)
	case o.Freq >= rrule.HOURLY && len(o.Bysetpos)+len(o.Byyearday)+len(o.Byweekno)+len(o.Byeaster) > 0:
		return rule{}, fmt.Errorf("%w %q: BYSETPOS, BYYEARDAY, BYWEEKNO and BYEASTER go with days", ErrRule, text)
	case len(o.Bysetpos) > 0 && (o.Freq > rrule.MONTHLY || max(1, len(o.Byhour))*max(1, len(o.Byminute))*max(1, len(o.Bysecond)) > 24):
		return rule{}, fmt.Errorf("%w %q: BYSETPOS goes with months and years, and few times a day", ErrRule, text)
	case slices.ContainsFunc(o.Byeaster, func(d int) bool { return d < -80 || d > 250 }): // rrule-go panics
		return rule{}, fmt.Errorf("%w %q: BYEASTER is -80 to 250", ErrRule, text)
	}
	o.Interval = max(o.Interval, 1)
	_, until, _ := strings.Cut(text, "UNTIL=")
	until, _, _ = strings.Cut(until, ";")
	if len(until) == len("20060102") { // the whole of that day
		o.Until = o.Until.Add(24*time.Hour - time.Second)
	}
	if _, err := rrule.NewRRule(*o); err != nil {
		return rule{}, fmt.Errorf("%w %q: %w", ErrRule, text, err)
	}
	return rule{ROption: *o, utc: strings.HasSuffix(until, "Z")}, nil
}

// wall searches day by day on the wall clock: readings are carried as if they were UTC, where no hour is skipped.
func (o rule) wall(loc *time.Location, from, after time.Time) (time.Time, error) {
	o.Dtstart = reading(from.In(loc))
	if o.utc && !o.Until.IsZero() {
		o.Until = reading(o.Until.In(loc))
	}
	start := reading(after.In(loc)).Add(-3 * time.Hour) // a skipped reading may fall after `after` although it reads earlier
	return o.first(start, func(r time.Time) (time.Time, bool) {
		at := instant(r, loc)
		return at, at.After(after)
	})
}

// first gives the first reading from start on that ok takes. A rule that makes rrule-go panic is unusable, no more.
func (o rule) first(start time.Time, ok func(reading time.Time) (time.Time, bool)) (at time.Time, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			at, err = time.Time{}, fmt.Errorf("%w: %v", ErrRule, broken)
		}
	}()
	if limit := start.Add(ahead); o.Until.IsZero() || o.Until.After(limit) {
		o.Until = limit
	}
	r, err := rrule.NewRRule(o.ROption)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrRule, err)
	}
	for next := r.Iterator(); ; {
		reading, more := next()
		if !more {
			return time.Time{}, ErrNever
		}
		if reading.Before(start) {
			continue
		}
		if at, good := ok(reading); good {
			return at, nil
		}
	}
}
