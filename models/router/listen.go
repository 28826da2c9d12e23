package router

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/models"
)

// listen hands an engine's stream on, ends it when it falls silent, and keeps a whole answer.
func (t *try) listen(ctx context.Context, cancel context.CancelCauseFunc, to route, key string) error {
	q := t.q
	q.Model = to.model
	var (
		tape  = taper{kept: kept{key: key}, off: key == ""}
		guess = models.Usage{} // where the engine does not count
		told  *models.Usage
		watch = t.watch(cancel)
	)
	defer watch.Stop()
	defer func() { t.asked.Usage = t.usage(to, told, guess) }()
	for d, err := range to.Stream(ctx, q) {
		watch.Stop() // the reader's own time is no silence
		if err != nil {
			return t.why(ctx, err)
		}
		if d.Usage != nil {
			told = d.Usage
		}
		if d.Text != "" || d.Call != nil {
			guess.Generated++
			tape.add(d)
			d.Usage = nil
			if !t.hand(d) {
				cancel(context.Canceled) // for an engine that only looks there
				return nil
			}
		}
		watch.Reset(t.patience())
	}
	if ctx.Err() != nil && told == nil {
		return t.why(ctx, context.Cause(ctx))
	}
	u := t.usage(to, told, guess)
	if !tape.off && len(tape.texts) > 0 {
		tape.usage = u
		t.cache.put(&tape.kept)
	}
	t.hand(models.Delta{Usage: &u})
	return nil
}

// patience is how long the engine may be silent now.
func (t *try) patience() time.Duration {
	if t.started {
		return t.c.Silence
	}
	return t.c.FirstToken
}

// watch ends a request that falls silent. Nobody waits for a prompt that is read ahead.
func (t *try) watch(cancel context.CancelCauseFunc) stopper {
	if ahead(t.q) {
		return nobody{}
	}
	return time.AfterFunc(t.patience(), func() { cancel(models.ErrLate) })
}

type stopper interface {
	Stop() bool
	Reset(d time.Duration) bool
}

type nobody struct{}

func (nobody) Stop() bool               { return true }
func (nobody) Reset(time.Duration) bool { return true }

// why is the cause of ctx's end where there is one: what the engine makes of it does not matter.
func (t *try) why(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return err
	case errors.Is(cause, models.ErrLate):
		return fmt.Errorf("%w: silent for %v", cause, t.patience())
	default:
		return cause
	}
}

// usage completes what the engine told, or estimates it.
func (t *try) usage(to route, told *models.Usage, guess models.Usage) models.Usage {
	u := guess
	if told != nil {
		u = *told
	} else {
		for _, m := range t.q.Messages {
			u.Prompt += (len(m.Text) + 3) / 4
		}
	}
	if u.Engine == "" {
		u.Engine = to.Name()
	}
	if u.Model == "" {
		u.Model = to.model
	}
	return u
}
