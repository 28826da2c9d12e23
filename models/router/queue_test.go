package router_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

// crowd asks at once and notes the order of the answers.
type crowd struct {
	t  *testing.T
	r  *router.Router
	wg sync.WaitGroup

	mu    sync.Mutex
	order []string
}

// ask queues a request behind those before it.
func (c *crowd) ask(ctx context.Context, name string, q models.Request) {
	q.Messages = words(name).Messages
	q.Temperature = 1
	c.wg.Go(func() {
		_, _, err := read(ctx, c.r, q)
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			name += "!"
		}
		c.order = append(c.order, name)
	})
	synctest.Wait()
}

func (c *crowd) done() string {
	c.wg.Wait()
	return strings.Join(c.order, " ")
}

func TestQueueOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "a", play: saying(time.Second, "one")}
		r, event := made(t, router.Config{Engines: []router.Engine{e}})
		c := &crowd{t: t, r: r}
		for _, w := range []struct {
			name string
			work models.Work
		}{
			{"first", models.Summarizing}, {"s1", models.Summarizing}, {"d1", models.Deep}, {"p1", models.Planning}, {"q1", models.Quick},
			{"s2", models.Summarizing}, {"c1", models.Coding}, {"p2", models.Planning}, {"q2", ""}, {"q3", models.Quick},
		} {
			c.ask(t.Context(), w.name, models.Request{Work: w.work})
		}
		if got, want := c.done(), "first q1 q2 q3 p1 p2 d1 c1 s1 s2"; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
		if e.most != 1 {
			t.Errorf("%d at the same time", e.most)
		}
		for i := range 10 {
			if a := event(); a.Waited != time.Duration(i)*time.Second || a.FirstToken != a.Waited+time.Second {
				t.Errorf("the %d. waited %+v", i+1, a)
			}
		}
	})
}

func TestParallelAndClouds(t *testing.T) {
	for name, tt := range map[string]struct {
		parallel, most int
		cloud          func(string) bool
	}{
		"one": {0, 1, nil}, "three": {3, 3, nil}, "cloud": {1, 8, always},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := &engine{name: "a", play: saying(time.Second, "one"), cloud: tt.cloud}
			r, _ := made(t, router.Config{Engines: []router.Engine{e}, Parallel: tt.parallel, Consent: &consent{approval: "standing"}})
			c := &crowd{t: t, r: r}
			for range 8 {
				c.ask(t.Context(), "x", models.Request{})
			}
			c.done()
			if e.most != tt.most {
				t.Errorf("%s: %d at the same time", name, e.most)
			}
		})
	}
}

func TestWhoGivesUpLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "a", play: saying(time.Second, "one")}
		r, event := made(t, router.Config{Engines: []router.Engine{e, &engine{name: "b", play: saying(0, "b")}}, Fallback: []string{"b"}})
		c := &crowd{t: t, r: r}
		tired, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		c.ask(t.Context(), "first", models.Request{})
		c.ask(tired, "tired", models.Request{})
		c.ask(t.Context(), "last", models.Request{})
		begun := time.Now()
		if got := c.done(); got != "tired! first last" || e.count() != 2 || time.Since(begun) != 2*time.Second {
			t.Errorf("%s, asked %d times, took %v", got, e.count(), time.Since(begun))
		}
		if a := event(); a.Err != "cancelled" || a.Waited != 500*time.Millisecond {
			t.Errorf("published %+v", a)
		}
	})
}

func TestReadingAheadGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "a", play: func(ctx context.Context, q models.Request, yield func(models.Delta, error) bool) {
			if q.MaxTokens < 0 {
				<-ctx.Done()
				sleep(context.Background(), 10*time.Millisecond) // to let go
				yield(models.Delta{}, fmt.Errorf("%w: %w", models.ErrBroken, ctx.Err()))
				return
			}
			saying(time.Second, "one")(ctx, q, yield)
		}}
		r, event := made(t, router.Config{Engines: []router.Engine{e}, FirstToken: 5 * time.Second})
		c := &crowd{t: t, r: r}
		prompt := models.Request{MaxTokens: -1}
		c.ask(t.Context(), "p1", prompt)
		time.Sleep(time.Minute) // longer than a first word may take: nobody waits for it
		c.ask(t.Context(), "p2", prompt)
		time.Sleep(time.Second)
		c.ask(t.Context(), "q", models.Request{})
		c.ask(t.Context(), "s", models.Request{Work: models.Summarizing})
		ahead, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c.ask(ahead, "p3", prompt)
		if got := c.done(); got != "p1! p2! q s p3!" {
			t.Errorf("got %s", got)
		}
		for _, want := range []string{models.ErrBusy.Error(), models.ErrBusy.Error(), "", "", "cancelled"} {
			if a := event(); a.Err != want || want == "" && a.Waited > 1100*time.Millisecond {
				t.Errorf("published %+v, want error %q", a, want)
			}
		}
	})
}

func TestReadingAheadStaysHere(t *testing.T) {
	away := &consent{approval: "standing"}
	a, b := &engine{name: "a", play: failing(models.ErrUnreachable)}, &engine{name: "b", play: saying(0, "b"), cloud: always}
	for _, first := range []string{"a", "b"} {
		r, _ := made(t, router.Config{Engines: []router.Engine{a, b}, Consent: away, Default: first, Fallback: []string{"b"}})
		q := words("hello")
		q.MaxTokens = -1
		if _, _, err := read(t.Context(), r, q); err == nil || b.count() > 0 || len(away.sent) > 0 {
			t.Errorf("error %v, asked %d times, sent %v", err, b.count(), away.sent)
		}
	}
}

// A crowd with random ranks and patience: nobody is forgotten and places are given back.
func TestQueueUnderStorm(t *testing.T) {
	works := []models.Work{models.Quick, models.Planning, models.Deep, models.Summarizing}
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			e := &engine{name: "a", play: saying(20*time.Millisecond, "one", "two")}
			parallel := 1 + rnd.IntN(3)
			r, _ := made(t, router.Config{Engines: []router.Engine{e}, Parallel: parallel})
			var wg sync.WaitGroup
			for range 60 {
				q := words("x")
				q.Work = works[rnd.IntN(len(works))]
				if rnd.IntN(5) == 0 {
					q.MaxTokens = -1
				}
				after, patience := time.Duration(rnd.IntN(1000))*time.Millisecond, time.Duration(1+rnd.IntN(500))*time.Millisecond
				wg.Go(func() {
					time.Sleep(after)
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					_, _, err := read(ctx, r, q)
					if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, models.ErrBusy) {
						t.Errorf("got %v", err)
					}
				})
			}
			wg.Wait()
			if e.most > parallel {
				t.Errorf("%d at the same time, want at most %d", e.most, parallel)
			}
			begun := time.Now()
			if _, _, err := read(t.Context(), r, words("x")); err != nil || time.Since(begun) > 40*time.Millisecond {
				t.Errorf("afterwards: %v after %v", err, time.Since(begun))
			}
		})
	}
}

func TestVectorsWaitTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "a", play: saying(time.Second, "one")}
		r, event := made(t, router.Config{Engines: []router.Engine{e}})
		c := &crowd{t: t, r: r}
		c.ask(t.Context(), "first", models.Request{})
		if got, err := r.Embed(t.Context(), "", []string{"x", "y"}); err != nil || len(got) != 2 {
			t.Errorf("got %v, %v", got, err)
		}
		c.done()
		a := event()
		if b := event(); b.Work == "embedding" { // which of the two is told first is up to chance
			a = b
		}
		if a.Waited != time.Second || a.Usage.Engine != "a" || a.Work != "embedding" {
			t.Errorf("published %+v", a)
		}
		if _, err := r.Embed(t.Context(), "odd", []string{"x"}); !errors.Is(err, models.ErrNonsense) {
			t.Errorf("got %v", err)
		}
		if got, err := r.Embed(t.Context(), "", nil); err != nil || got != nil || len(e.texts) != 2 {
			t.Errorf("nothing to embed gave %v, %v", got, err)
		}
	})
}
