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
	n := &night{t: t, rows: rows}
	n.Book = New(Config{Rows: rows, Now: n.now, Due: n.due, Quiet: n.quiet})
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
