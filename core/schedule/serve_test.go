package schedule

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// night runs a Book in a bubble of time, which starts at midnight UTC, 1 January 2000.
type night struct {
	*Book
	t     *testing.T
	rows  *shelf
	stop  func()
	shift time.Duration // how far the wall clock was moved

	mu   sync.Mutex
	told []event.Due
	deaf error // what Due answers
	hush int   // times that Quiet was called
}

func start(t *testing.T, rows *shelf) *night {
	t.Helper()
	return startWith(t, rows, func(*Config) {})
}

// startWith is start with other settings.
func startWith(t *testing.T, rows *shelf, change func(*Config)) *night {
	t.Helper()
	n := &night{t: t, rows: rows}
	c := Config{Rows: rows, Now: n.now, Due: n.due, Quiet: n.quiet}
	change(&c)
	n.Book = New(c)
	n.serve()
	return n
}

func (n *night) serve() {
	ctx, cancel := context.WithCancel(n.t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Serve(ctx) }()
	n.stop = func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			n.t.Errorf("Serve ended with %v", err)
		}
	}
}

func (n *night) now() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return time.Now().UTC().Add(n.shift)
}

func (n *night) due(_ context.Context, e event.Due) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.deaf == nil {
		n.told = append(n.told, e)
	}
	return n.deaf
}

func (n *night) quiet() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hush++
}

// heard waits until nothing moves and gives all that was told so far.
func (n *night) heard() []event.Due {
	synctest.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]event.Due(nil), n.told...)
}

func (n *night) add(p Promise) Promise {
	n.t.Helper()
	p, err := n.Add(n.t.Context(), p)
	if err != nil {
		n.t.Fatal(err)
	}
	return p
}

func TestTimerRingsOnTheSecondAndStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Timer, Text: "pasta", Length: 5 * time.Minute})
		time.Sleep(5*time.Minute - time.Millisecond)
		if got := n.heard(); len(got) != 0 {
			t.Fatalf("rang early: %v", got)
		}
		time.Sleep(time.Millisecond)
		got := n.heard()
		if len(got) != 1 || got[0].Text != "pasta" || got[0].Late != 0 || got[0].ID != p.ID {
			t.Fatalf("told %+v", got)
		}
		if r := n.Ringing(); len(r) != 1 || n.rows.state(p) != Ringing {
			t.Fatalf("ringing %+v, stored %s", r, n.rows.state(p))
		}
		rang, err := n.Stop(t.Context())
		if err != nil || len(rang) != 1 || len(n.Ringing()) != 0 || n.rows.state(p) != Done || n.hush != 1 {
			t.Fatalf("stopped %v, %v; stored %s, quiet %d times", rang, err, n.rows.state(p), n.hush)
		}
		n.stop()
	})
}

func TestRingsTwoMinutesThenIsNotedAsMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Reminder, Text: "call mom", At: n.now().Add(time.Minute)})
		time.Sleep(3*time.Minute - time.Second)
		if n.heard(); len(n.Ringing()) != 1 {
			t.Fatal("fell silent early")
		}
		time.Sleep(time.Second)
		got := n.heard()
		stored, err := n.rows.Get(t.Context(), Reminder, p.ID)
		if len(n.Ringing()) != 0 || stored.State != Done || !stored.Missed || n.hush != 1 || err != nil {
			t.Fatalf("after two minutes: %+v, quiet %d times, %v", stored, n.hush, err)
		}
		if time.Sleep(time.Hour); len(n.heard()) != 1 || n.Rings(got[0]) {
			t.Fatalf("told %v", n.told)
		}
		n.stop()
	})
}

func TestSnoozeRingsAgainAndKeepsTheRecurrence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Alarm, Every: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"})
		time.Sleep(7 * time.Hour)
		if len(n.heard()) != 1 {
			t.Fatal("no alarm at 7")
		}
		later, err := n.Snooze(t.Context(), 9*time.Minute)
		if err != nil || len(later) != 1 || !later[0].At.Equal(n.now().Add(9*time.Minute)) {
			t.Fatalf("snoozed to %v, %v", later, err)
		}
		if n.heard(); len(n.Ringing()) != 0 || n.hush != 1 {
			t.Fatal("rings on")
		}
		time.Sleep(9 * time.Minute)
		if got := n.heard(); len(got) != 2 || got[1].Late != 0 {
			t.Fatalf("told %+v", got)
		}
		if _, err := n.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		w, err := n.Waiting(t.Context(), Alarm)
		if err != nil || len(w) != 1 || w[0].At.Format(time.DateTime) != "2000-01-02 07:00:00" || w[0].ID != p.ID {
			t.Fatalf("next is %+v, %v", w, err)
		}
		n.stop()
	})
}

