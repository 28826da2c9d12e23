package bus

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type heard struct{ text string }
type said struct{ text string }

func publish[T any](t *testing.T, p Pub[T], vals ...T) {
	t.Helper()
	for _, v := range vals {
		if err := p.Publish(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
}

func drain(s *Sub[heard]) (texts []string) {
	for len(s.C) > 0 {
		texts = append(texts, (<-s.C).Val.text)
	}
	return texts
}

func TestDropOldestKeepsTheLatest(t *testing.T) {
	for name, tt := range map[string]struct {
		size    int
		want    []string
		dropped uint64
	}{
		"latest":           {1, []string{"d"}, 3},
		"size 0 means 1":   {0, []string{"d"}, 3},
		"some":             {3, []string{"b", "c", "d"}, 1},
		"room for all":     {4, []string{"a", "b", "c", "d"}, 0},
		"more than enough": {9, []string{"a", "b", "c", "d"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var b Bus
			s := Subscribe[heard](&b, "ui", tt.size, DropOldest)
			publish(t, Publisher[heard](&b, "ears"), heard{"a"}, heard{"b"}, heard{"c"}, heard{"d"})
			if got := drain(s); !slices.Equal(got, tt.want) || s.Dropped() != tt.dropped {
				t.Fatalf("got %q, dropped %d", got, s.Dropped())
			}
		})
	}
}

func TestBlockEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Bus
		p := Publisher[heard](&b, "ears")
		mind := Subscribe[heard](&b, "mind", 1, Block)
		memory := Subscribe[heard](&b, "memory", 4, Block)
		ui := Subscribe[heard](&b, "ui", 4, DropOldest)
		publish(t, p, heard{"a"})
		why := errors.New("the user went away")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, why)
		defer cancel()
		began := time.Now()
		if err := p.Publish(ctx, heard{"b"}); !errors.Is(err, why) || time.Since(began) != time.Second {
			t.Fatal(err, time.Since(began))
		}
		if got := drain(mind); !slices.Equal(got, []string{"a"}) || mind.Dropped() != 1 {
			t.Fatalf("mind got %q, dropped %d", got, mind.Dropped())
		}
		for _, s := range []*Sub[heard]{memory, ui} {
			if got := drain(s); !slices.Equal(got, []string{"a", "b"}) {
				t.Fatalf("%s lost what it had room for: %q", s.name, got)
			}
		}
	})
}

func TestASlowReaderDelaysNoFastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Bus
		p := Publisher[heard](&b, "ears")
		slow := Subscribe[heard](&b, "slow", 1, Block)
		fast := Subscribe[heard](&b, "fast", 1, DropOldest)
		publish(t, p, heard{"a"})
		go p.Publish(t.Context(), heard{"b"})
		synctest.Wait() // the publisher stands before slow
		if got := drain(fast); !slices.Equal(got, []string{"b"}) {
			t.Fatalf("fast got %q", got)
		}
		if other := Subscribe[heard](&b, "late", 1, Block); other == nil {
			t.Fatal("subscribing waited")
		}
		slow.Close() // frees the publisher
		synctest.Wait()
		publish(t, p, heard{"c"})
		slow.Close()
	})
}

func TestCauseAndTurn(t *testing.T) {
	var b Bus
	in, out := Publisher[heard](&b, "ears"), Publisher[said](&b, "mind")
	hs, ss := Subscribe[heard](&b, "mind", 4, Block), Subscribe[said](&b, "voice", 4, Block)
	ctx, turn := NewTurn(With(t.Context(), &Meta{Seq: 41, Turn: 3}))
	if m := MetaOf(ctx); turn == 3 || m.Turn != turn || m.Seq != 41 {
		t.Fatalf("turn %d: %+v", turn, m)
	}
	if _, next := NewTurn(ctx); next != turn+1 {
		t.Fatal("turns are not counted one by one")
	}
	if err := in.Publish(ctx, heard{"hi"}); err != nil {
		t.Fatal(err)
	}
	var h Event[heard]
	for ctx, ev := range hs.All(t.Context()) {
		h = ev
		if err := out.Publish(ctx, said{"hello"}); err != nil {
			t.Fatal(err)
		}
		break
	}
	s := <-ss.C
	if h.Cause != 41 || h.Turn != turn || h.From != "ears" || h.At.IsZero() {
		t.Errorf("heard: %+v", h)
	}
	if s.Cause != h.Seq || s.Turn != turn || s.From != "mind" || s.Seq <= h.Seq {
		t.Errorf("said: %+v after %+v", s, h)
	}
	if m := MetaOf(t.Context()); m != (Meta{}) {
		t.Errorf("outside a turn: %+v", m)
	}
}

func TestAllEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Bus
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		one, two := Subscribe[heard](&b, "one", 1, Block), Subscribe[heard](&b, "two", 1, Block)
		for _, s := range []*Sub[heard]{one, two} {
			wg.Go(func() {
				for range s.All(ctx) {
				}
			})
		}
		synctest.Wait()
		one.Close()
		cancel()
		wg.Wait() // the bubble fails if either stays
	})
}

func TestTap(t *testing.T) {
	var b Bus
	p, q := Publisher[heard](&b, "ears"), Publisher[said](&b, "mind")
	var seen []any
	var metas []Meta
	stop := b.Tap(func(m Meta, v any) { seen, metas = append(seen, v), append(metas, m) })
	n := 0
	defer b.Tap(func(Meta, any) { n++ })()
	publish(t, p, heard{"a"})
	publish(t, q, said{"b"})
	stop()
	stop()
	publish(t, p, heard{"c"})
	if !slices.Equal(seen, []any{heard{"a"}, said{"b"}}) || n != 3 {
		t.Fatalf("saw %v, the other tap %d", seen, n)
	}
	if metas[0].Seq != 1 || metas[1].Seq != 2 || metas[1].From != "mind" {
		t.Fatalf("%+v", metas)
	}
}

func TestStats(t *testing.T) {
	var b Bus
	p := Publisher[heard](&b, "ears")
	ui := Subscribe[heard](&b, "ui", 2, DropOldest)
	Subscribe[heard](&b, "mind", 4, Block)
	gone := Subscribe[heard](&b, "gone", 4, Block)
	publish(t, p, heard{"a"}, heard{"b"}, heard{"c"})
	<-ui.C
	gone.Close()
	Publisher[said](&b, "mind")
	publish(t, Publisher[heard](&b, "ears"), heard{"d"}) // the same publisher, asked for twice
	want := Stats{
		Seq:  4,
		Pubs: []PubStat{{"ears", "bus.heard", 4}, {"mind", "bus.said", 0}},
		Subs: []SubStat{
			{Name: "mind", Type: "bus.heard", Policy: "block", Len: 4, Cap: 4, Delivered: 4},
			{Name: "ui", Type: "bus.heard", Policy: "drop oldest", Len: 2, Cap: 2, Delivered: 3, Dropped: 1},
		},
	}
	got := b.Stats()
	if got.Seq != want.Seq || !slices.Equal(got.Pubs, want.Pubs) || !slices.Equal(got.Subs, want.Subs) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestPublishAllocatesNothing(t *testing.T) {
	var b Bus
	p := Publisher[heard](&b, "ears")
	for range 3 {
		Subscribe[heard](&b, "ui", 2, DropOldest)
	}
	ctx, _ := NewTurn(t.Context())
	if n := testing.AllocsPerRun(100, func() { p.Publish(ctx, heard{"a"}) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
