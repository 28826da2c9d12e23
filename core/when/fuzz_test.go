package when_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// sayings are all phrases of the tables.
func sayings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(strings.NewReader(string(data))); sc.Scan(); {
			if phrase, _, ok := strings.Cut(sc.Text(), " => "); ok {
				out = append(out, phrase)
			}
		}
	}
	return out
}

// sound checks what holds for every value.
func sound(t *testing.T, text string, v when.Value) {
	t.Helper()
	if v.Span[0] < 0 || v.Span[1] > len(text) || v.Span[0] >= v.Span[1] {
		t.Fatalf("%q: span %v is outside of the text", text, v.Span)
	}
	if v.Grain == "" {
		t.Fatalf("%q: no grain", text)
	}
	switch v.Kind {
	case when.Point:
		if v.Start.IsZero() || !v.End.IsZero() || v.Duration != "" || v.Recurrence != "" {
			t.Fatalf("%q: odd point %+v", text, v)
		}
	case when.Interval:
		if v.Start.IsZero() && v.End.IsZero() || !v.Start.IsZero() && !v.End.IsZero() && v.End.Before(v.Start) {
			t.Fatalf("%q: odd interval %+v", text, v)
		}
	case when.Duration:
		if !strings.HasPrefix(v.Duration, "P") || !v.Start.IsZero() {
			t.Fatalf("%q: odd duration %+v", text, v)
		}
	case when.Recurrence:
		if !strings.HasPrefix(v.Recurrence, "FREQ=") || v.Start.IsZero() {
			t.Fatalf("%q: odd recurrence %+v", text, v)
		}
	default:
		t.Fatalf("%q: kind %q", text, v.Kind)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range sayings(f) {
		f.Add(s, int64(1431526830), uint8(1))
	}
	f.Add("3/3/3/3 - 3:3 p.m. '''", int64(0), uint8(0))
	f.Add("\xff\xfe mon\xc0day", int64(-1), uint8(2))
	zones := []*time.Location{time.UTC, zone(f, "America/New_York"), zone(f, "Europe/Berlin"), zone(f, "Australia/Lord_Howe"), zone(f, "Asia/Kathmandu")}
	f.Fuzz(func(t *testing.T, text string, at int64, z uint8) {
		if len(text) > 300 {
			return
		}
		now := time.Unix(at%(1<<33), 0).In(zones[int(z)%len(zones)])
		v, ok := when.Parse(text, now)
		if again, okAgain := when.Parse(text, now); again != v || ok != okAgain {
			t.Fatalf("%q: %+v and then %+v", text, v, again)
		}
		if ok {
			sound(t, text, v)
		}
		last := 0
		for _, v := range when.ParseAll(text, now) {
			sound(t, text, v)
			if v.Span[0] < last {
				t.Fatalf("%q: overlapping or unsorted phrases", text)
			}
			last = v.Span[1]
		}
	})
}

func FuzzISO(f *testing.F) {
	for _, s := range []string{"PT1H30M", "P2W", "P1DT12H", "PT0.5S", "-PT5M", "P1Y", "PT", "P", "", "PT1H1H", "PT1M1H", "P1.5D"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := when.ParseISO(s)
		if err != nil {
			return
		}
		if back, err := when.ParseISO(when.FormatISO(d)); err != nil || back != d && (back-d).Abs() > time.Microsecond {
			t.Fatalf("%q is %v, written as %s is %v, %v", s, d, when.FormatISO(d), back, err)
		}
	})
}
