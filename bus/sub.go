package bus

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// Overflow says what a full subscription does with one more event.
type Overflow uint8

const (
	DropOldest Overflow = iota // lose the oldest queued event, never wait
	Block                      // make the publisher wait until its ctx ends
)

func (o Overflow) String() string {
	if o == Block {
		return "block"
	}
	return "drop oldest"
}

// Sub is one subscription to events of type T. One goroutine reads C, or ranges over All.
type Sub[T any] struct {
	C    <-chan Event[T] // never closed; select on your ctx too
	ch   chan Event[T]
	name string
	over Overflow
	t    *topic[T]
	done chan struct{}
	once sync.Once
	owed bool // did not take the event being handed out; only under the topic's turn

	queued, evicted, missed, waits atomic.Uint64
}

// Subscribe queues up to size events (at least 1) of type T for the part called name.
// Size 1 with DropOldest keeps only the latest.
func Subscribe[T any](b *Bus, name string, size int, over Overflow) *Sub[T] {
	ch := make(chan Event[T], max(size, 1))
	s := &Sub[T]{C: ch, ch: ch, over: over, done: make(chan struct{}), name: name}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.t = topicOf[T](b)
	next := append(slices.Clone(*s.t.subs.Load()), s)
	s.t.subs.Store(&next)
	b.subs = append(b.subs, s)
	return s
}

// All yields each event with a ctx under which whatever is published names it as the cause.
// It ends with ctx or with Close.
func (s *Sub[T]) All(ctx context.Context) iter.Seq2[context.Context, Event[T]] {
	return func(yield func(context.Context, Event[T]) bool) {
		for {
			select {
			case ev := <-s.ch:
				m := ev.Meta
				if !yield(With(ctx, &m), ev) {
					return
				}
			case <-s.done:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}

// Dropped counts the events that this subscription lost.
func (s *Sub[T]) Dropped() uint64 { return s.evicted.Load() + s.missed.Load() }

// Close ends the subscription and frees a publisher waiting for it. Further calls do nothing.
func (s *Sub[T]) Close() {
	s.once.Do(func() {
		close(s.done)
		b := s.t.bus
		b.mu.Lock()
		defer b.mu.Unlock()
		next := slices.DeleteFunc(slices.Clone(*s.t.subs.Load()), func(o *Sub[T]) bool { return o == s })
		s.t.subs.Store(&next)
		b.subs = slices.DeleteFunc(b.subs, func(o subEnd) bool { return o == subEnd(s) })
	})
}

// offer queues ev without waiting; false means that the publisher must wait.
// It runs under the topic's turn, so it is the only sender on s.ch.
func (s *Sub[T]) offer(ev Event[T]) bool {
	for {
		select {
		case s.ch <- ev:
			s.queued.Add(1)
			return true
		default:
		}
		if s.over == Block {
			return false
		}
		select {
		case <-s.ch:
			s.evicted.Add(1)
		default: // the reader was quicker
		}
	}
}

// wait queues ev once there is room; false means that ctx ended first.
func (s *Sub[T]) wait(ctx context.Context, ev Event[T]) bool {
	s.waits.Add(1)
	select {
	case s.ch <- ev:
		s.queued.Add(1)
		return true
	case <-s.done:
		return true
	case <-ctx.Done():
	}
	select { // room may have come at the same moment
	case s.ch <- ev:
		s.queued.Add(1)
		return true
	default:
		s.missed.Add(1)
		return false
	}
}

// subEnd is what the bus knows of a subscription, whatever its type.
type subEnd interface {
	who() (name string, typ reflect.Type, waits bool)
	stat() SubStat
}

func (s *Sub[T]) who() (string, reflect.Type, bool) {
	return s.name, reflect.TypeFor[T](), s.over == Block
}

func (s *Sub[T]) stat() SubStat {
	evicted := s.evicted.Load() // before queued: the difference never falls below zero
	return SubStat{
		Name: s.name, Type: reflect.TypeFor[T]().String(), Policy: s.over.String(),
		Len: len(s.ch), Cap: cap(s.ch),
		Delivered: s.queued.Load() - evicted, Dropped: evicted + s.missed.Load(), Waits: s.waits.Load(),
	}
}
