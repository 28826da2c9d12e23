package schedule

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The machine sleeps: the wall clock runs on while Go's timers stand still. And a clock that is set.
func TestFollowsTheWallClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		n.add(Promise{Kind: Alarm, At: n.now().Add(8 * time.Hour)})
		time.Sleep(time.Minute)
		n.move(9 * time.Hour)
		if time.Sleep(look); len(n.heard()) != 1 || n.told[0].Late < time.Hour {
			t.Fatalf("30 s after the sleep: %+v", n.told)
		}
		n.move(-2 * time.Hour) // set back while it rings: it neither rings anew nor for hours
		if time.Sleep(look); len(n.heard()) != 1 || len(n.Ringing()) != 1 {
			t.Fatalf("after the clock was set back: told %+v", n.told)
		}
		if time.Sleep(2*time.Minute + look); len(n.heard()) != 1 || len(n.Ringing()) != 0 {
			t.Fatalf("rings on: told %+v", n.told)
		}
		n.stop()
	})
}

func (n *night) move(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.shift += d
}

func TestDueIsCalledUntilItTakesTheEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		n.deaf = errors.New("still starting")
		n.add(Promise{Kind: Timer, Length: time.Second})
		if time.Sleep(10 * time.Minute); len(n.heard()) != 0 || len(n.Ringing()) != 1 {
			t.Fatal("given up before anyone was told")
		}
		n.mu.Lock()
		n.deaf = nil
		n.mu.Unlock()
		if time.Sleep(retry); len(n.heard()) != 1 {
			t.Fatal("not told")
		}
		if time.Sleep(110 * time.Second); len(n.heard()) != 1 || len(n.Ringing()) != 1 {
			t.Fatal("two minutes count from when it was told")
		}
		n.stop()
	})
}

// With a full disk a promise rings all the same, once, and its end is stored when there is room.
func TestAFullDiskDoesNotSilenceOrRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		p := n.add(Promise{Kind: Alarm, At: n.now().Add(time.Minute)})
		n.rows.fail(errDisk)
		if time.Sleep(time.Minute); len(n.heard()) != 1 {
			t.Fatal("silent")
		}
		if _, err := n.Stop(t.Context()); !errors.Is(err, errDisk) || len(n.Ringing()) != 0 {
			t.Fatalf("stop: %v, ringing %v", err, n.Ringing())
		}
		if time.Sleep(time.Hour); len(n.heard()) != 1 || n.rows.state(p) != Waiting {
			t.Fatalf("told %d times, stored %s", len(n.told), n.rows.state(p))
		}
		if w, err := n.Waiting(t.Context()); err != nil || len(w) != 0 {
			t.Fatalf("an answered promise still waits: %v, %v", w, err)
		}
		n.rows.fail(nil)
		if time.Sleep(retry); len(n.heard()) != 1 || n.rows.state(p) != Done {
			t.Fatalf("told %d times, stored %s", len(n.told), n.rows.state(p))
		}
		n.stop()
	})
}

func TestServeEndsWhereRowsCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := newShelf()
		rows.dark = errDisk
		if err := New(Config{Rows: rows}).Serve(t.Context()); !errors.Is(err, errDisk) {
			t.Fatalf("Serve ended with %v", err)
		}
	})
}

func TestManyAtOnceFromManySides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				p := n.add(Promise{Kind: Timer, Length: time.Duration(1+i%5) * time.Second})
				if i%2 == 0 {
					time.Sleep(time.Duration(i%7) * time.Second)
					_, _ = n.Cancel(t.Context(), Timer, p.ID) // it may be over already
				}
				n.Ringing()
			})
		}
		wg.Wait()
		time.Sleep(time.Minute)
		n.heard()
		if _, err := n.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w, err := n.Waiting(t.Context()); err != nil || len(w) != 0 || len(n.Ringing()) != 0 {
			t.Fatalf("left over: %v, %v, %v", w, n.Ringing(), err)
		}
		n.stop()
	})
}
