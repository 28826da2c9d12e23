package job_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slate is Rows in memory. Broken, where set, is what every change meets.
type slate struct {
	mu     sync.Mutex
	last   int64
	jobs   map[int64]job.Job
	broken error
}

func (s *slate) breakDown(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
}

func (s *slate) Insert(_ context.Context, j job.Job) (job.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	if s.jobs == nil {
		s.jobs = map[int64]job.Job{}
	}
	j.ID = s.last
	s.jobs[j.ID] = j
	return j, s.broken
}

func (s *slate) Put(_ context.Context, j job.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	s.jobs[j.ID] = j
	return nil
}

func (s *slate) Get(_ context.Context, id int64) (job.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j, ok := s.jobs[id]
	if !ok {
		return j, job.ErrUnknown
	}
	return j, nil
}

func (s *slate) sorted() []job.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.jobs), func(a, b job.Job) int { return cmp.Compare(a.ID, b.ID) })
}

func (s *slate) List(_ context.Context, n int) ([]job.Job, error) {
	all := s.sorted()
	slices.Reverse(all)
	return all[:min(n, len(all))], nil
}

func (s *slate) In(_ context.Context, st job.State) ([]job.Job, error) {
	return slices.DeleteFunc(s.sorted(), func(j job.Job) bool { return j.State != st }), nil
}

// life serves jobs until do returns.
func life(t *testing.T, c job.Config, do func(j *job.Jobs)) {
	t.Helper()
	j := job.New(c)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- j.Serve(ctx) }()
	synctest.Wait()
	do(j)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve ended with %v", err)
	}
}

func start(t *testing.T, ctx context.Context, j *job.Jobs, kind string, input any) int64 {
	t.Helper()
	id, err := j.Start(ctx, kind, "the "+kind, input)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return id
}

func get(t *testing.T, j *job.Jobs, id int64) job.Job {
	t.Helper()
	synctest.Wait()
	x, err := j.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestAJobRunsAndReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := &bus.Bus{}
		changed := bus.Subscribe[job.Changed](events, "test", 32, bus.DropOldest)
		defer changed.Close()
		ended := bus.Subscribe[job.Ended](events, "test2", 32, bus.DropOldest)
		defer ended.Close()
		kinds := map[string]job.Kind{"count": func(ctx context.Context, r *job.Run) (models.Result, error) {
			var to int
			if err := json.Unmarshal(r.Input(), &to); err != nil {
				return models.Result{}, err
			}
			for i := range to {
				if err := r.Save(ctx, i+1, float64(i+1)/float64(to), fmt.Sprintf("at %d", i+1)); err != nil {
					return models.Result{}, err
				}
			}
			o := models.OriginOf(ctx)
			return models.Result{Say: fmt.Sprintf("Counted to %s for %s by %s.", r.Saved(), o.Session, o.Channel)}, nil
		}}
		life(t, job.Config{Rows: &slate{}, Kinds: kinds, Bus: events}, func(j *job.Jobs) {
			ctx := models.WithOrigin(t.Context(), models.Origin{Session: "web:1", Channel: "web"})
			x := get(t, j, start(t, ctx, j, "count", 3))
			if x.State != job.Done || x.Progress != 1 || x.Result.Say != "Counted to 3 for web:1 by web." || string(x.Saved) != "3" || x.Doing != "" {
				t.Errorf("ended as %+v, %+v", x, x.Result)
			}
			if x := get(t, j, start(t, t.Context(), j, "count", 1)); x.Result.Say != "Counted to 1 for  by job." {
				t.Errorf("said %q", x.Result.Say)
			}
			if x := get(t, j, start(t, t.Context(), j, "count", "many")); x.State != job.Failed || x.Why == "" || x.Result.Say != "Sorry, I couldn't finish this: the count." {
				t.Errorf("ended as %+v, %+v", x, x.Result)
			}
			list, err := j.List(t.Context(), 2)
			if live, lerr := j.Live(t.Context()); err != nil || lerr != nil || len(list) != 2 || list[0].ID != 3 || len(live) != 0 {
				t.Errorf("list %v, %v, live %v, %v", list, err, live, lerr)
			}
		})
		var states []string
		for len(changed.C) > 0 {
			x := (<-changed.C).Val.Job
			states = append(states, fmt.Sprintf("%d %s %.2f", x.ID, x.State, x.Progress))
		}
		want := []string{"1 queued 0.00", "1 running 0.00", "1 running 0.33", "1 running 0.67", "1 running 1.00", "1 done 1.00",
			"2 queued 0.00", "2 running 0.00", "2 running 1.00", "2 done 1.00", "3 queued 0.00", "3 running 0.00", "3 failed 0.00"}
		if !slices.Equal(states, want) {
			t.Errorf("told %q", states)
		}
		if n := len(ended.C); n != 3 {
			t.Errorf("%d ends were told", n)
		}
	})
}

