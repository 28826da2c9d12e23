package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrHours says that a text names no quiet hours.
var ErrHours = errors.New(`quiet hours look like "22:00-07:00"`)

// Hours are the quiet hours of every day, on the wall clock. They hold back briefings and whatever else Solo says of its
// own accord; timers, alarms and reminders ring through them. The zero Hours are none.
type Hours struct{ from, to time.Duration } // since midnight; equal: none

// ParseHours reads "22:00-07:00"; "" is none, and so are two equal times. The error wraps ErrHours.
func ParseHours(text string) (Hours, error) {
	if strings.TrimSpace(text) == "" {
		return Hours{}, nil
	}
	from, to, ok := strings.Cut(text, "-")
	if !ok {
		return Hours{}, fmt.Errorf("%q: %w", text, ErrHours)
	}
	var h Hours
	for into, part := range map[*time.Duration]string{&h.from: from, &h.to: to} {
		at, err := time.Parse("15:04", strings.TrimSpace(part))
		if err != nil {
			return Hours{}, fmt.Errorf("%q: %w", text, ErrHours)
		}
		*into = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	}
	return h, nil
}

// Quiet tells whether the hours hold things back at a moment, read in its zone. They begin with their first minute and
// end before their last.
func (h Hours) Quiet(at time.Time) bool {
	now := clock(at)
	if h.from <= h.to {
		return h.from <= now && now < h.to
	}
	return now >= h.from || now < h.to
}

// Over is when the hours that hold things back at a moment end; the moment itself where none do.
func (h Hours) Over(at time.Time) time.Time {
	if !h.Quiet(at) {
		return at
	}
	y, m, d := at.Date()
	end := func(days int) time.Time {
		return instant(time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC).Add(h.to), at.Location())
	}
	for days := range 3 { // the clock may have been set back over the end of today's
		if t := end(days); t.After(at) && !h.Quiet(t) {
			return t
		}
	}
	return end(1)
}

// clock is the reading of t's wall clock since midnight.
func clock(t time.Time) time.Duration {
	hour, minute, second := t.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
}
