// Package bus carries typed facts between Solo's parts: the type is the topic.
//
// A part declares what it publishes with Publisher and what it listens to with Subscribe, each under
// its own name. An event is a fact in the past tense: small, immutable, no sound inside.
//
// # Concurrency promises
//
//   - Everything here may be called from any goroutine at any time.
//   - Events of one type reach every subscription in the order of their Seq. Events of different
//     types may be read in another order than they were published; Seq tells.
//   - Publish waits only for Block subscriptions that are full, and no longer than its ctx lives.
//     All the others have the event before it waits, so a slow reader delays no fast one.
//   - While one publisher of a type waits, so do the other publishers of that type.
//   - A DropOldest subscription never makes anyone wait; what it loses is counted.
//   - When ctx ends while Publish waits, the subscriptions still full miss that event (counted as
//     dropped) and Publish returns the ctx's cause.
//   - Subscribe and Close never wait for a publisher. Close frees a publisher that waits for it.
//   - Publish starts no goroutine and, without a tap, allocates nothing.
//
// Publish outside of your own locks. A ring of parts that block on each other can stand still for
// ever: Cycle finds it from the declarations alone, and a test of the whole house asks it.
package bus

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Meta says when, by whom, and because of what an event was published.
type Meta struct {
	Seq   uint64    `json:"seq"`   // position on the bus's one timeline, from 1
	Cause uint64    `json:"cause"` // Seq of the event being handled when this was published, 0 for none
	Turn  uint64    `json:"turn"`  // conversation turn, 0 outside one
	At    time.Time `json:"at"`
	From  string    `json:"from"` // the publisher's name
}

// Event is a published T and its Meta.
type Event[T any] struct {
	Meta
	Val T
}

// Bus connects publishers and subscribers. The zero Bus is ready to use and must not be copied.
type Bus struct {
	seq    atomic.Uint64
	taps   taps
	mu     sync.Mutex           // guards what follows; never held while an event is handed out
	topics map[reflect.Type]any // *topic[T]
	pubs   []*pubEnd
	subs   []subEnd
}

// topic is the meeting point of one type's publishers and subscriptions.
type topic[T any] struct {
	bus  *Bus
	turn chan struct{}             // held while one event is handed out; orders one type's events
	subs atomic.Pointer[[]*Sub[T]] // replaced whole under bus.mu
}

// topicOf finds or makes T's topic; b.mu must be held.
func topicOf[T any](b *Bus) *topic[T] {
	typ := reflect.TypeFor[T]()
	if t, ok := b.topics[typ]; ok {
		return t.(*topic[T])
	}
	t := &topic[T]{bus: b, turn: make(chan struct{}, 1)}
	t.subs.Store(&[]*Sub[T]{})
	if b.topics == nil {
		b.topics = map[reflect.Type]any{}
	}
	b.topics[typ] = t
	return t
}

// take waits for the right to hand out one event of T.
func (t *topic[T]) take(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *topic[T]) give() { <-t.turn }

// Tap shows every event to f until stop is called, for the debugger and the dashboard.
// f runs inside Publish, for events of different types at the same time:
// it must be quick, must not block, and must not publish.
func (b *Bus) Tap(f func(Meta, any)) (stop func()) { return b.taps.add(f) }

// taps is a list that is read without a lock; nil while nobody taps.
type taps struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*tap]
}

type tap struct{ f func(Meta, any) }

func (t *taps) add(f func(Meta, any)) (stop func()) {
	one := &tap{f}
	t.change(func(l []*tap) []*tap { return append(l, one) })
	return func() {
		t.change(func(l []*tap) []*tap { return slices.DeleteFunc(l, func(o *tap) bool { return o == one }) })
	}
}

func (t *taps) change(edit func([]*tap) []*tap) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*tap
	if old := t.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	if list = edit(list); len(list) == 0 {
		t.list.Store(nil)
		return
	}
	t.list.Store(&list)
}

// byNameAndType orders what declares itself on the bus.
func byNameAndType(name1, type1, name2, type2 string) int {
	return cmp.Or(cmp.Compare(name1, name2), cmp.Compare(type1, type2))
}
