// Package clock tells the time of day, the date and the day of the week.
package clock

import (
	"context"
	_ "embed"
	"strconv"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

//go:embed clock.md
var page string

// Config is what the clock stands on.
type Config struct {
	Now func() time.Time // in the user's zone; nil is time.Now
}

type clock struct{ now func() time.Time }

// Tools makes clock.time, clock.date and clock.day.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	k := clock{c.Now}
	return []tool.Tool{
		tool.Of("clock.time", tool.About(page, "clock.time"), models.Read, k.time),
		tool.Of("clock.date", tool.About(page, "clock.date"), models.Read, k.date),
		tool.Of("clock.day", tool.About(page, "clock.day"), models.Read, k.day),
	}
}

type none struct{}

type dayArgs struct {
	Day time.Time `json:"day,omitzero" jsonschema:"the day asked about; today if left out"`
}

func (k clock) time(context.Context, none) (models.Result, error) {
	now := k.now()
	return tool.With(tool.Said("It's %s.", when.SayClock(now)), map[string]string{"time": now.Format(time.RFC3339)}), nil
}

func (k clock) date(_ context.Context, a dayArgs) (models.Result, error) {
	now := k.now()
	day, apart := k.asked(a, now)
	said := "It's " + date(day) + ", " + strconv.Itoa(day.Year()) + "."
	if apart != 0 {
		said = subject(apart) + date(day) + year(day, now) + "."
	}
	return answer(said, day), nil
}

func (k clock) day(_ context.Context, a dayArgs) (models.Result, error) {
	now := k.now()
	day, apart := k.asked(a, now)
	var said string
	switch {
	case apart == 0:
		said = "It's " + day.Weekday().String() + "."
	case apart == 1 || apart == -1:
		said = subject(apart) + day.Weekday().String() + "."
	default:
		is := " is a "
		if apart < 0 {
			is = " was a "
		}
		said = day.Format("January ") + tool.Ordinal(day.Day()) + year(day, now) + is + day.Weekday().String() + "."
	}
	return answer(said, day), nil
}

// asked is the day meant, in the user's zone, and how many days away it is.
func (k clock) asked(a dayArgs, now time.Time) (day time.Time, apart int) {
	if a.Day.IsZero() {
		return now, 0
	}
	day = a.Day.In(now.Location())
	return day, number(day) - number(now)
}

// number counts the days since 1970 on the wall clock.
func number(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func subject(apart int) string {
	switch {
	case apart == 1:
		return "Tomorrow is "
	case apart == -1:
		return "Yesterday was "
	case apart < 0:
		return "That was "
	}
	return "That's "
}

// date is "Saturday, November 21st".
func date(t time.Time) string { return t.Format("Monday, January ") + tool.Ordinal(t.Day()) }

// year is named where it is not the present one.
func year(t, now time.Time) string {
	if t.Year() == now.Year() {
		return ""
	}
	return ", " + strconv.Itoa(t.Year())
}

func answer(said string, day time.Time) models.Result {
	return tool.With(models.Result{Say: said}, map[string]string{"date": day.Format(time.DateOnly), "day": day.Weekday().String()})
}
