package bus

import (
	"context"
	"sync"
	"testing"
)

// Many publishers, a reader that must lose nothing, one that may, and others that come and go.
func TestManyAtOnce(t *testing.T) {
	const writers, each = 4, 5000
	var b Bus
	ctx, cancel := context.WithCancel(t.Context())
	all, some := Subscribe[int](&b, "all", 8, Block), Subscribe[int](&b, "some", 8, DropOldest)
	defer b.Tap(func(Meta, any) {})()
	var wg sync.WaitGroup
	wg.Go(func() { inOrder(ctx, t, some, writers*each+1) })
	wg.Go(func() {
		for ctx.Err() == nil {
			guest := Subscribe[int](&b, "guest", 1, Block)
			b.Stats()
			b.Cycle()
			guest.Close()
		}
	})
	for i := range writers {
		wg.Go(func() {
			p := Publisher[int](&b, "p")
			for j := range each {
				if err := p.Publish(ctx, i*j); err != nil {
					t.Error(err)
				}
			}
		})
	}
	inOrder(ctx, t, all, writers*each) // hangs if one is lost
	cancel()
	wg.Wait()
	for _, s := range b.Stats().Subs {
		if s.Delivered+s.Dropped != writers*each {
			t.Errorf("%+v does not account for all %d", s, writers*each)
		}
	}
}

// inOrder reads n events, or until ctx ends.
func inOrder(ctx context.Context, t *testing.T, s *Sub[int], n int) {
	last := uint64(0)
	for _, e := range s.All(ctx) {
		if e.Seq <= last {
			t.Errorf("%s read %d after %d", s.name, e.Seq, last)
		}
		if last, n = e.Seq, n-1; n == 0 {
			return
		}
	}
}
