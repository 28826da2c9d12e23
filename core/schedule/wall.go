package schedule

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// named is the name under which a zone can be loaded again, so that a promise keeps its zone when the machine travels. A
// bare offset, as RFC 3339 gives, has none: the machine's zone is the best guess then.
func named(loc *time.Location) string {
	name := loc.String()
	if _, err := time.LoadLocation(name); err != nil || name == "" {
		name = "Local"
	}
	if name == "Local" {
		return cmp.Or(machine(), name)
	}
	return name
}

// machine is the IANA name of the machine's zone as it was when Solo started, "" where it cannot be told: from TZ, or from
// where /etc/localtime points to.
var machine = sync.OnceValue(func() string {
	name, set := os.LookupEnv("TZ")
	if name = strings.TrimPrefix(name, ":"); !set {
		if path, err := filepath.EvalSymlinks("/etc/localtime"); err == nil {
			_, name, _ = strings.Cut(path, "zoneinfo/")
		}
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" || !same(loc, time.Local) {
		return ""
	}
	return name
})

// same tells whether two zones show the same now and in half a year.
func same(a, b *time.Location) bool {
	for _, t := range []time.Time{time.Now(), time.Now().AddDate(0, 6, 0)} {
		if offset(t, a) != offset(t, b) {
			return false
		}
	}
	return true
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
