package bus

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kelindar/event"
)

// fact is about as large as Solo's larger events.
type fact struct {
	n    uint64
	at   time.Time
	id   [16]byte
	text string
}

func (fact) Type() uint32 { return 1 } // as github.com/kelindar/event wants it

// The bus against plain channels and a public event bus, all with readers that take every event.
// What the others do not do: order, causes, time stamps, counters, ctx.
func BenchmarkPublish(b *testing.B) {
	for _, readers := range []int{0, 1, 3} {
		b.Run(fmt.Sprintf("bus/readers=%d", readers), func(b *testing.B) { benchBus(b, readers) })
		b.Run(fmt.Sprintf("channels/readers=%d", readers), func(b *testing.B) { benchChannels(b, readers) })
		b.Run(fmt.Sprintf("kelindar/readers=%d", readers), func(b *testing.B) { benchKelindar(b, readers) })
	}
}

func benchBus(b *testing.B, readers int) {
	var bs Bus
	pub := Publisher[fact](&bs, "p")
	ctx, cancel := context.WithCancel(b.Context())
	ctx, _ = NewTurn(ctx)
	var wg sync.WaitGroup
	for range readers {
		s := Subscribe[fact](&bs, "s", 64, Block)
		wg.Go(func() {
			for {
				select {
				case <-s.C:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		if err := pub.Publish(ctx, fact{n: i}); err != nil {
			b.Fatal(err)
		}
	}
	cancel()
	wg.Wait()
}

func benchChannels(b *testing.B, readers int) {
	ctx, cancel := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	var chs []chan fact
	for range readers {
		ch := make(chan fact, 64)
		chs = append(chs, ch)
		wg.Go(func() {
			for {
				select {
				case <-ch:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		for _, ch := range chs {
			select {
			case ch <- fact{n: i}:
			case <-ctx.Done():
			}
		}
	}
	cancel()
	wg.Wait()
}

func benchKelindar(b *testing.B, readers int) {
	d := event.NewDispatcher()
	defer d.Close()
	for range readers {
		event.Subscribe(d, func(fact) {})
	}
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		event.Publish(d, fact{n: i})
	}
}

// A level meter that nobody reads must cost its publisher next to nothing.
func BenchmarkLatestUnread(b *testing.B) {
	var bs Bus
	pub := Publisher[fact](&bs, "p")
	Subscribe[fact](&bs, "s", 1, DropOldest)
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if err := pub.Publish(ctx, fact{}); err != nil {
			b.Fatal(err)
		}
	}
}

// From Publish until a reader has the event: what a turn waits for.
func BenchmarkHandOver(b *testing.B) {
	b.Run("bus", func(b *testing.B) {
		var bs Bus
		there, back := Publisher[fact](&bs, "p"), make(chan struct{})
		s := Subscribe[fact](&bs, "s", 8, Block)
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		go func() {
			for range s.All(ctx) {
				back <- struct{}{}
			}
		}()
		for b.Loop() {
			if err := there.Publish(ctx, fact{}); err != nil {
				b.Fatal(err)
			}
			<-back
		}
	})
	b.Run("channels", func(b *testing.B) {
		there, back := make(chan fact, 8), make(chan struct{})
		defer close(there)
		go func() {
			for range there {
				back <- struct{}{}
			}
		}()
		for b.Loop() {
			there <- fact{}
			<-back
		}
	})
	b.Run("kelindar", func(b *testing.B) {
		d, back := event.NewDispatcher(), make(chan struct{})
		defer d.Close()
		event.Subscribe(d, func(fact) { back <- struct{}{} })
		for b.Loop() {
			event.Publish(d, fact{})
			<-back
		}
	})
}
