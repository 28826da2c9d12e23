package schedule

import (
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

// aheadEven is how far a rule by hours or minutes is searched: even a 29th of February around 2100 is nearer.
const aheadEven = 9 * 366 * 24 * time.Hour

// even searches a rule by hours or minutes, which pass evenly through changes of the clock. It is our own, because
// rrule-go searches for ever where INTERVAL never meets BYMINUTE.
func (o rule) even(loc *time.Location, from, after time.Time) (time.Time, error) {
	unit := time.Hour
	if o.Freq == rrule.MINUTELY {
		unit = time.Minute
	}
	step := unit * time.Duration(o.Interval)
	slot := floor(from.In(loc), unit)
	if gone := after.Sub(slot)/step - 1; o.Count == 0 && gone > 0 {
		slot = slot.Add(gone * step) // a COUNT has to be counted from the start
	}
	last, fell := after.Add(aheadEven), 0
	for slot.Before(last) {
		if skip := o.misfit(slot); skip > 0 {
			slot = slot.Add((skip + step - 1) / step * step)
			continue
		}
		for _, at := range o.within(slot, from, unit) {
			if at.Before(from.Truncate(time.Second)) {
				continue
			}
			if fell++; o.Count > 0 && fell > o.Count || o.ended(at) {
				return time.Time{}, ErrNever
			}
			if at.After(after) {
				return at, nil
			}
		}
		slot = slot.Add(step)
	}
	return time.Time{}, ErrNever
}

// misfit is how long it takes from slot to the next day or hour that the rule may allow, 0 where it allows this one.
func (o rule) misfit(slot time.Time) time.Duration {
	y, m, d := slot.Date()
	if !o.day(slot) {
		return max(instant(time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC), slot.Location()).Sub(slot), time.Minute)
	}
	if len(o.Byhour) > 0 && !slices.Contains(o.Byhour, slot.Hour()) {
		return floor(slot, time.Hour).Add(time.Hour).Sub(slot)
	}
	return 0
}

// day tells whether the rule allows the day of t.
func (o rule) day(t time.Time) bool {
	month := time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day() // its last day
	today := func(w rrule.Weekday) bool { return w.Day() == (int(t.Weekday())+6)%7 }
	return (len(o.Bymonth) == 0 || slices.Contains(o.Bymonth, int(t.Month()))) &&
		(len(o.Bymonthday) == 0 || slices.Contains(o.Bymonthday, t.Day()) || slices.Contains(o.Bymonthday, t.Day()-month-1)) &&
		(len(o.Byweekday) == 0 || slices.ContainsFunc(o.Byweekday, today))
}

// within gives the times in the hour or minute that begins at slot, the earliest first.
func (o rule) within(slot, from time.Time, unit time.Duration) []time.Time {
	slot = floor(slot, unit)
	minutes, seconds := o.Byminute, o.Bysecond
	if len(seconds) == 0 {
		seconds = []int{from.Second()}
	}
	switch {
	case unit == time.Minute && len(minutes) > 0 && !slices.Contains(minutes, slot.Minute()):
		return nil
	case unit == time.Minute:
		minutes = []int{0}
	case len(minutes) == 0:
		minutes = []int{from.In(slot.Location()).Minute()}
	}
	var out []time.Time
	for _, m := range minutes {
		for _, s := range seconds {
			out = append(out, slot.Add(time.Duration(m)*time.Minute+time.Duration(s)*time.Second))
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

// ended tells whether at lies behind UNTIL.
func (o rule) ended(at time.Time) bool {
	if o.utc {
		return at.After(o.Until)
	}
	return !o.Until.IsZero() && reading(at).After(o.Until)
}

// floor is the begin of t's hour or minute on its own clock.
func floor(t time.Time, unit time.Duration) time.Time {
	over := time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	if unit == time.Hour {
		over += time.Duration(t.Minute()) * time.Minute
	}
	return t.Add(-over)
}
