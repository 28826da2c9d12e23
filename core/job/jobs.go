package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// Jobs keep and run jobs.
type Jobs struct {
	c       Config
	kick    chan struct{} // there may be something to start
	changed func(context.Context, Changed)
	ended   func(context.Context, Ended)

	mu      sync.Mutex // held from the reading of a row to its writing
	running map[int64]context.CancelCauseFunc
	woken   []string // approvals of the last Wakes: an answer may be faster than the job's row
}

const (
	wokenMost = 64 // approvals in woken
	liveMost  = 32 // jobs that are not over
)

// New builds Jobs. A job can be started before Serve runs; it waits for it.
func New(c Config) *Jobs {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.AtOnce <= 0 {
		c.AtOnce = 2
	}
	if c.Patience <= 0 {
		c.Patience = 90 * time.Second
	}
	j := &Jobs{c: c, kick: make(chan struct{}, 1), running: map[int64]context.CancelCauseFunc{},
		changed: func(context.Context, Changed) {}, ended: func(context.Context, Ended) {}}
	if c.Bus != nil {
		changed, ended := bus.Publisher[Changed](c.Bus, "job"), bus.Publisher[Ended](c.Bus, "job")
		// It fails only when ctx has ended, and the rows hold the truth.
		j.changed = func(ctx context.Context, e Changed) { _ = changed.Publish(ctx, e) }
		j.ended = func(ctx context.Context, e Ended) { _ = ended.Publish(ctx, e) }
	}
	return j
}

// Start keeps a new job and gives its ID; it runs as soon as there is room. Input is anything fit for JSON, and title says
// to the user what is done. Errors: ErrKind, ErrMany.
func (j *Jobs) Start(ctx context.Context, kind, title string, input any) (int64, error) {
	if j.c.Kinds[kind] == nil {
		return 0, fmt.Errorf("starting a job %q: %w", kind, ErrKind)
	}
	text, err := json.Marshal(input)
	if err != nil {
		return 0, fmt.Errorf("starting a job %q: writing its input: %w", kind, err)
	}
	live, err := j.Live(ctx)
	if err == nil && len(live) >= liveMost {
		err = ErrMany // a model that starts job after job is stopped here
	}
	if err != nil {
		return 0, fmt.Errorf("starting a job %q: %w", kind, err)
	}
	now := j.c.Now()
	kept, err := j.c.Rows.Insert(ctx, Job{Kind: kind, Title: title, Input: text, State: Queued, Origin: models.OriginOf(ctx), Created: now, Changed: now})
	if err != nil {
		return 0, fmt.Errorf("starting a job %q: %w", kind, err)
	}
	j.c.Log.Info().Int64("job", kept.ID).Str("kind", kind).Msg("job started")
	j.tell(ctx, kept)
	j.poke()
	return kept.ID, nil
}

// Cancel ends a job. What it has done by then stays done. Errors: ErrUnknown, ErrOver.
func (j *Jobs) Cancel(ctx context.Context, id int64) error {
	kept, err := j.change(ctx, id, func(x *Job) error {
		if x.State.Over() {
			return ErrOver
		}
		x.State, x.Doing = Cancelled, ""
		return nil
	})
	if err != nil {
		return fmt.Errorf("cancelling job %d: %w", id, err)
	}
	j.mu.Lock()
	stop := j.running[id]
	j.mu.Unlock()
	if stop != nil {
		stop(ErrCancelled)
	}
	j.c.Log.Info().Int64("job", id).Msg("job cancelled")
	j.tell(ctx, kept)
	return nil
}

// Wake runs those jobs again that wait for an approval, or come to wait for it in this moment.
func (j *Jobs) Wake(ctx context.Context, approval string) error {
	if approval == "" {
		return nil
	}
	j.mu.Lock()
	j.woken = append(j.woken, approval)
	j.woken = slices.Delete(j.woken, 0, max(0, len(j.woken)-wokenMost))
	j.mu.Unlock()
	waiting, err := j.c.Rows.In(ctx, Waiting)
	if err != nil {
		return fmt.Errorf("waking the job that waits for %q: %w", approval, err)
	}
	for _, x := range waiting {
		if x.Approval == approval {
			if err := j.again(ctx, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// again puts a waiting job back into the queue.
func (j *Jobs) again(ctx context.Context, waiting Job) error {
	kept, err := j.change(ctx, waiting.ID, func(x *Job) error {
		if x.State != Waiting || x.Approval != waiting.Approval {
			return ErrOver // somebody was faster
		}
		x.State, x.Result = Queued, nil
		return nil
	})
	if errors.Is(err, ErrOver) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("waking job %d: %w", waiting.ID, err)
	}
	j.tell(ctx, kept)
	j.poke()
	return nil
}

// answered tells whether the approval that a job waits for was decided before the row said so.
func (j *Jobs) answered(x Job) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return x.State == Waiting && slices.Contains(j.woken, x.Approval)
}

// Waits tells whether a job waits for an approval, and so makes the approved call itself.
func (j *Jobs) Waits(ctx context.Context, approval string) (bool, error) {
	waiting, err := j.c.Rows.In(ctx, Waiting)
	return slices.ContainsFunc(waiting, func(x Job) bool { return approval != "" && x.Approval == approval }), err
}

// Get gives one job, or ErrUnknown.
func (j *Jobs) Get(ctx context.Context, id int64) (Job, error) {
	x, err := j.c.Rows.Get(ctx, id)
	if err != nil {
		return Job{}, fmt.Errorf("looking for job %d: %w", id, err)
	}
	return x, nil
}

// List gives the last n jobs, the newest first.
func (j *Jobs) List(ctx context.Context, n int) ([]Job, error) { return j.c.Rows.List(ctx, n) }

// Live lists the jobs that are not over, the oldest first.
func (j *Jobs) Live(ctx context.Context) ([]Job, error) {
	var out []Job
	for _, s := range []State{Queued, Running, Waiting} {
		list, err := j.c.Rows.In(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("listing jobs: %w", err)
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b Job) int { return int(a.ID - b.ID) })
	return slices.CompactFunc(out, func(a, b Job) bool { return a.ID == b.ID }), nil // one may have moved on between two lists
}

// change edits one row; nobody else does meanwhile. edit runs with mu held.
func (j *Jobs) change(ctx context.Context, id int64, edit func(*Job) error) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	x, err := j.c.Rows.Get(ctx, id)
	if err != nil {
		return Job{}, err
	}
	if err := edit(&x); err != nil {
		return x, err
	}
	x.Changed = j.c.Now()
	return x, j.c.Rows.Put(ctx, x)
}

func (j *Jobs) tell(ctx context.Context, x Job) {
	j.changed(ctx, Changed{x})
	if x.State.Over() {
		j.ended(ctx, Ended{x})
	}
}

// poke lets Serve look for something to do.
func (j *Jobs) poke() {
	select {
	case j.kick <- struct{}{}:
	default:
	}
}
