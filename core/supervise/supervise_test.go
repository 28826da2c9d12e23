package supervise

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type job struct {
	name string
	f    func(context.Context) error
}

func (j job) String() string                  { return j.name }
func (j job) Serve(ctx context.Context) error { return j.f(ctx) }

// good is ready at once and stops when asked.
func good(ctx context.Context) error { Ready(ctx); <-ctx.Done(); return context.Cause(ctx) }

// watched is a running tree and what its Watch saw.
type watched struct {
	*Tree
	mu   sync.Mutex
	seen []Status
	stop context.CancelFunc
	done chan error
}

func start(t *testing.T, c Config, services ...Service) *watched {
	w := &watched{done: make(chan error, 1)}
	c.Watch = func(s Status) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, s)
	}
	w.Tree = New(c, services...)
	var ctx context.Context
	ctx, w.stop = context.WithCancel(t.Context())
	go func() { w.done <- w.Serve(ctx) }()
	synctest.Wait()
	return w
}

func (w *watched) end(t *testing.T) {
	t.Helper()
	w.stop()
	if err := <-w.done; err != nil {
		t.Error(err)
	}
}

// names of the services that came into state, in that order.
func (w *watched) names(state State) (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.seen {
		if s.State == state {
			names = append(names, s.Name)
		}
	}
	return names
}

func (w *watched) state(t *testing.T, name string) Status {
	t.Helper()
	all := w.States()
	i := slices.IndexFunc(all, func(s Status) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no %s in %v", name, all)
	}
	return all[i]
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestStartsInOrderAndStopsInReverse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := job{"engine", func(ctx context.Context) error { time.Sleep(3 * time.Second); return good(ctx) }}
		w := start(t, Config{}, job{"store", good}, slow, job{"door", good})
		want(t, "door before engine is ready", w.state(t, "door").State, Idle)
		want(t, "engine", w.state(t, "engine").State, Starting)
		time.Sleep(4 * time.Second)
		w.end(t)
		if up := w.names(Up); !slices.Equal(up, []string{"store", "engine", "door"}) {
			t.Error(up)
		}
		if down := w.names(Stopped); !slices.Equal(down, []string{"door", "engine", "store"}) {
			t.Error(down)
		}
		want(t, "an end on request is no failure", w.state(t, "store").Err, nil)
	})
}

func TestLateServiceDoesNotHoldUpTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mic := job{"mic", func(ctx context.Context) error { time.Sleep(time.Minute); return good(ctx) }}
		w := start(t, Config{}, Keep{Service: mic, Patience: 2 * time.Second}, job{"door", good})
		time.Sleep(1900 * time.Millisecond)
		want(t, "door", w.state(t, "door").State, Idle)
		time.Sleep(200 * time.Millisecond)
		want(t, "door", w.state(t, "door").State, Up)
		want(t, "mic", w.state(t, "mic").State, Late)
		time.Sleep(time.Minute)
		want(t, "mic in the end", w.state(t, "mic").State, Up)
		w.end(t)
	})
}

func TestFailureHoldsUpTheRestOnlyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, Config{}, job{"bad", func(context.Context) error { return errors.New("no device") }}, job{"door", good})
		want(t, "door", w.state(t, "door").State, Up)
		want(t, "bad", w.state(t, "bad").State, Waiting)
		want(t, "why", w.state(t, "bad").Err.Error(), "no device")
		w.end(t)
		want(t, "bad at the end", w.state(t, "bad").State, Stopped)
	})
}

func TestBackOffIsEachOnesOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hiccup := make(chan struct{})
		var runs atomic.Int64
		sound := job{"sound", func(ctx context.Context) error {
			if runs.Add(1) == 1 {
				Ready(ctx)
				<-hiccup
				return errors.New("hiccup")
			}
			return good(ctx)
		}}
		w := start(t, Config{Pause: time.Second, Longest: 30 * time.Second},
			job{"flappy", func(context.Context) error { return errors.New("boom") }}, sound)
		time.Sleep(5 * time.Minute)
		close(hiccup)
		time.Sleep(time.Second + time.Millisecond)
		want(t, "runs of the sound one after its own pause", runs.Load(), int64(2))
		want(t, "state", w.state(t, "sound").State, Up)
		want(t, "its last error stays", w.state(t, "sound").Err.Error(), "hiccup")
		// 1+2+4+8+16 s, then every 30 s
		want(t, "restarts of the flappy one", w.state(t, "flappy").Restarts, 5+(301-31)/30)
		w.end(t)
	})
}

func TestASteadyRunForgives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts []time.Time
		bad := job{"bad", func(ctx context.Context) error {
			starts = append(starts, time.Now())
			if len(starts) == 4 {
				time.Sleep(time.Minute)
			}
			return errors.New("boom")
		}}
		w := start(t, Config{}, Keep{Service: bad, Pause: time.Second, Longest: time.Hour, Steady: time.Minute})
		time.Sleep(90 * time.Second)
		w.end(t)
		var gaps []time.Duration
		for i := 1; i < 6; i++ {
			gaps = append(gaps, starts[i].Sub(starts[i-1]))
		}
		if !slices.Equal(gaps, []time.Duration{1e9, 2e9, 4e9, 61e9, 2e9}) {
			t.Error(gaps)
		}
	})
}

func TestPanicAndGoexitAreFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		odd := job{"odd", func(ctx context.Context) error {
			switch n++; n {
			case 1:
				panic("ouch")
			case 2:
				runtime.Goexit()
			}
			return good(ctx)
		}}
		w := start(t, Config{Pause: time.Second}, odd)
		p, ok := errors.AsType[*Panic](w.state(t, "odd").Err)
		if !ok || p.Value != "ouch" || !strings.Contains(p.Stack, "TestPanicAndGoexit") {
			t.Errorf("%+v", w.state(t, "odd").Err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if err := w.state(t, "odd").Err; err == nil || !strings.Contains(err.Error(), "Goexit") {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want(t, "state", w.state(t, "odd").State, Up)
		want(t, "restarts", w.state(t, "odd").Restarts, 2)
		w.end(t)
	})
}

func TestFatalEndsTheTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("disk gone")
		inner := New(Config{Name: "inner"}, job{"disk", func(ctx context.Context) error {
			Ready(ctx)
			time.Sleep(time.Second)
			return Fatal(gone)
		}})
		w := start(t, Config{}, job{"other", good}, inner, job{"late", good})
		err := <-w.done
		if !errors.Is(err, ErrFatal) || !errors.Is(err, gone) || err.Error() != "inner: disk: disk gone" {
			t.Error(err)
		}
		want(t, "the failed", w.state(t, "inner/disk").State, Done)
		want(t, "the others", w.state(t, "other").State, Stopped)
		want(t, "nil is not fatal", Fatal(nil), nil)
	})
}

func TestFinishedStaysFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		w := start(t, Config{}, job{"once", func(context.Context) error { n++; return nil }}, job{"door", good})
		time.Sleep(time.Hour)
		want(t, "runs", n, 1)
		want(t, "state", w.state(t, "once").State, Done)
		want(t, "door", w.state(t, "door").State, Up)
		if err := w.Restart("once"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		want(t, "runs after Restart", n, 2)
		w.end(t)
	})
}

func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var why error
		up := job{"up", func(ctx context.Context) error { Ready(ctx); <-ctx.Done(); why = context.Cause(ctx); return nil }}
		down := job{"down", func(context.Context) error { return errors.New("boom") }}
		w := start(t, Config{}, New(Config{Name: "in"}, up), Keep{Service: down, Pause: time.Hour})
		for _, name := range []string{"in/up", "down"} {
			before := w.state(t, name).Restarts
			if err := w.Restart(name); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			want(t, name, w.state(t, name).Restarts, before+1)
		}
		want(t, "cause", why, ErrRestart)
		want(t, "up", w.state(t, "in/up").State, Up)
		want(t, "no failure", w.state(t, "in/up").Err, nil)
		for _, name := range []string{"nobody", "in/nobody", "down/in"} {
			if err := w.Restart(name); !errors.Is(err, ErrUnknown) {
				t.Error(name, err)
			}
		}
		w.end(t)
	})
}

func TestStuckIsReportedWithItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		hang := job{"hang", func(ctx context.Context) error {
			Ready(ctx)
			done := make(chan struct{})
			go func() { defer close(done); waitInC(free) }()
			<-done
			return nil
		}}
		w := start(t, Config{Name: "solo"}, job{"store", good}, Keep{Service: hang, Grace: 2 * time.Second}, job{"door", good})
		began := time.Now()
		w.stop()
		if err := <-w.done; !errors.Is(err, ErrStuck) || !strings.Contains(err.Error(), "hang") {
			t.Error(err)
		}
		want(t, "time to give up", time.Since(began), 2*time.Second)
		s := w.state(t, "hang")
		if s.State != Stuck || !strings.Contains(s.Stack, "waitInC") {
			t.Errorf("%s: %s", s.State, s.Stack)
		}
		want(t, "the store still stopped", w.state(t, "store").State, Stopped)
		close(free)
	})
}

// waitInC stands for a call that does not hear ctx.
func waitInC(free chan struct{}) { <-free }

func TestRestartOfAStuckOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, free := 0, make(chan struct{})
		hang := job{"hang", func(ctx context.Context) error {
			if n++; n > 1 {
				return good(ctx)
			}
			Ready(ctx)
			<-free
			return nil
		}}
		w := start(t, Config{Grace: time.Second}, hang)
		if err := w.Restart("hang"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		want(t, "a second one beside the stuck one", n, 1)
		want(t, "state", w.state(t, "hang").State, Stuck)
		close(free)
		synctest.Wait()
		want(t, "state after it gave way", w.state(t, "hang").State, Up)
		want(t, "stack", w.state(t, "hang").Stack, "")
		w.end(t)
	})
}

func TestReadyTooLateAndTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var first context.Context
		odd := job{"odd", func(ctx context.Context) error {
			if first == nil {
				first = ctx
				return errors.New("boom")
			}
			Ready(ctx)
			Ready(ctx)
			return good(ctx)
		}}
		w := start(t, Config{Pause: time.Second}, odd)
		Ready(first) // of a run that is over
		want(t, "state", w.state(t, "odd").State, Waiting)
		time.Sleep(30 * time.Second)
		if up := w.names(Up); len(up) != 1 {
			t.Errorf("told of Up %d times", len(up))
		}
		w.end(t)
		Ready(t.Context()) // outside a tree: nothing to tell
	})
}

func TestStopWhileStarting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, Config{}, job{"slow", func(ctx context.Context) error { <-ctx.Done(); return nil }}, job{"door", good})
		w.end(t)
		want(t, "slow", w.state(t, "slow").State, Stopped)
		want(t, "door", w.state(t, "door").State, Idle)
	})
}

func TestNamesMustTellApart(t *testing.T) {
	for _, names := range [][]string{{"a", "a"}, {""}, {"a/b"}} {
		var s []Service
		for _, n := range names {
			s = append(s, job{n, good})
		}
		if err := New(Config{}, s...).Serve(t.Context()); !errors.Is(err, ErrFatal) {
			t.Error(names, err)
		}
	}
}

func TestStatusAsJSON(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for want, s := range map[string]Status{
		`{"name":"mic","state":"idle","restarts":0}`: {Name: "mic", State: Idle},
		`{"name":"mic","state":"waiting","since":"2025-01-02T03:04:05Z","restarts":2,"error":"boom"}`: {
			Name: "mic", State: Waiting, Since: at, Restarts: 2, Err: errors.New("boom")},
	} {
		if got, err := json.Marshal(s); err != nil || string(got) != want {
			t.Errorf("got %s, %v", got, err)
		}
	}
}
