package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

var (
	ErrLate  = errors.New("took too long")
	ErrPanic = errors.New("tool broke")
)

// caught turns a panic into an error.
func caught(t Tool) Tool { return catcher{t} }

type catcher struct{ Tool }

func (c catcher) unwrap() Tool { return c.Tool }

func (c catcher) Run(ctx context.Context, args json.RawMessage) (r models.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			r, err = models.Result{}, fmt.Errorf("%w: %v\n%s", ErrPanic, v, debug.Stack())
		}
	}()
	return c.Tool.Run(ctx, args)
}

// grace is how long a tool may take to notice that its ctx ended.
const grace = 200 * time.Millisecond

// limited ends a call that takes longer than d. A tool that ignores its ctx is left behind, counted in strays.
func limited(t Tool, d time.Duration, strays *sync.WaitGroup) Tool { return limiter{t, d, strays} }

type limiter struct {
	Tool
	limit  time.Duration
	strays *sync.WaitGroup
}

func (l limiter) unwrap() Tool { return l.Tool }

type outcome struct {
	r   models.Result
	err error
}

func (l limiter) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, l.limit, ErrLate)
	defer cancel()
	done := make(chan outcome, 1)
	l.strays.Go(func() {
		r, err := l.Tool.Run(ctx, args)
		done <- outcome{r, err}
	})
	select {
	case o := <-done:
		return o.r, l.cause(ctx, o.err)
	case <-ctx.Done():
	}
	last := time.NewTimer(grace)
	defer last.Stop()
	select {
	case o := <-done: // done after all counts as done
		return o.r, l.cause(ctx, o.err)
	case <-last.C:
		return models.Result{}, fmt.Errorf("running %s: %w", l.Spec().Name, context.Cause(ctx))
	}
}

// cause says why a ctx ended, where a tool says only that it did.
func (l limiter) cause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", context.Cause(ctx), err)
}

// spoken gives every failure a sentence that the user can hear.
func spoken(t Tool) Tool { return speech{t} }

type speech struct{ Tool }

func (s speech) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	r, err := s.Tool.Run(ctx, args)
	if err == nil {
		return r, nil
	}
	var denial *Denial
	switch said := sentence(err, ""); {
	case errors.As(err, &denial):
		r.Say = denial.Say
	case r.Say == "" && said != "":
		r.Say = said
	case errors.Is(err, ErrArguments):
		r.Say = "Sorry, I didn't get all of that."
	case errors.Is(err, ErrLate):
		r.Say = "Sorry, that took too long."
	case r.Say == "":
		r.Say = "Sorry, that went wrong."
	}
	r.Undo, r.Ask = nil, nil
	return r, err
}

// logged writes down what was called and tells the bus. Arguments are the user's own words: they are logged at debug only.
func logged(t Tool, log zerolog.Logger, acted func(context.Context, event.Acted)) Tool {
	return logger{t, log.With().Str("tool", t.Spec().Name).Logger(), acted}
}

type logger struct {
	Tool
	log   zerolog.Logger
	acted func(context.Context, event.Acted)
}

func (l logger) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	start := time.Now()
	r, err := l.Tool.Run(ctx, args)
	e := event.Acted{Tool: l.Spec().Name, Arguments: args, Status: status(r, err), Source: source(l.Spec(), args, r), Took: time.Since(start)}
	line := l.log.Info()
	if err != nil {
		line = l.log.Warn().Str("why", why(err))
	}
	line.Str("status", e.Status).Dur("took", e.Took).Msg("tool called")
	l.log.Debug().Bytes("arguments", args).Str("say", r.Say).AnErr("error", err).Msg("tool said")
	l.acted(ctx, e)
	return r, err
}

func status(r models.Result, err error) string {
	switch {
	case err == nil && waits(r):
		return "asked"
	case err == nil:
		return "ok"
	case errors.Is(err, ErrDenied):
		return "denied"
	}
	return "failed"
}

// why names an error without what the user said: unfit arguments quote them.
func why(err error) string {
	if errors.Is(err, ErrArguments) {
		return ErrArguments.Error()
	}
	return err.Error()
}

// source is where the facts of a tool's result come from, as its arguments name it, or else its data; "" for Solo's own.
func source(s models.Spec, args json.RawMessage, r models.Result) string {
	if !s.Outside {
		return ""
	}
	var a struct{ Path, URL, Name string }
	if json.Unmarshal(args, &a) == nil {
		if named := cmp.Or(a.Path, a.URL, a.Name); named != "" {
			return named
		}
	}
	var d struct{ Source string }
	if len(r.Data) == 0 || json.Unmarshal(r.Data, &d) != nil {
		return ""
	}
	return d.Source
}