func TestStartRefuses(t *testing.T) {
	j := job.New(job.Config{Rows: &slate{}, Kinds: map[string]job.Kind{"a": nil}})
	for _, kind := range []string{"a", "b", ""} {
		if _, err := j.Start(t.Context(), kind, "x", nil); !errors.Is(err, job.ErrKind) {
			t.Errorf("%q: %v", kind, err)
		}
	}
	j = job.New(job.Config{Rows: &slate{broken: errors.New("disk is gone")}, Kinds: map[string]job.Kind{"a": func(context.Context, *job.Run) (models.Result, error) { return models.Result{}, nil }}})
	if _, err := j.Start(t.Context(), "a", "x", nil); err == nil {
		t.Error("started what is not kept")
	}
	if _, err := j.Start(t.Context(), "a", "x", math.NaN()); err == nil {
		t.Error("took an input that is unfit for JSON")
	}
	full := job.New(job.Config{Rows: &slate{}, Kinds: map[string]job.Kind{"a": pause(nil)}})
	for range 32 {
		if _, err := full.Start(t.Context(), "a", "x", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := full.Start(t.Context(), "a", "x", nil); !errors.Is(err, job.ErrMany) {
		t.Errorf("one more: %v", err)
	}
	if err := full.Cancel(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	if _, err := full.Start(t.Context(), "a", "x", nil); err != nil {
		t.Errorf("when one is over: %v", err)
	}
	if _, err := j.Get(t.Context(), 9); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
	if err := j.Cancel(t.Context(), 9); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("cancelling the unknown: %v", err)
	}
}

// pause waits for a signal or the end of ctx.
func pause(signal <-chan struct{}) job.Kind {
	return func(ctx context.Context, _ *job.Run) (models.Result, error) {
		select {
		case <-signal:
			return models.Result{Say: "Done."}, nil
		case <-ctx.Done():
			return models.Result{}, ctx.Err()
		}
	}
}

func TestOnlySoManyAtOnceAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signal := make(chan struct{})
		kinds := map[string]job.Kind{"wait": pause(signal), "break": func(context.Context, *job.Run) (models.Result, error) { panic("out of cheese") }}
		life(t, job.Config{Rows: &slate{}, Kinds: kinds, AtOnce: 2}, func(j *job.Jobs) {
			var ids []int64
			for range 4 {
				ids = append(ids, start(t, t.Context(), j, "wait", nil))
			}
			states := func() (out []job.State) {
				for _, id := range ids {
					out = append(out, get(t, j, id).State)
				}
				return out
			}
			if got := states(); !slices.Equal(got, []job.State{job.Running, job.Running, job.Queued, job.Queued}) {
				t.Errorf("at first %v", got)
			}
			for _, id := range []int64{ids[0], ids[3]} { // one that runs, one that does not yet
				if err := j.Cancel(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
			if got := states(); !slices.Equal(got, []job.State{job.Cancelled, job.Running, job.Running, job.Cancelled}) {
				t.Errorf("after cancelling %v", got)
			}
			if err := j.Cancel(t.Context(), ids[0]); !errors.Is(err, job.ErrOver) {
				t.Errorf("cancelled twice: %v", err)
			}
			broken := start(t, t.Context(), j, "break", nil)
			close(signal)
			if got := states(); !slices.Equal(got, []job.State{job.Cancelled, job.Done, job.Done, job.Cancelled}) {
				t.Errorf("at last %v", got)
			}
			if x := get(t, j, broken); x.State != job.Failed || !strings.Contains(x.Why, "out of cheese") || x.Result.Say == "" {
				t.Errorf("a panic became %+v", x)
			}
			if err := j.Cancel(t.Context(), ids[1]); !errors.Is(err, job.ErrOver) {
				t.Errorf("cancelled what is done: %v", err)
			}
		})
	})
}

func TestACancelledJobSavesNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		saved := make(chan error, 1)
		kinds := map[string]job.Kind{"deaf": func(ctx context.Context, r *job.Run) (models.Result, error) {
			time.Sleep(time.Second)
			saved <- r.Save(context.WithoutCancel(ctx), 1, 0.5, "on and on")
			return models.Result{Say: "Done all the same."}, nil
		}}
		life(t, job.Config{Rows: &slate{}, Kinds: kinds}, func(j *job.Jobs) {
			id := start(t, t.Context(), j, "deaf", nil)
			if err := j.Cancel(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if err := <-saved; !errors.Is(err, job.ErrCancelled) {
				t.Errorf("saving: %v", err)
			}
			if x := get(t, j, id); x.State != job.Cancelled || x.Progress != 0 || x.Result != nil {
				t.Errorf("became %+v", x)
			}
		})
	})
}

