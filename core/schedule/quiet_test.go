package schedule

import (
	"errors"
	"testing"
	"time"
)

func TestQuietHours(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		hours, at string
		over      string // "" where nothing is held back
	}{
		{"", "2026-11-21 03:00", ""},
		{"08:00-08:00", "2026-11-21 08:00", ""},
		{"22:00-07:00", "2026-11-21 21:59", ""},
		{"22:00-07:00", "2026-11-21 22:00", "2026-11-22 07:00"},
		{"22:00-07:00", "2026-11-22 06:59", "2026-11-22 07:00"},
		{"22:00-07:00", "2026-11-22 07:00", ""},
		{" 13:00 - 14:30 ", "2026-11-22 13:10", "2026-11-22 14:30"},
		{"01:00-02:30", "2026-03-29 01:30", "2026-03-29 03:30"}, // 2:30 is skipped that night
		{"22:00-07:00", "2026-10-25 02:30", "2026-10-25 07:00"}, // 2:30 comes twice that night
		{"23:00-00:00", "2026-12-31 23:59", "2027-01-01 00:00"},
	} {
		h, err := ParseHours(tt.hours)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.ParseInLocation("2006-01-02 15:04", tt.at, berlin)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if h.Quiet(at) {
			got = h.Over(at).Format("2006-01-02 15:04")
		} else if !h.Over(at).Equal(at) {
			t.Errorf("%s at %s: over at %v", tt.hours, tt.at, h.Over(at))
		}
		if got != tt.over {
			t.Errorf("%s at %s: over at %q, want %q", tt.hours, tt.at, got, tt.over)
		}
	}
	for _, bad := range []string{"22", "22:00", "24:00-07:00", "22:00-", "-", "ten to six", "22:00-07:00-08:00"} {
		if _, err := ParseHours(bad); !errors.Is(err, ErrHours) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Whatever the hours are, they are over when Over says so, and within a day and the hour of a clock change.
func FuzzQuietHours(f *testing.F) {
	f.Add("22:00-07:00", int64(1774749600))
	f.Add("02:15-02:45", int64(1774746000))
	f.Add("00:00-23:59", int64(1792886400))
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		h, err := ParseHours(text)
		if err != nil || unix < 0 || unix > 1<<33 {
			return
		}
		at := time.Unix(unix, 0).In(zone)
		over := h.Over(at)
		if over.Before(at) || over.Sub(at) > 49*time.Hour || h.Quiet(at) == over.Equal(at) {
			t.Errorf("%q at %v is over at %v", text, at, over)
		}
	})
}
