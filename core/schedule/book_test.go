package schedule

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 27, 12, 0, 0, 123_456_789, time.UTC)

func bookAt(t testing.TB, zone string) (*Book, *shelf) {
	loc, err := location(zone)
	if err != nil {
		t.Fatal(err)
	}
	rows := newShelf()
	return New(Config{Rows: rows, Now: func() time.Time { return noon.In(loc) }}), rows
}

func TestAddCompletes(t *testing.T) {
	for name, tt := range map[string]struct {
		in     Promise
		at     string // in Berlin
		length time.Duration
		zone   string
	}{
		"a timer by its length": {Promise{Kind: Timer, Length: 90 * time.Second}, "2026-03-27T13:01:30+01:00", 90 * time.Second, berlin},
		"a timer by its end":    {Promise{Kind: Timer, At: noon.Add(time.Hour)}, "2026-03-27T14:00:00+01:00", time.Hour, berlin},
		"an alarm":              {Promise{Kind: Alarm, At: noon.Add(20 * time.Hour)}, "2026-03-28T09:00:00+01:00", 0, berlin},
		"a recurrence":          {Promise{Kind: Alarm, Every: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", At: noon.Add(-time.Hour)}, "2026-03-28T02:30:00+01:00", 0, berlin},
		"a recurrence that starts later": {Promise{Kind: Reminder, Every: "FREQ=DAILY", At: noon.Add(48 * time.Hour)},
			"2026-03-29T14:00:00+02:00", 0, berlin},
		"another zone": {Promise{Kind: Alarm, Every: "FREQ=DAILY;BYHOUR=7", Zone: "Asia/Tokyo"}, "2026-03-27T23:00:00+01:00", 0, "Asia/Tokyo"},
	} {
		t.Run(name, func(t *testing.T) {
			b, rows := bookAt(t, berlin)
			p, err := b.Add(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			loc, _ := location(berlin)
			if got := p.At.In(loc).Format(time.RFC3339); got != tt.at || p.Length != tt.length || p.Zone != tt.zone || p.At.Location().String() != tt.zone {
				t.Errorf("got %s, %v, %s", got, p.Length, p.Zone)
			}
			if p.State != Waiting || p.Created.IsZero() || p.ID == 0 || (p.Every != "") == p.From.IsZero() {
				t.Errorf("incomplete: %+v", p)
			}
			if kept, err := rows.Get(t.Context(), p.Kind, p.ID); err != nil || !reflect.DeepEqual(kept, p) {
				t.Errorf("stored %+v, %v", kept, err)
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		in   Promise
		want error
	}{
		"no kind":             {Promise{At: noon.Add(time.Hour)}, ErrKind},
		"an odd kind":         {Promise{Kind: "gong", At: noon.Add(time.Hour)}, ErrKind},
		"no time":             {Promise{Kind: Reminder, Text: "call mom"}, ErrNoTime},
		"the past":            {Promise{Kind: Alarm, At: noon.Add(-time.Second)}, ErrPast},
		"a length below zero": {Promise{Kind: Timer, Length: -time.Second, At: noon.Add(time.Hour)}, ErrPast},
		"the far future":      {Promise{Kind: Alarm, At: noon.AddDate(300, 0, 0)}, ErrTooFar},
		"a long text":         {Promise{Kind: Timer, Text: strings.Repeat("x", 1<<20), Length: time.Hour}, ErrTooLong},
		"no rule":             {Promise{Kind: Alarm, Every: "sometimes"}, ErrRule},
		"a rule that is over": {Promise{Kind: Alarm, Every: "FREQ=DAILY;UNTIL=20200101"}, ErrNever},
		"no zone":             {Promise{Kind: Alarm, At: noon.Add(time.Hour), Zone: "../../etc/passwd"}, ErrZone},
	} {
		t.Run(name, func(t *testing.T) {
			b, rows := bookAt(t, "UTC")
			if p, err := b.Add(t.Context(), tt.in); !errors.Is(err, tt.want) || len(rows.rows) != 0 {
				t.Errorf("got %+v, %v, %d rows", p, err, len(rows.rows))
			}
		})
	}
}

// RFC 3339 gives a bare offset, which is no zone that could be loaded again.
func TestABareOffsetFallsBackToTheMachinesZone(t *testing.T) {
	now, err := time.Parse(time.RFC3339, "2026-03-27T12:00:00+05:17")
	if err != nil {
		t.Fatal(err)
	}
	b := New(Config{Rows: newShelf(), Now: func() time.Time { return now }})
	p, err := b.Add(t.Context(), Promise{Kind: Timer, Length: time.Minute})
	if err != nil || p.Zone != cmp.Or(machine(), "Local") || !p.At.Equal(now.Add(time.Minute)) {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestWaitingIsSortedAndOfTheAskedKinds(t *testing.T) {
	b, _ := bookAt(t, "UTC")
	for _, p := range []Promise{
		{Kind: Timer, Text: "c", Length: 3 * time.Hour}, {Kind: Alarm, Text: "a", At: noon.Add(time.Hour)},
		{Kind: Reminder, Text: "b", At: noon.Add(2 * time.Hour)},
	} {
		if _, err := b.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for want, kinds := range map[string][]Kind{"abc": nil, "c": {Timer}, "ab": {Reminder, Alarm}} {
		got, err := b.Waiting(t.Context(), kinds...)
		said := ""
		for _, p := range got {
			said += p.Text
		}
		if err != nil || said != want {
			t.Errorf("%v: %q, %v, want %q", kinds, said, err, want)
		}
	}
}

func TestCancelAndRestore(t *testing.T) {
	b, rows := bookAt(t, "UTC")
	p, err := b.Add(t.Context(), Promise{Kind: Alarm, At: noon.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	was, err := b.Cancel(t.Context(), Alarm, p.ID)
	if err != nil || !reflect.DeepEqual(was, p) || rows.state(p) != Cancelled {
		t.Fatalf("cancelled %+v, %v, stored %s", was, err, rows.state(p))
	}
	if _, err := b.Cancel(t.Context(), Alarm, p.ID); !errors.Is(err, ErrUnknown) {
		t.Errorf("cancelled twice: %v", err)
	}
	if _, err := b.Cancel(t.Context(), Reminder, 99); !errors.Is(err, ErrUnknown) {
		t.Errorf("cancelled what never was: %v", err)
	}
	if err := b.Restore(t.Context(), was); err != nil {
		t.Fatal(err)
	}
	if w, err := b.Waiting(t.Context()); err != nil || len(w) != 1 || !reflect.DeepEqual(w[0], p) {
		t.Errorf("restored %+v, %v", w, err)
	}
}

func TestExtendKeepsWithinBounds(t *testing.T) {
	b, _ := bookAt(t, "UTC")
	p, err := b.Add(t.Context(), Promise{Kind: Timer, Length: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Extend(t.Context(), p.ID, -2*time.Hour); !errors.Is(err, ErrPast) {
		t.Errorf("less than nothing left: %v", err)
	}
	if _, err := b.Extend(t.Context(), p.ID, 250*365*24*time.Hour); !errors.Is(err, ErrTooFar) {
		t.Errorf("centuries: %v", err)
	}
	if _, err := b.Extend(t.Context(), p.ID+1, time.Hour); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown timer: %v", err)
	}
	got, err := b.Extend(t.Context(), p.ID, -15*time.Minute)
	if err != nil || got.Length != 45*time.Minute || !got.At.Equal(p.At.Add(-15*time.Minute)) {
		t.Errorf("a quarter of an hour less: %+v, %v", got, err)
	}
}

func TestRowsThatFailAreSaid(t *testing.T) {
	b, rows := bookAt(t, "UTC")
	p, err := b.Add(t.Context(), Promise{Kind: Timer, Length: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	rows.fail(errDisk)
	rows.dark = errDisk
	_, add := b.Add(t.Context(), Promise{Kind: Timer, Length: time.Hour})
	_, cancel := b.Cancel(t.Context(), Timer, p.ID)
	_, extend := b.Extend(t.Context(), p.ID, time.Hour)
	_, waiting := b.Waiting(t.Context())
	for name, err := range map[string]error{"Add": add, "Cancel": cancel, "Extend": extend, "Waiting": waiting, "Restore": b.Restore(t.Context(), p)} {
		if !errors.Is(err, errDisk) {
			t.Errorf("%s said %v", name, err)
		}
	}
}
