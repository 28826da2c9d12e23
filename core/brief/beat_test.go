package brief_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
)

func nudges(t *testing.T) brief.Nudges {
	t.Helper()
	db, err := rows.Open(context.Background(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(context.Background(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return store.New(db, user).Nudges()
}

// listener hears what the heart says.
type listener struct {
	said []string
	err  error
	hold bool
	now  time.Time
}

func (l *listener) heart(d *desk, n brief.Nudges) *brief.Heart {
	return brief.NewHeart(brief.BeatConfig{Work: d, Nudges: n, Now: func() time.Time { return l.now }, Hold: func() bool { return l.hold },
		Say:   func(_ context.Context, text string) error { l.said = append(l.said, text); return l.err },
		Every: 15 * time.Minute, Lead: 30 * time.Minute, Stuck: 72 * time.Hour, Still: 30 * 24 * time.Hour})
}

func (l *listener) beat(t *testing.T, h *brief.Heart, want string) {
	t.Helper()
	l.said = nil
	if err := h.Beat(t.Context()); err != nil && l.err == nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.said, " | "); got != want {
		t.Errorf("at %s\n got %q\nwant %q", l.now.Format("2 15:04"), got, want)
	}
}

func TestTheHeartSpeaksOnceOfEachThing(t *testing.T) {
	d := &desk{open: []brief.Task{
		{ID: 1, Text: "pay the rent", Due: at(21, 15, 0)},
		{ID: 2, Text: "call your sister", Due: at(21, 23, 59)},
		{ID: 3, Text: "find the receipts", Blocked: true, Stuck: "your accountant", Changed: at(19, 12, 0)},
		{ID: 4, Text: "paint the door", Doing: true, Changed: at(15, 12, 0)},
		{ID: 5, Text: "some day"},
	}, projects: []brief.Project{
		{ID: 7, Name: "Health", Status: "active", Changed: at(1, 0, 0).AddDate(0, 0, -7)},
		{ID: 8, Name: "Boat", Status: "active", Changed: at(1, 0, 0).AddDate(0, 0, -7)},
		{ID: 9, Name: "Old", Status: "paused", Changed: at(1, 0, 0).AddDate(-1, 0, 0)},
	}}
	n := nudges(t)
	l := &listener{now: at(21, 8, 0)}
	h := l.heart(d, n)
	l.beat(t, h, "")
	l.now = at(21, 9, 0)
	l.beat(t, h, "By the way: call your sister is due today.")
	l.now = at(21, 14, 0)
	l.beat(t, h, "")
	l.now = at(21, 14, 40)
	l.hold = true
	l.beat(t, h, "")
	l.hold = false
	l.beat(t, h, "By the way: pay the rent is due at 3 PM.")
	l.now = at(21, 15, 30)
	l.beat(t, l.heart(d, n), "") // also after a restart
	l.now = at(22, 13, 0)
	l.beat(t, h, "By the way: find the receipts has been stuck on your accountant for 3 days and paint the door has been under way for 7 days.")
	l.now = at(22, 16, 0)
	l.beat(t, h, "By the way: pay the rent has been overdue for 1 day.")
	d.open[0].Due = at(22, 16, 10)
	l.beat(t, h, "By the way: pay the rent is due at 4:10 PM.")
	l.now = at(22, 17, 0)
	d.open = append(d.open, brief.Task{ID: 6, Text: "eat", Due: at(22, 12, 0)})
	l.beat(t, h, "By the way: eat is overdue since today at noon.")
	l.now = at(26, 12, 0)
	d.open = nil
	l.beat(t, h, "By the way: you have not looked at the project Health for 32 days.")
	l.beat(t, h, "")
	d.projects[0].Reviewed = l.now
	l.beat(t, h, "By the way: you have not looked at the project Boat for 32 days.")
	l.now = l.now.AddDate(0, 0, 31)
	l.beat(t, h, "By the way: you have not looked at the project Health for 31 days.")
}

func TestTheHeartIsBriefAndHonest(t *testing.T) {
	d := &desk{}
	for i := range 5 {
		d.open = append(d.open, brief.Task{ID: int64(i + 1), Text: string(rune('a' + i)), Due: at(21, 10, 0)})
	}
	l := &listener{now: at(21, 9, 45)}
	h := l.heart(d, nudges(t))
	l.beat(t, h, "By the way: a is due at 10 AM, b is due at 10 AM and c is due at 10 AM.")
	l.err = errors.New("no voice")
	l.beat(t, h, "By the way: d is due at 10 AM and e is due at 10 AM.")
	l.err = nil
	l.beat(t, h, "")
	d.broken = errors.New("disk")
	if err := h.Beat(t.Context()); err == nil {
		t.Error("broken rows are no news")
	}
}

// silent is Nudges in memory, for tests with a clock of their own.
type silent struct{ told []string }

func (s *silent) Told(context.Context, time.Time) ([]string, error) { return s.told, nil }
func (s *silent) Tell(_ context.Context, _, _ time.Time, about ...string) error {
	s.told = append(s.told, about...)
	return nil
}

func TestTheHeartBeatsAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		d := &desk{open: []brief.Task{{ID: 1, Text: "eat", Due: start.Add(time.Hour)}}}
		var mu sync.Mutex
		var times []time.Duration
		heard := func() []time.Duration { mu.Lock(); defer mu.Unlock(); return slices.Clone(times) }
		var hold atomic.Bool
		h := brief.NewHeart(brief.BeatConfig{Work: d, Nudges: &silent{}, Hold: hold.Load, Every: 10 * time.Minute,
			Say: func(context.Context, string) error {
				mu.Lock()
				defer mu.Unlock()
				times = append(times, time.Since(start))
				return nil
			}})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- h.Serve(ctx) }()
		time.Sleep(50 * time.Minute)
		if said := heard(); len(said) != 0 {
			t.Errorf("said at %v", said)
		}
		hold.Store(true) // quiet hours, or a conversation
		time.Sleep(30 * time.Minute)
		if said := heard(); len(said) != 0 {
			t.Errorf("said at %v", said)
		}
		hold.Store(false)
		time.Sleep(time.Hour)
		if said := heard(); len(said) != 1 || said[0] > 81*time.Minute {
			t.Errorf("said at %v, want once, soon after it may", said)
		}
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestNoHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := brief.NewHeart(brief.BeatConfig{Work: &desk{broken: errors.New("asked")}})
		ctx, stop := context.WithTimeout(t.Context(), 24*time.Hour)
		defer stop()
		if err := h.Serve(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
	})
}
