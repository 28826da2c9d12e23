package timers

import (
	"context"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type cancelArgs struct {
	Name     string        `json:"name,omitempty" jsonschema:"name of the timer" limits:"0..100"`
	Duration tool.Duration `json:"duration,omitempty" jsonschema:"whole length of the timer, to tell it from others"`
	All      bool          `json:"all,omitempty" jsonschema:"cancel all timers"`
}

func (t timers) cancel(ctx context.Context, a cancelArgs) (models.Result, error) {
	all, err := t.all(ctx)
	if err != nil {
		return models.Result{}, err
	}
	if len(all) == 0 {
		return tool.Said("There's no timer running."), nil
	}
	if a.All {
		return t.gone(ctx, all)
	}
	found, question := t.choose(all, a.Name, a.Duration)
	if question != "" {
		return ask(question, "name", "timers.cancel", none{}), nil
	}
	if len(found) == 0 {
		return tool.Said("%s There's only the %s.", absent(a.Name, a.Duration), title(all[0])), nil
	}
	return t.gone(ctx, found)
}

// gone cancels timers and reads them back.
func (t timers) gone(ctx context.Context, all []schedule.Promise) (models.Result, error) {
	var was []schedule.Promise
	for _, p := range all {
		got, err := t.Book.Cancel(ctx, schedule.Timer, p.ID)
		if err != nil {
			return models.Result{}, err
		}
		was = append(was, got)
	}
	say := tool.Upper(title(was[0])) + " cancelled."
	if len(was) > 1 {
		say = fmt.Sprintf("I cancelled %d timers: %s.", len(was), tool.Some(titles(was), 5))
	}
	return models.Result{Say: say, Undo: tool.CallOf("timers.restore", restoreArgs{was})}, nil
}

type extendArgs struct {
	Duration tool.Duration `json:"duration" jsonschema:"how much time to add"`
	Name     string        `json:"name,omitempty" jsonschema:"name of the timer" limits:"0..100"`
}

func (t timers) extend(ctx context.Context, a extendArgs) (models.Result, error) {
	all, err := t.all(ctx)
	if err != nil {
		return models.Result{}, err
	}
	by := time.Duration(a.Duration)
	switch {
	case len(all) == 0:
		return tool.Said("There's no timer running."), nil
	case by < time.Second:
		return tool.Said("I can only add time to a timer."), nil
	case by > longest:
		return tool.Said("A timer can run for 30 days at most."), nil
	}
	found, question := t.choose(all, a.Name, 0)
	if question != "" {
		return ask(question, "name", "timers.extend", extendArgs{Duration: a.Duration}), nil
	}
	if len(found) == 0 {
		return tool.Said("%s There's only the %s.", absent(a.Name, 0), title(all[0])), nil
	}
	was := found[0]
	p, err := t.Book.Extend(ctx, was.ID, by)
	if err != nil {
		return models.Result{}, err
	}
	r := tool.Said("I added %s to the %s. It has %s left.", when.Length(by), title(was), t.remaining(p))
	r.Undo = tool.CallOf("timers.shorten", shortenArgs{p.ID, a.Duration, title(was)})
	return tool.With(r, t.data(p)), nil
}

type snoozeArgs struct {
	Duration tool.Duration `json:"duration,omitempty" jsonschema:"how long to wait; 9 minutes if left out"`
}

func (t timers) snooze(ctx context.Context, a snoozeArgs) (models.Result, error) {
	d := time.Duration(a.Duration)
	switch {
	case d <= 0:
		d = snooze
	case d > 24*time.Hour:
		return tool.Said("I can snooze for a day at most."), nil
	}
	was := t.Book.Ringing()
	if len(was) == 0 {
		return t.later(ctx, d)
	}
	if _, err := t.Book.Snooze(ctx, d); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("Okay, %s more.", when.Length(d))
	r.Undo = tool.CallOf("timers.ring", restoreArgs{was})
	return r, nil
}

// later lets ring again what fell silent a moment ago: "remind me again in ten minutes".
func (t timers) later(ctx context.Context, d time.Duration) (models.Result, error) {
	p, ok := t.Book.Faded()
	if !ok {
		return tool.Said("Nothing is ringing."), nil
	}
	was, _, err := t.Book.Postpone(ctx, p.Kind, p.ID, d)
	if err != nil {
		return models.Result{}, err
	}
	what := "ring again"
	if p.Kind == schedule.Reminder {
		what = "remind you of it again"
	}
	r := tool.Said("Okay, I'll %s in %s.", what, when.Length(d))
	r.Undo = tool.CallOf("timers.quiet", restoreArgs{[]schedule.Promise{was}})
	return r, nil
}

// quiet takes back that what was silent rings again.
func (t timers) quiet(ctx context.Context, a restoreArgs) (models.Result, error) {
	return tool.Said("Okay, it stays quiet."), t.putBack(ctx, a)
}

type dropArgs struct {
	IDs []int64 `json:"ids"`
}

func (t timers) drop(ctx context.Context, a dropArgs) (models.Result, error) {
	var gone []schedule.Promise
	for _, id := range a.IDs {
		p, err := t.Book.Cancel(ctx, schedule.Timer, id)
		if err != nil {
			return models.Result{}, err
		}
		gone = append(gone, p)
	}
	return tool.Said("Okay, I cancelled the %s.", tool.List(titles(gone))), nil
}

type restoreArgs struct {
	Promises []schedule.Promise `json:"promises"`
}

func (t timers) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	if err := t.putBack(ctx, a); err != nil {
		return models.Result{}, err
	}
	if len(a.Promises) > 1 {
		return tool.Said("Okay, the %s are running again.", tool.List(titles(a.Promises))), nil
	}
	return tool.Said("Okay, the %s is running again.", title(a.Promises[0])), nil
}

func (t timers) ring(ctx context.Context, a restoreArgs) (models.Result, error) {
	return tool.Said("Okay, it rings again."), t.putBack(ctx, a)
}

func (t timers) putBack(ctx context.Context, a restoreArgs) error {
	if len(a.Promises) == 0 {
		return fmt.Errorf("restoring nothing: %w", schedule.ErrUnknown)
	}
	for _, p := range a.Promises {
		if err := t.Book.Restore(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

type shortenArgs struct {
	ID    int64         `json:"id"`
	By    tool.Duration `json:"by"`
	Title string        `json:"title"`
}

func (t timers) shorten(ctx context.Context, a shortenArgs) (models.Result, error) {
	p, err := t.Book.Extend(ctx, a.ID, -time.Duration(a.By))
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, the %s has %s left, as before.", a.Title, t.remaining(p)), nil
}
