package when_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// moments are a few hundred instants of ten years in three zones, the same in every run.
func moments(t *testing.T) []time.Time {
	r := rand.New(rand.NewPCG(1, 2))
	var out []time.Time
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York"} {
		l := zone(t, name)
		for range 150 {
			out = append(out, time.Date(2015, 1, 1, 0, 0, r.IntN(10*365*86400), 0, l))
		}
	}
	return out
}

func mustParse(t *testing.T, say string, now time.Time) when.Value {
	t.Helper()
	v, ok := when.Parse(say, now)
	if !ok {
		t.Fatalf("%q at %s: none", say, now)
	}
	return v
}

func TestNextValuesLieAhead(t *testing.T) {
	for _, now := range moments(t) {
		for _, say := range []string{"at 3", "at 15:20", "midnight", "noon", "monday", "next friday", "next week", "tomorrow", "in 5 minutes", "next christmas", "every day at 8", "every 20 minutes", "tomorrow at 3"} {
			if v := mustParse(t, say, now); !v.Start.After(now) {
				t.Errorf("%q at %s: %s is not ahead", say, now, v.Start)
			}
		}
		for _, say := range []string{"yesterday", "last monday", "last month", "2 hours ago", "last christmas", "last summer"} {
			if v := mustParse(t, say, now); !v.Start.Before(now) {
				t.Errorf("%q at %s: %s is not behind", say, now, v.Start)
			}
		}
	}
}

func TestBareClockIsWithinHalfADay(t *testing.T) {
	for _, now := range moments(t) {
		v := mustParse(t, "at 7:10", now)
		if ahead := v.Start.Sub(now); ahead > 13*time.Hour {
			t.Errorf("at %s the next 7:10 is %s ahead", now, ahead)
		}
		if h := v.Start.Hour(); h != 7 && h != 19 || v.Start.Minute() != 10 {
			t.Errorf("at %s: %s shows no 7:10", now, v.Start)
		}
	}
}

func TestOffsetsInHoursAreExact(t *testing.T) {
	for _, now := range moments(t) {
		if v := mustParse(t, "in 90 minutes", now); v.Start.Sub(now) != 90*time.Minute {
			t.Errorf("at %s: %s", now, v.Start)
		}
		if v := mustParse(t, "in 30 hours", now); v.Start.Sub(now.Truncate(time.Minute)) != 30*time.Hour {
			t.Errorf("at %s: %s", now, v.Start)
		}
	}
}

func TestCaseAndOrderDoNotMatter(t *testing.T) {
	now := time.Date(2015, 5, 13, 10, 20, 30, 0, zone(t, "Europe/Berlin"))
	for _, pair := range [][2]string{
		{"tomorrow at 5pm", "5pm tomorrow"}, {"monday at 9 am", "9 am on monday"}, {"march 3 at noon", "noon on march 3"},
		{"every day at 7", "at 7 every day"}, {"march 3 2016", "3 march 2016"}, {"thursday from 9 to 11", "from 9 to 11 on thursday"},
	} {
		a, b := mustParse(t, pair[0], now), mustParse(t, pair[1], now)
		a.Span, b.Span = [2]int{}, [2]int{}
		if a != b {
			t.Errorf("%q is %+v, %q is %+v", pair[0], a, pair[1], b)
		}
	}
	for _, s := range sayings(t) {
		a, okA := when.Parse(s, now)
		b, okB := when.Parse("  "+s+" ", now)
		b.Span[0], b.Span[1] = b.Span[0]-2, b.Span[1]-2
		if okA != okB || okA && a != b {
			t.Errorf("%q changes with spaces around it: %+v and %+v", s, a, b)
		}
	}
}

func TestParseAllFindsEveryPhrase(t *testing.T) {
	now := time.Date(2015, 5, 13, 10, 20, 30, 0, time.UTC)
	text := "call mom tomorrow at 5, then the bank on friday and in two weeks the dentist"
	var got []string
	for _, v := range when.ParseAll(text, now) {
		got = append(got, text[v.Span[0]:v.Span[1]])
	}
	if want := "tomorrow at 5|on friday|in two weeks"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}
