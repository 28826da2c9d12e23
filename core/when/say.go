package when

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Say words t for the ear, as seen from now and in now's zone: "today at 4:20 PM", "tomorrow at 9 AM",
// "on Tuesday, November 24 at noon"; another year is named. Midnight belongs to the day that it
// ends, as Parse reads it: "tonight at midnight". Seconds are left out.
func Say(t, now time.Time) string {
	t = t.In(now.Location())
	day := t
	if SayClock(t) == "midnight" {
		day = t.Add(-time.Second)
	}
	if SayClock(t) == "midnight" && dayNumber(day) == dayNumber(now) {
		return "tonight at midnight"
	}
	return sayDay(day, now) + " at " + SayClock(t)
}

// SayClock words the time of day: "9 AM", "4:20 PM", "noon", "midnight".
func SayClock(t time.Time) string {
	h, m := t.Hour(), t.Minute()
	switch {
	case h == 0 && m == 0:
		return "midnight"
	case h == 12 && m == 0:
		return "noon"
	case m == 0:
		return t.Format("3 PM")
	}
	return t.Format("3:04 PM")
}

func sayDay(t, now time.Time) string {
	switch apart := dayNumber(t) - dayNumber(now); {
	case apart == 0:
		return "today"
	case apart == 1:
		return "tomorrow"
	case apart == -1:
		return "yesterday"
	case t.Year() == now.Year() || apart > 0 && apart < 180:
		return t.Format("on Monday, January 2")
	}
	return t.Format("on Monday, January 2, 2006")
}

func dayNumber(t time.Time) int64 {
	y, m, d := t.Date()
	return daysOf(y, int(m), d)
}

// Length words a duration for the ear with its two or three units: "1 hour and 30 minutes", "5 minutes",
// "2 days, 3 hours and 1 minute". Less than a second is "no time"; a negative one is worded like its opposite.
func Length(d time.Duration) string {
	left := uint64(d.Abs().Round(time.Second) / time.Second)
	var parts []string
	for _, u := range []struct {
		size uint64
		name string
	}{{aDay, "day"}, {anHour, "hour"}, {aMinute, "minute"}, {1, "second"}} {
		if n := left / u.size; n > 0 {
			parts = append(parts, count(int(n), u.name))
		}
		left %= u.size
	}
	if len(parts) == 0 {
		return "no time"
	}
	return join(parts)
}

// count words a number with its noun: "1 hour", "2 hours".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// join lists words: "a", "a and b", "a, b and c".
func join(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return fmt.Sprintf("%s and %s", strings.Join(words[:last], ", "), words[last])
}
