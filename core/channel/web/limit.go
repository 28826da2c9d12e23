package web

import (
	"sync"
	"time"
)

// bucket lets so many requests a second through, and as many at once after a rest. A nil bucket lets all through.
type bucket struct {
	rate float64
	now  func() time.Time

	mu   sync.Mutex
	left float64
	last time.Time
}

// newBucket gives nil for a rate of 0: no limit.
func newBucket(rate int, now func() time.Time) *bucket {
	if rate <= 0 {
		return nil
	}
	return &bucket{rate: float64(rate), now: now, left: float64(rate), last: now()}
}

func (b *bucket) take() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.left = min(b.rate, b.left+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// slots let so many work at the same time.
type slots chan struct{}

// take gives false where all are in use; else the slot is given back with give.
func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) give() { <-s }
