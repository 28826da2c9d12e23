package router

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/solo-assistant/solo/models"
)

// errGaveWay ends the reading ahead of a prompt when another request waits.
var errGaveWay = fmt.Errorf("%w: reading ahead gave way to a request", models.ErrBusy)

// queue lets a few requests at a time through to an engine.
type queue struct {
	mu      sync.Mutex
	free    int
	waiting []*ticket // by rank, then by arrival
	yields  []*ticket // those let through that give way
}

// ticket is a request's place.
type ticket struct {
	rank   int
	ready  chan struct{}           // closed when let through
	cancel context.CancelCauseFunc // ends the request where it gives way, else nil
}

func newQueue(parallel int) *queue { return &queue{free: max(1, parallel)} }

// rankOf orders kinds of work: the lowest goes first.
func rankOf(q models.Request) int {
	if ahead(q) {
		return 4
	}
	switch q.Work {
	case models.Planning:
		return 1
	case models.Deep, models.Coding:
		return 2
	case models.Summarizing:
		return 3
	}
	return 0
}

// ahead tells whether a request only has its prompt read.
func ahead(q models.Request) bool { return q.MaxTokens < 0 }

// enter waits for a place; leave gives it back and is called once. The error is ctx's cause. A request that gives way
// brings the cancel of its ctx.
func (q *queue) enter(ctx context.Context, rank int, cancel context.CancelCauseFunc) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	t := &ticket{rank: rank, ready: make(chan struct{}), cancel: cancel}
	q.mu.Lock()
	if q.free > 0 {
		q.admit(t)
	} else {
		at, _ := slices.BinarySearchFunc(q.waiting, rank+1, func(w *ticket, r int) int { return w.rank - r })
		q.waiting = slices.Insert(q.waiting, at, t)
		q.press()
	}
	q.mu.Unlock()
	select {
	case <-t.ready:
	case <-ctx.Done():
		if q.withdraw(t) {
			return nil, context.Cause(ctx)
		}
	}
	return func() { q.leave(t) }, nil
}

// admit lets a ticket through; q.mu is held.
func (q *queue) admit(t *ticket) {
	q.free--
	if t.cancel != nil {
		q.yields = append(q.yields, t)
	}
	close(t.ready)
}

// press ends those that give way, as many as others wait; q.mu is held.
func (q *queue) press() {
	for n := len(q.waiting); n > 0 && len(q.yields) > 0; n-- {
		q.yields[0].cancel(errGaveWay) // it leaves by itself
		q.yields = q.yields[1:]
	}
}

// withdraw takes a ticket back that was not let through yet.
func (q *queue) withdraw(t *ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.waiting, t)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	return at >= 0
}

func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.yields = slices.DeleteFunc(q.yields, func(y *ticket) bool { return y == t })
	q.free++
	if len(q.waiting) > 0 {
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.admit(next)
	}
}
