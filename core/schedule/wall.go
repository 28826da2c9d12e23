package schedule

import (
	"fmt"
	"time"
)

// location loads a zone by its IANA name.
func location(name string) (*time.Location, error) {
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrZone, name, err)
	}
	return loc, nil
}

// named is the name under which a zone can be loaded again. A bare offset, as RFC 3339 gives, has none: the machine's
// zone is the best guess then.
func named(loc *time.Location) string {
	name := loc.String()
	if _, err := time.LoadLocation(name); err != nil || name == "" {
		return "Local"
	}
	return name
}

// reading is what the wall clock shows at t, carried as UTC.
func reading(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// instant is when the clock in loc shows the reading: the first time where it does so twice; where it never does, as
// much later as the clock skips. time.Date promises neither.
func instant(r time.Time, loc *time.Location) time.Time {
	early := r.Add(-offset(r.Add(-26*time.Hour), loc)) // with the offset of the day before
	if reading(early.In(loc)).Equal(r) {
		return early.In(loc)
	}
	late := r.Add(-offset(r.Add(26*time.Hour), loc)) // with that of the day after
	if reading(late.In(loc)).Equal(r) {
		return late.In(loc)
	}
	return early.In(loc) // in the gap: the old offset, read on the new clock, is the reading plus the gap
}

// offset is what loc adds to UTC at t.
func offset(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}
