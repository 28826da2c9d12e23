package brief

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// ErrTime says that a text names no time for a briefing.
var ErrTime = errors.New(`the time of a briefing looks like "07:30" or "every weekday at 7:30", or it is "off"`)

// days are on which days a briefing is given whose time is told alone.
var days = map[Kind]string{Morning: "FREQ=DAILY", Week: "FREQ=WEEKLY;BYDAY=SU", Month: "FREQ=MONTHLY;BYMONTHDAY=1"}

// usual is the hour of a briefing whose day is told alone.
var usual = map[Kind]string{Morning: "BYHOUR=7;BYMINUTE=30", Week: "BYHOUR=10;BYMINUTE=0", Month: "BYHOUR=10;BYMINUTE=0"}

// Rule reads when a briefing is given by itself, as an RRULE: "07:30" is every day for the morning's, Sundays for the
// week's and the first of the month for the month's; "every weekday at 7:30" says it all. "" and "off" are never, which is
// "". The error wraps ErrTime or ErrKind.
func Rule(k Kind, text string, now time.Time) (string, error) {
	base, ok := days[k]
	if !ok {
		return "", fmt.Errorf("%.40q: %w", string(k), ErrKind)
	}
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case text == "" || text == "off" || text == "never" || text == "none":
		return "", nil
	case len(text) > 200:
		return "", ErrTime
	case strings.HasPrefix(text, "freq="):
		return strings.ToUpper(text), nil
	}
	if at, err := time.Parse("15:04", text); err == nil {
		return clocked(base, at), nil
	}
	for _, phrase := range []string{text, "at " + text, "every " + text} {
		v, ok := when.Parse(phrase, now)
		if !ok || strings.TrimSpace(phrase[:v.Span[0]]+phrase[v.Span[1]:]) != "" {
			continue
		}
		switch {
		case v.Kind == when.Recurrence && strings.Contains(v.Recurrence, "BYHOUR"):
			return v.Recurrence, nil
		case v.Kind == when.Recurrence && often(v.Recurrence):
			return "", fmt.Errorf("%q: %w", text, ErrTime)
		case v.Kind == when.Recurrence:
			return v.Recurrence + ";" + usual[k], nil
		case v.Kind == when.Point && v.Start.Sub(now) < 24*time.Hour && (v.Start.Minute() != 0 || v.Start.Hour() != 0 || strings.Contains(text, "midnight")):
			return clocked(base, v.Start), nil
		}
	}
	return "", fmt.Errorf("%q: %w", text, ErrTime)
}

// often tells whether a recurrence is one of hours or minutes, which is no time for a briefing.
func often(rule string) bool {
	return strings.Contains(rule, "FREQ=HOURLY") || strings.Contains(rule, "FREQ=MINUTELY") || strings.Contains(rule, "FREQ=SECONDLY")
}

func clocked(base string, at time.Time) string {
	return fmt.Sprintf("%s;BYHOUR=%d;BYMINUTE=%d", base, at.Hour(), at.Minute())
}
