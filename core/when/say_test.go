package when_test

import (
	"errors"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

func TestSay(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 30, 0, 0, zone(t, "Europe/Berlin"))
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{now.Add(110 * time.Minute), "today at 4:20 PM"},
		{time.Date(2026, 11, 22, 9, 0, 0, 0, now.Location()), "tomorrow at 9 AM"},
		{time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), "tomorrow at 9 AM"},
		{time.Date(2026, 11, 21, 0, 0, 0, 0, now.Location()), "yesterday at midnight"},
		{time.Date(2026, 11, 22, 0, 0, 0, 0, now.Location()), "tonight at midnight"},
		{time.Date(2026, 11, 24, 12, 0, 0, 0, now.Location()), "on Tuesday, November 24 at noon"},
		{time.Date(2027, 1, 2, 7, 5, 0, 0, now.Location()), "on Saturday, January 2 at 7:05 AM"},
		{time.Date(2028, 1, 2, 7, 5, 0, 0, now.Location()), "on Sunday, January 2, 2028 at 7:05 AM"},
	} {
		if got := when.Say(c.at, now); got != c.want {
			t.Errorf("Say(%s) is %q, want %q", c.at, got, c.want)
		}
	}
}

// What Say words, Parse reads back.
func TestSayIsUnderstood(t *testing.T) {
	for _, now := range moments(t) {
		at := now.Add(100 * time.Hour).Truncate(time.Minute)
		v, ok := when.Parse(when.Say(at, now), now)
		if !ok || !v.Start.Equal(at) {
			t.Errorf("at %s: %q is read as %s", now, when.Say(at, now), v.Start)
		}
	}
}

func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "no time", time.Second: "1 second", 90 * time.Minute: "1 hour and 30 minutes", 5 * time.Minute: "5 minutes",
		51*time.Hour + time.Minute: "2 days, 3 hours and 1 minute", -time.Minute: "1 minute", 61 * time.Second: "1 minute and 1 second",
		1499 * time.Millisecond: "1 second",
	} {
		if got := when.Length(d); got != want {
			t.Errorf("Length(%v) is %q, want %q", d, got, want)
		}
	}
}

func TestISO(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"PT1H30M": 90 * time.Minute, "PT90M": 90 * time.Minute, "P1DT12H": 36 * time.Hour, "P2W": 14 * 24 * time.Hour, "PT0.5S": 500 * time.Millisecond,
		"-PT5M": -5 * time.Minute, "PT0S": 0, "P0Y0M1D": 24 * time.Hour, "PT36H": 36 * time.Hour,
	} {
		if got, err := when.ParseISO(s); err != nil || got != want {
			t.Errorf("ParseISO(%q) is %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "P", "PT", "5M", "P5", "PT5", "PT1M1H", "P1H", "PT1.2.3S", "P1DT", "PTT1S", "P99999999999999999D"} {
		if d, err := when.ParseISO(s); err == nil {
			t.Errorf("ParseISO(%q) is %v, want an error", s, d)
		}
	}
	if _, err := when.ParseISO("P1M"); !errors.Is(err, when.ErrLength) {
		t.Errorf("a month: %v, want ErrLength", err)
	}
	for d, want := range map[time.Duration]string{
		0: "PT0S", 90 * time.Minute: "PT1H30M", 36 * time.Hour: "PT36H", 1500 * time.Millisecond: "PT1.5S", -time.Minute: "-PT1M", 61 * time.Second: "PT1M1S",
	} {
		if got := when.FormatISO(d); got != want {
			t.Errorf("FormatISO(%v) is %q, want %q", d, got, want)
		}
	}
}
