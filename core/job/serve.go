package job

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/solo-assistant/solo/models"
)

const (
	triesMost = 5           // starts without getting further
	rest      = time.Minute // longest time between two looks at the rows
	farewell  = 5 * time.Second
)

// Serve runs jobs until ctx ends; those that run then are taken up by the next Serve. It waits for them to return.
func (j *Jobs) Serve(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errStopping)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-j.kick:
		case <-timer.C:
		}
		next, err := j.look(ctx, &wg)
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("running jobs: %w", err)
		}
		timer.Reset(next)
	}
}

// takeUp queues what is running in the rows and nowhere else: the last Serve ended, or an end could not be kept.
func (j *Jobs) takeUp(ctx context.Context) error {
	broken, err := j.c.Rows.In(ctx, Running)
	if err != nil {
		return err
	}
	for _, x := range broken {
		kept, err := j.change(ctx, x.ID, func(x *Job) error {
			if x.State != Running || j.running[x.ID] != nil {
				return ErrOver
			}
			x.State = Queued
			return nil
		})
		if errors.Is(err, ErrOver) {
			continue
		}
		if err != nil {
			return err
		}
		j.c.Log.Info().Int64("job", x.ID).Int("tries", x.Tries).Msg("job taken up again")
		j.tell(ctx, kept)
	}
	return nil
}

// look wakes jobs that waited too long for an answer, starts what there is room for, and says when to look again.
func (j *Jobs) look(ctx context.Context, wg *sync.WaitGroup) (time.Duration, error) {
	if err := j.takeUp(ctx); err != nil {
		return 0, err
	}
	waiting, err := j.c.Rows.In(ctx, Waiting)
	if err != nil {
		return 0, err
	}
	next := rest
	for _, x := range waiting {
		left := x.Changed.Add(j.c.Patience).Sub(j.c.Now())
		if left > 0 {
			next = min(next, left+time.Millisecond) // rows keep milliseconds
			continue
		}
		if err := j.again(ctx, x); err != nil {
			return 0, err
		}
	}
	queued, err := j.c.Rows.In(ctx, Queued)
	if err != nil {
		return 0, err
	}
	for _, x := range queued {
		if err := j.start(ctx, wg, x.ID); err != nil {
			return 0, err
		}
	}
	return next, nil
}

// start lets a queued job run where there is room.
func (j *Jobs) start(ctx context.Context, wg *sync.WaitGroup, id int64) error {
	runCtx, stop := context.WithCancelCause(ctx)
	j.mu.Lock()
	if len(j.running) >= j.c.AtOnce || j.running[id] != nil {
		j.mu.Unlock()
		stop(nil)
		return nil
	}
	j.running[id] = stop
	j.mu.Unlock()
	x, err := j.change(ctx, id, func(x *Job) error {
		if x.State != Queued {
			return ErrOver
		}
		x.Tries++
		x.State = Running
		if j.c.Kinds[x.Kind] == nil {
			x.State, x.Why = Failed, ErrKind.Error()
		} else if x.Tries > triesMost {
			x.State, x.Why = Failed, ErrTooOften.Error()
		}
		if x.State == Failed {
			x.Result = sorry(*x)
		}
		return nil
	})
	if err != nil || x.State != Running {
		j.left(id, stop)
		if err == nil {
			j.tell(ctx, x)
		}
		if errors.Is(err, ErrOver) || errors.Is(err, ErrUnknown) {
			return nil
		}
		return err
	}
	j.tell(ctx, x)
	wg.Go(func() {
		defer j.poke()
		defer j.left(id, stop)
		j.run(runCtx, x)
	})
	return nil
}

func (j *Jobs) left(id int64, stop context.CancelCauseFunc) {
	stop(nil)
	j.mu.Lock()
	delete(j.running, id)
	j.mu.Unlock()
}

// run does one job and writes down what came of it.
func (j *Jobs) run(ctx context.Context, x Job) {
	o := x.Origin
	if o.Channel == "" {
		o.Channel = "job"
	}
	r, err := j.work(models.WithOrigin(ctx, o), x)
	why := context.Cause(ctx)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell) // the end is written down also when all ends
	defer cancel()
	if errors.Is(why, ErrCancelled) {
		return // as the row says
	}
	kept, keep := j.change(ctx, x.ID, func(x *Job) error {
		if x.State != Running {
			return ErrOver // cancelled in the last moment
		}
		switch {
		case err == nil:
			settle(x, r)
		case why != nil: // broken off in good order, which is no try
			x.Tries--
		default:
			x.State, x.Why, x.Result, x.Doing = Failed, short(err.Error()), &r, ""
			if r.Say == "" {
				x.Result = sorry(*x)
			}
		}
		return nil
	})
	switch {
	case errors.Is(keep, ErrOver):
		return
	case keep != nil:
		j.c.Log.Error().Err(keep).Int64("job", x.ID).Msg("the end of a job was not kept; it will be done again")
		return
	}
	if err != nil {
		j.c.Log.Warn().Err(err).Int64("job", x.ID).Str("state", string(kept.State)).Msg("job ended")
	} else {
		j.c.Log.Info().Int64("job", x.ID).Str("state", string(kept.State)).Msg("job ended")
	}
	j.tell(ctx, kept)
	if j.answered(kept) {
		if err := j.again(ctx, kept); err != nil {
			j.c.Log.Warn().Err(err).Msg("a job goes on only later")
		}
	}
}

// settle writes a good end into a job, or the question that it waits for.
func settle(x *Job, r models.Result) {
	x.Result, x.Why = &r, ""
	if r.Ask != nil && r.Ask.Approval != "" {
		if x.Approval != r.Ask.Approval {
			x.Tries = 0 // it got as far as another question
		}
		x.State, x.Approval = Waiting, r.Ask.Approval
		return
	}
	x.State, x.Progress, x.Doing, x.Approval = Done, 1, "", ""
}

func (j *Jobs) work(ctx context.Context, x Job) (r models.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			j.c.Log.Error().Int64("job", x.ID).Bytes("stack", debug.Stack()).Msg("job broke")
			r, err = models.Result{}, fmt.Errorf("%w: %v", ErrPanic, v)
		}
	}()
	return j.c.Kinds[x.Kind](ctx, &Run{ID: x.ID, Approval: x.Approval, jobs: j, input: x.Input, saved: x.Saved})
}

// sorry is what the user hears of a job that failed without a word of its own.
func sorry(x Job) *models.Result {
	if x.Title == "" {
		return &models.Result{Say: "Sorry, I couldn't finish something that I was doing for you."}
	}
	return &models.Result{Say: "Sorry, I couldn't finish this: " + x.Title + "."}
}

// short bounds why a job failed.
func short(s string) string {
	if r := []rune(s); len(r) > 1000 {
		return string(r[:1000])
	}
	return s
}