// Work that was broken off goes on from what it saved, in order, and is done once.
func TestServeAgainGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := &slate{}
		var did []int
		kinds := map[string]job.Kind{"steps": func(ctx context.Context, r *job.Run) (models.Result, error) {
			at := 0
			if r.Saved() != nil {
				if err := json.Unmarshal(r.Saved(), &at); err != nil {
					return models.Result{}, err
				}
			}
			for ; at < 6; at++ {
				select {
				case <-time.After(time.Minute):
				case <-ctx.Done():
					return models.Result{}, ctx.Err()
				}
				did = append(did, at)
				if err := r.Save(ctx, at+1, float64(at)/6, "step"); err != nil {
					return models.Result{}, err
				}
			}
			return models.Result{Say: "All six."}, nil
		}}
		c := job.Config{Rows: rows, Kinds: kinds}
		var id int64
		life(t, c, func(j *job.Jobs) {
			id = start(t, t.Context(), j, "steps", nil)
			time.Sleep(2*time.Minute + time.Second)
		})
		if x := rows.jobs[id]; x.State != job.Running || string(x.Saved) != "2" {
			t.Fatalf("between two lives %+v", x)
		}
		for range 7 { // many restarts in good order are no fault of the job
			life(t, c, func(j *job.Jobs) { time.Sleep(30 * time.Second) })
		}
		life(t, c, func(j *job.Jobs) {
			time.Sleep(5 * time.Minute)
			if x := get(t, j, id); x.State != job.Done || x.Result.Say != "All six." || !slices.Equal(did, []int{0, 1, 2, 3, 4, 5}) {
				t.Errorf("ended as %+v after %v", x, did)
			}
		})
	})
}

