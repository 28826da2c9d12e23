package router

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Stream answers a request, beginning when it is ranged over. The last Delta holds the Usage; where the engine tells
// none, the tokens in it are an estimate: a token for each piece of the answer, and for each four bytes of the prompt.
// The error that ends it wraps one of models' errors, or the cause of ctx's end.
func (r *Router) Stream(ctx context.Context, q models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		if q.Work == "" {
			q.Work = models.Quick
		}
		t := &try{Router: r, q: q, yield: yield, begun: r.c.Now(), asked: Asked{Work: q.Work}}
		err := t.all(ctx)
		t.asked.Took = r.c.Now().Sub(t.begun)
		t.asked.Err = nameOf(ctx, err, t.broken)
		r.asked(ctx, t.asked)
		if err != nil && !t.broken {
			yield(models.Delta{}, err)
		}
	}
}

// try is one request on its way along the engines.
type try struct {
	*Router
	q       models.Request
	yield   func(models.Delta, error) bool
	begun   time.Time
	asked   Asked
	started bool // a piece of an answer was handed out
	broken  bool // the reader broke off
}

// all tries one engine after the other until one begins to answer.
func (t *try) all(ctx context.Context) error {
	chain := t.chain(t.q)
	if len(chain) == 0 {
		return fmt.Errorf("no engine is set up: %w", models.ErrAbsent)
	}
	if ahead(t.q) {
		chain = chain[:1] // there is no use in a prompt that another engine has read
	}
	var first error
	for i, to := range chain {
		err := t.one(ctx, to)
		if err == nil || t.broken || t.started || ctx.Err() != nil {
			return err
		}
		private := errors.Is(err, models.ErrPrivate)
		switch {
		case i == 0:
			first = err
			if private || !passes(err) {
				return err
			}
		case !private && !passes(err):
			return err
		}
		t.asked.Tried = append(t.asked.Tried, to.Name())
		t.c.Log.Warn().Err(err).Str("engine", to.Name()).Int("left", len(chain)-i-1).Msg("engine cannot answer")
	}
	return first // of the user's own choice: a fallback that may not be asked is no news
}

// passable errors let the next engine try.
var passable = []error{
	models.ErrAbsent, models.ErrUnreachable, models.ErrNoModel, models.ErrTooLarge, models.ErrBusy, models.ErrKey, models.ErrLate,
}

func passes(err error) bool {
	return slices.ContainsFunc(passable, func(e error) bool { return errors.Is(err, e) })
}

// one asks one engine: guard, cache, queue, stream.
func (t *try) one(ctx context.Context, to route) error {
	if ahead(t.q) && to.cloud() {
		return fmt.Errorf("reading ahead at %s: %w", to, models.ErrUnable)
	}
	if err := t.guard(ctx, to, t.q.Work, t.q.Messages); err != nil {
		return err
	}
	key := t.cache.keyOf(to, t.q)
	if k, ok := t.cache.get(key); ok {
		t.replay(k)
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	leave, err := t.wait(ctx, to, cancel)
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", to, err)
	}
	defer leave()
	if err := t.listen(ctx, cancel, to, key); err != nil {
		return fmt.Errorf("asking %s: %w", to, err)
	}
	return nil
}

// wait queues for an engine of the user's own. Clouds take many requests at a time.
func (t *try) wait(ctx context.Context, to route, cancel context.CancelCauseFunc) (leave func(), err error) {
	if to.cloud() {
		return func() {}, nil
	}
	if !ahead(t.q) {
		cancel = nil
	}
	since := t.c.Now()
	leave, err = to.queue.enter(ctx, rankOf(t.q), cancel)
	t.asked.Waited += t.c.Now().Sub(since)
	return leave, err
}

// replay hands out an answer that is kept.
func (t *try) replay(k *kept) {
	t.asked.FromCache = true
	u := k.usage
	u.Cached, u.Reading, u.Writing, u.Loading = u.Prompt, 0, 0, 0
	t.asked.Usage = u
	for _, text := range k.texts {
		if !t.hand(models.Delta{Text: text}) {
			return
		}
	}
	t.hand(models.Delta{Usage: &u})
}

// hand gives the reader a piece and tells whether it wants more.
func (t *try) hand(d models.Delta) bool {
	if !t.started && d.Usage == nil {
		t.started = true
		t.asked.FirstToken = t.c.Now().Sub(t.begun)
	}
	t.broken = !t.yield(d, nil)
	return !t.broken
}
