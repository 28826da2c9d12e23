package schedule

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// shelf is a Rows in memory. What was stored outlives the Book, as a disk does.
type shelf struct {
	mu   sync.Mutex
	last int64
	rows map[key]Promise
	log  []Receipt
	full error // what Put and Insert answer, where set
	dark error // what In answers, where set
}

func newShelf() *shelf { return &shelf{rows: map[key]Promise{}} }

func (s *shelf) Insert(_ context.Context, p Promise) (Promise, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	p.ID = s.last
	s.rows[keyOf(p)] = p
	return p, s.full
}

func (s *shelf) Put(_ context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full != nil {
		return s.full
	}
	for _, p := range c.Promises {
		s.rows[keyOf(p)] = p
	}
	for _, r := range c.Receipts {
		r.ID = int64(len(s.log)) + 1
		s.log = append(s.log, r)
	}
	return nil
}

func (s *shelf) Receipts(_ context.Context, kind Kind, id int64, at time.Time) ([]Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.log), func(r Receipt) bool { return r.Promise != id || r.Kind != kind || !r.At.Equal(at) }), s.dark
}

func (s *shelf) History(_ context.Context, n int, before int64) ([]Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.DeleteFunc(slices.Clone(s.log), func(r Receipt) bool { return r.ID >= before })
	slices.Reverse(out)
	return out[:min(n, len(out))], s.dark
}

func (s *shelf) Get(_ context.Context, kind Kind, id int64) (Promise, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.rows { // timers and alarms share one table
		if p.ID == id && tableOf(p.Kind) == tableOf(kind) {
			return p, nil
		}
	}
	return Promise{}, ErrUnknown
}

func (s *shelf) In(_ context.Context, state State) ([]Promise, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Promise
	for _, p := range s.rows {
		if p.State == state {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, soonest)
	return out, s.dark
}

func (s *shelf) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = err
}

func (s *shelf) state(p Promise) State {
	got, err := s.Get(context.Background(), p.Kind, p.ID)
	if err != nil {
		return "gone"
	}
	return got.State
}

var errDisk = errors.New("disk is full")

func tableOf(k Kind) int {
	switch k {
	case Reminder:
		return 1
	case Briefing, Routine:
		return 2
	}
	return 0
}