// A job that brings the program down each time is given up.
func TestCrashesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows, runs := &slate{}, 0
		kinds := map[string]job.Kind{"crash": func(context.Context, *job.Run) (models.Result, error) { runs++; return models.Result{}, nil }}
		if _, err := rows.Insert(t.Context(), job.Job{Kind: "crash", State: job.Running, Tries: 5, Title: "the crash"}); err != nil {
			t.Fatal(err)
		}
		if _, err := rows.Insert(t.Context(), job.Job{Kind: "crash", State: job.Running, Tries: 4}); err != nil {
			t.Fatal(err)
		}
		if _, err := rows.Insert(t.Context(), job.Job{Kind: "of an older Solo", State: job.Queued}); err != nil {
			t.Fatal(err)
		}
		life(t, job.Config{Rows: rows, Kinds: kinds}, func(j *job.Jobs) {
			if x := get(t, j, 1); x.State != job.Failed || !strings.Contains(x.Why, "too often") || x.Result.Say != "Sorry, I couldn't finish this: the crash." {
				t.Errorf("became %+v", x)
			}
			if x := get(t, j, 2); x.State != job.Done || runs != 1 {
				t.Errorf("one try was left: %+v, ran %d times", x, runs)
			}
			if x := get(t, j, 3); x.State != job.Failed || x.Result.Say == "" {
				t.Errorf("a kind that is gone: %+v", x)
			}
		})
	})
}

func TestAJobWaitsForAnApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var woken []string
		kinds := map[string]job.Kind{"ask": func(ctx context.Context, r *job.Run) (models.Result, error) {
			woken = append(woken, r.Approval)
			if r.Approval != "" {
				return models.Result{Say: "Went on."}, nil
			}
			if err := r.Save(ctx, "asked", 0.5, "asking you"); err != nil {
				return models.Result{}, err
			}
			return models.Result{Say: "May I?", Ask: &models.Ask{Call: models.Call{Tool: "consent.grant"}, Approval: fmt.Sprintf("a%d", r.ID)}}, nil
		}}
		rows := &slate{}
		c := job.Config{Rows: rows, Kinds: kinds, Patience: 90 * time.Second}
		life(t, c, func(j *job.Jobs) {
			one, two, three := start(t, t.Context(), j, "ask", nil), start(t, t.Context(), j, "ask", nil), start(t, t.Context(), j, "ask", nil)
			if x := get(t, j, one); x.State != job.Waiting || x.Approval != "a1" || x.Result.Say != "May I?" {
				t.Fatalf("asks as %+v", x)
			}
			if waits, err := j.Waits(t.Context(), "a1"); !waits || err != nil {
				t.Errorf("waits %v, %v", waits, err)
			}
			for _, none := range []string{"a9", ""} {
				if waits, err := j.Waits(t.Context(), none); waits || err != nil {
					t.Errorf("waits for %q: %v, %v", none, waits, err)
				}
				if err := j.Wake(t.Context(), none); err != nil {
					t.Error(err)
				}
			}
			if err := j.Wake(t.Context(), "a1"); err != nil {
				t.Fatal(err)
			}
			if x := get(t, j, one); x.State != job.Done || x.Result.Say != "Went on." || x.Approval != "" {
				t.Errorf("woken it is %+v", x)
			}
			if err := j.Cancel(t.Context(), three); err != nil {
				t.Fatal(err)
			}
			if x := get(t, j, two); x.State != job.Waiting {
				t.Errorf("the other is %+v", x)
			}
			time.Sleep(30 * time.Second)
		})
		life(t, c, func(j *job.Jobs) { // it waits over a restart, but not for ever
			time.Sleep(59 * time.Second)
			if x := get(t, j, 2); x.State != job.Waiting {
				t.Errorf("after 89 s %+v", x)
			}
			time.Sleep(2 * time.Second)
			if x := get(t, j, 2); x.State != job.Done {
				t.Errorf("after 91 s %+v", x)
			}
			if x := get(t, j, 3); x.State != job.Cancelled {
				t.Errorf("cancelled, and yet %+v", x)
			}
			if err := j.Wake(t.Context(), "a4"); err != nil { // the answer is faster than the row
				t.Fatal(err)
			}
			if x := get(t, j, start(t, t.Context(), j, "ask", nil)); x.State != job.Done {
				t.Errorf("answered before it waited: %+v", x)
			}
		})
		if !slices.Equal(woken, []string{"", "", "", "a1", "a2", "", "a4"}) {
			t.Errorf("runs for %q", woken)
		}
	})
}

func TestProgressIsANumberBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signal := make(chan float64)
		kinds := map[string]job.Kind{"p": func(ctx context.Context, r *job.Run) (models.Result, error) {
			for p := range signal {
				if err := r.Save(ctx, nil, p, ""); err != nil {
					return models.Result{}, err
				}
			}
			if err := r.Save(ctx, make(chan int), 0, ""); err == nil {
				return models.Result{}, errors.New("saved a channel")
			}
			return models.Result{Say: "Done."}, nil
		}}
		life(t, job.Config{Rows: &slate{}, Kinds: kinds}, func(j *job.Jobs) {
			id := start(t, t.Context(), j, "p", nil)
			for p, want := range map[float64]float64{-1: 0, 0.5: 0.5, 7: 1, math.Inf(1): 1, math.Inf(-1): 0} {
				signal <- p
				if got := get(t, j, id).Progress; got != want {
					t.Errorf("%v became %v", p, got)
				}
			}
			signal <- math.NaN()
			if got := get(t, j, id).Progress; got != 0 {
				t.Errorf("no number became %v", got)
			}
			close(signal)
			if x := get(t, j, id); x.State != job.Done {
				t.Errorf("ended as %+v", x)
			}
		})
	})
}

// What cannot be kept is done again, and nothing is lost.
func TestTroubleWithTheRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows, runs := &slate{}, 0
		gone := errors.New("disk is gone")
		kinds := map[string]job.Kind{"work": func(ctx context.Context, r *job.Run) (models.Result, error) {
			if runs++; runs == 1 {
				rows.breakDown(gone)
				if err := r.Save(ctx, 1, 0.5, ""); !errors.Is(err, gone) {
					t.Errorf("saving: %v", err)
				}
			}
			return models.Result{Say: "Done."}, nil
		}}
		c := job.Config{Rows: rows, Kinds: kinds}
		j := job.New(c)
		ended := make(chan error, 1)
		go func() { ended <- j.Serve(t.Context()) }()
		id := start(t, t.Context(), j, "work", nil)
		if err := <-ended; !errors.Is(err, gone) {
			t.Errorf("Serve ended with %v", err)
		}
		if x := get(t, j, id); x.State != job.Running || runs != 1 {
			t.Errorf("while the disk is gone %+v after %d runs", x, runs)
		}
		if err := j.Cancel(t.Context(), id); !errors.Is(err, gone) {
			t.Errorf("cancelling: %v", err)
		}
		rows.breakDown(nil)
		life(t, c, func(j *job.Jobs) {
			if x := get(t, j, id); x.State != job.Done || runs != 2 {
				t.Errorf("when it is back %+v after %d runs", x, runs)
			}
		})
	})
}

func TestServeEndsWithItsRowsAndItsJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows, left := &slate{}, false
		kinds := map[string]job.Kind{"wait": func(ctx context.Context, _ *job.Run) (models.Result, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			left = true
			return models.Result{}, ctx.Err()
		}}
		j := job.New(job.Config{Rows: rows, Kinds: kinds, AtOnce: 1})
		for range 2 {
			start(t, t.Context(), j, "wait", nil)
		}
		ended := make(chan error, 1)
		go func() { ended <- j.Serve(t.Context()) }()
		synctest.Wait()
		if err := j.Cancel(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		gone := errors.New("disk is gone")
		if _, err := rows.Insert(t.Context(), job.Job{Kind: "wait", State: job.Running}); err != nil {
			t.Fatal(err)
		}
		rows.breakDown(gone)
		time.Sleep(2 * time.Minute) // the next look at the rows
		if err := <-ended; !errors.Is(err, gone) || !left {
			t.Errorf("ended with %v, the job had left: %v", err, left)
		}
	})
}
