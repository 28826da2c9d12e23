package bus

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"
)

// Pub publishes events of one type under one name. Copy it freely.
type Pub[T any] struct {
	end *pubEnd
	t   *topic[T]
}

// pubEnd is what the bus knows of a publisher, whatever its type.
type pubEnd struct {
	from  string
	typ   reflect.Type
	count atomic.Uint64
}

// Publisher returns a publisher of T for the part called from. Asking again under the same name
// gives the same publisher, so that a restarted service keeps its counters.
func Publisher[T any](b *Bus, from string) Pub[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, typ := topicOf[T](b), reflect.TypeFor[T]()
	for _, e := range b.pubs {
		if e.from == from && e.typ == typ {
			return Pub[T]{e, t}
		}
	}
	end := &pubEnd{from: from, typ: typ}
	b.pubs = append(b.pubs, end)
	return Pub[T]{end, t}
}

// Publish hands v to every subscription of T, with the cause and turn that ctx carries.
// It waits only for Block subscriptions that are full; the error is ctx's cause if that ended first.
func (p Pub[T]) Publish(ctx context.Context, v T) error {
	b := p.t.bus
	taps := b.taps.list.Load()
	if taps == nil && len(*p.t.subs.Load()) == 0 {
		p.end.count.Add(1)
		b.seq.Add(1)
		return nil
	}
	ev := Event[T]{Meta{At: time.Now(), From: p.end.from}, v}
	if m, ok := ctx.Value(metaKey{}).(*Meta); ok {
		ev.Cause, ev.Turn = m.Seq, m.Turn
	}
	if err := p.t.take(ctx); err != nil {
		return err
	}
	defer p.t.give()
	p.end.count.Add(1)
	ev.Seq = b.seq.Add(1)
	if taps != nil {
		for _, t := range *taps {
			t.f(ev.Meta, v)
		}
	}
	return p.t.deliver(ctx, ev)
}

// deliver runs with the topic's turn held. First everyone with room is served, then it waits for the full.
func (t *topic[T]) deliver(ctx context.Context, ev Event[T]) error {
	subs := *t.subs.Load()
	full := false
	for _, s := range subs {
		s.owed = !s.offer(ev)
		full = full || s.owed
	}
	if !full {
		return nil
	}
	var err error
	for _, s := range subs {
		if s.owed && !s.wait(ctx, ev) {
			err = context.Cause(ctx)
		}
	}
	return err
}