func TestSnoozeWantsATime(t *testing.T) {
	b := New(Config{Rows: newShelf()})
	for _, d := range []time.Duration{0, -time.Second} {
		if _, err := b.Snooze(t.Context(), d); !errors.Is(err, ErrPast) {
			t.Errorf("snoozing %v: %v", d, err)
		}
	}
	if _, err := b.Snooze(t.Context(), 1<<63-1); !errors.Is(err, ErrTooFar) {
		t.Errorf("snoozing for centuries: %v", err)
	}
}

// A crash, here a Serve that ended without an answer, loses no ring.
func TestWhatRangAtTheCrashRingsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := start(t, disk)
		p := n.add(Promise{Kind: Alarm, Text: "train", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		if len(n.heard()) != 1 {
			t.Fatal("not told")
		}
		n.stop()
		time.Sleep(3 * time.Hour)

		n = start(t, disk)
		got := n.heard()
		if len(got) != 1 || got[0].Late != 3*time.Hour || len(n.Ringing()) != 1 {
			t.Fatalf("told %+v, ringing %v", got, n.Ringing())
		}
		if _, err := n.Stop(t.Context()); err != nil || disk.state(p) != Done {
			t.Fatalf("stop: %v, stored %s", err, disk.state(p))
		}
		n.stop()
	})
}

func TestMissedWhileOffIsToldOnceWithHowLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := start(t, disk)
		n.add(Promise{Kind: Reminder, Text: "second", At: n.now().Add(2 * time.Hour)})
		n.add(Promise{Kind: Timer, Text: "first", Length: time.Hour})
		n.add(Promise{Kind: Reminder, Text: "not yet", At: n.now().Add(50 * time.Hour)})
		n.stop()
		time.Sleep(26 * time.Hour)

		n = start(t, disk)
		got := n.heard()
		if len(got) != 2 || got[0].Text != "first" || got[0].Late != 25*time.Hour || got[1].Late != 24*time.Hour {
			t.Fatalf("told %+v", got)
		}
		time.Sleep(time.Hour)
		n.stop()
		n = start(t, disk)
		if got := n.heard(); len(got) != 0 {
			t.Fatalf("told again: %+v", got)
		}
		n.stop()
	})
}

// Off from Friday to Monday 7:01: this morning's alarm rings, and only that.
func TestOfARecurrenceTheLastMissedRings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := start(t, disk) // Saturday, 1 January 2000
		p := n.add(Promise{Kind: Alarm, Every: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0"})
		q := n.add(Promise{Kind: Reminder, Text: "stretch", Every: "FREQ=HOURLY;BYMINUTE=30"})
		n.stop()
		time.Sleep(9*24*time.Hour + 7*time.Hour + time.Minute) // Monday the 10th, 7:01

		n = start(t, disk)
		got := n.heard()
		if len(got) != 2 || got[0].ID != q.ID || got[0].Late != 31*time.Minute || got[1].ID != p.ID || got[1].Late != time.Minute {
			t.Fatalf("told %+v", got)
		}
		if _, err := n.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		w, err := n.Waiting(t.Context())
		if err != nil || len(w) != 2 || w[0].At.Format("02 15:04") != "10 07:30" || w[1].At.Format("02 15:04") != "11 07:00" {
			t.Fatalf("next %+v, %v", w, err)
		}
		n.stop()
	})
}

func TestExtendAndCancelWakeServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Timer, Length: 10 * time.Second})
		q := n.add(Promise{Kind: Timer, Length: 20 * time.Second})
		time.Sleep(5 * time.Second)
		longer, err := n.Extend(t.Context(), p.ID, 30*time.Second)
		if err != nil || longer.Length != 40*time.Second {
			t.Fatalf("extended to %+v, %v", longer, err)
		}
		if _, err := n.Cancel(t.Context(), Timer, q.ID); err != nil {
			t.Fatal(err)
		}
		if time.Sleep(35*time.Second - 1); len(n.heard()) != 0 {
			t.Fatalf("told %+v", n.told)
		}
		if time.Sleep(1); len(n.heard()) != 1 {
			t.Fatal("not told at its new time")
		}
		again, err := n.Extend(t.Context(), p.ID, time.Minute) // it rings: a minute more from now
		if err != nil || !again.At.Equal(n.now().Add(time.Minute)) || len(n.Ringing()) != 0 {
			t.Fatalf("extended the ringing timer to %+v, %v", again, err)
		}
		if time.Sleep(time.Minute); len(n.heard()) != 2 {
			t.Fatal("not told again")
		}
		n.stop()
	})
}

func TestCancelSilencesAndRestoreRingsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Timer, Length: time.Second})
		time.Sleep(time.Second)
		n.heard()
		was, err := n.Cancel(t.Context(), Timer, p.ID)
		if err != nil || was.State != Ringing || len(n.Ringing()) != 0 || n.rows.state(p) != Cancelled || n.hush != 1 {
			t.Fatalf("cancelled %+v, %v", was, err)
		}
		if err := n.Restore(t.Context(), was); err != nil || len(n.heard()) != 2 {
			t.Fatalf("restored: %v, told %d times", err, len(n.told))
		}
		n.stop()
	})
}
