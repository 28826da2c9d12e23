package routines

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type none struct{}

func (r routines) list(ctx context.Context, _ none) (models.Result, error) {
	all, err := r.Book.List(ctx)
	if err != nil {
		return models.Result{}, err
	}
	out := tool.Said("You have %s: %s.", tool.Count(len(all), "routine"), names(all))
	if len(all) == 0 {
		out = tool.Said("You have no routines yet.")
	}
	return tool.With(out, data(all...)), nil
}

type nameArgs struct {
	Name string `json:"name,omitempty" jsonschema:"name of the routine" limits:"0..200"`
}

func (r routines) show(ctx context.Context, a nameArgs) (models.Result, error) {
	found, out, err := r.one(ctx, a.Name, "routines.show", "do you mean", nil)
	if err != nil || found.ID == 0 {
		return out, err
	}
	plans, err := r.plans(ctx, found.Name)
	if err != nil {
		return models.Result{}, err
	}
	said := fmt.Sprintf("When you say %q, I %s.", found.Name, does(found.Actions))
	var times []string
	for _, p := range plans {
		times = append(times, r.at(p))
	}
	if len(times) > 0 {
		said += fmt.Sprintf(" It runs by itself %s.", tool.List(times))
	}
	return tool.With(models.Result{Say: said}, data(found)), nil
}

// at words a time at which a routine runs.
func (r routines) at(p schedule.Promise) string {
	if p.Every != "" {
		return tool.Every(p.Every, p.At)
	}
	return when.Say(p.At, r.Now())
}

func (r routines) run(ctx context.Context, a nameArgs) (models.Result, error) {
	found, out, err := r.one(ctx, a.Name, "routines.run", "should I run", nil)
	if err != nil || found.ID == 0 {
		return out, err
	}
	return r.Book.Run(ctx, found)
}

func (r routines) agree(ctx context.Context, a routine.Halted) (models.Result, error) {
	return r.answer(ctx, a, true)
}

func (r routines) skip(ctx context.Context, a routine.Halted) (models.Result, error) {
	return r.answer(ctx, a, false)
}

func (r routines) answer(ctx context.Context, a routine.Halted, yes bool) (models.Result, error) {
	out, err := r.Book.Answer(ctx, a.Run, yes)
	if errors.Is(err, routine.ErrUnknown) {
		return tool.Said("That routine no longer waits. Please run it again."), nil
	}
	return out, err
}

type planArgs struct {
	Name   string    `json:"name,omitempty" jsonschema:"name of the routine" limits:"0..200"`
	Time   time.Time `json:"time,omitzero" jsonschema:"when it runs"`
	Repeat string    `json:"repeat,omitempty" jsonschema:"RRULE, where it runs again and again" limits:"0..512"`
}

func (r routines) plan(ctx context.Context, a planArgs) (models.Result, error) {
	found, out, err := r.one(ctx, a.Name, "routines.plan", "should run by itself", a)
	if err != nil || found.ID == 0 {
		return out, err
	}
	again := func(why string) (models.Result, error) {
		return ask(fmt.Sprintf("%sWhen should I run %s?", why, found.Name), "time", "routines.plan", planArgs{Name: found.Name}), nil
	}
	switch {
	case r.Times == nil:
		return tool.Said("I keep no times here."), nil
	case a.Time.IsZero() && a.Repeat == "":
		return again("")
	case !a.Time.IsZero() && !a.Time.After(r.Now()) && a.Repeat == "":
		return again("That time has already passed. ")
	case !a.Time.After(r.Now()):
		a.Time = time.Time{}
	}
	p, err := r.Times.Add(ctx, schedule.Promise{Kind: schedule.Routine, Text: found.Name, At: a.Time, Every: a.Repeat})
	switch {
	case errors.Is(err, schedule.ErrRule), errors.Is(err, schedule.ErrNever), errors.Is(err, schedule.ErrPast), errors.Is(err, schedule.ErrTooFar):
		return again("I can't keep that time. ")
	case err != nil:
		return models.Result{}, err
	}
	out = tool.Said("I'll run %s %s.", found.Name, r.at(p))
	out.Undo = tool.CallOf("routines.cancel", idArgs{p.ID})
	return out, nil
}

type idArgs struct {
	ID int64 `json:"id"`
}

func (r routines) cancel(ctx context.Context, a idArgs) (models.Result, error) {
	p, err := r.Times.Cancel(ctx, schedule.Routine, a.ID)
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, %s no longer runs by itself.", p.Text), nil
}

func (r routines) unplan(ctx context.Context, a nameArgs) (models.Result, error) {
	found, out, err := r.one(ctx, a.Name, "routines.unplan", "do you mean", nil)
	if err != nil || found.ID == 0 {
		return out, err
	}
	gone, err := r.forget(ctx, found.Name)
	if err != nil {
		return models.Result{}, err
	}
	if len(gone) == 0 {
		return tool.Said("%s does not run by itself.", found.Name), nil
	}
	out = tool.Said("Okay, %s no longer runs by itself.", found.Name)
	out.Undo = tool.CallOf("routines.restore", restoreArgs{Plans: gone})
	return out, nil
}

// forget takes back all times at which a routine was to run.
func (r routines) forget(ctx context.Context, name string) ([]schedule.Promise, error) {
	plans, err := r.plans(ctx, name)
	for _, p := range plans {
		if _, err := r.Times.Cancel(ctx, schedule.Routine, p.ID); err != nil && !errors.Is(err, schedule.ErrUnknown) {
			return nil, err
		}
	}
	return plans, err
}

func (r routines) delete(ctx context.Context, a nameArgs) (models.Result, error) {
	found, out, err := r.one(ctx, a.Name, "routines.delete", "should I remove", nil)
	if err != nil || found.ID == 0 {
		return out, err
	}
	return r.drop(ctx, idArgs{found.ID})
}

func (r routines) drop(ctx context.Context, a idArgs) (models.Result, error) {
	gone, err := r.Book.Remove(ctx, a.ID)
	if err != nil {
		return models.Result{}, err
	}
	plans, err := r.forget(ctx, gone.Name)
	if err != nil {
		return models.Result{}, err
	}
	out := tool.Said("Okay, I removed the routine %s.", gone.Name)
	out.Undo = tool.CallOf("routines.restore", restoreArgs{&gone, plans})
	return out, nil
}

type restoreArgs struct {
	Routine *routine.Routine   `json:"routine,omitempty"`
	Plans   []schedule.Promise `json:"plans,omitempty"`
}

func (r routines) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	var said []string
	if a.Routine != nil {
		if err := r.Book.Restore(ctx, *a.Routine); err != nil {
			return models.Result{}, err
		}
		said = append(said, fmt.Sprintf("Okay, the routine %s is back.", a.Routine.Name))
	}
	for _, p := range a.Plans {
		if err := r.Times.Restore(ctx, p); err != nil {
			return models.Result{}, err
		}
		if a.Routine == nil && len(said) == 0 {
			said = append(said, fmt.Sprintf("Okay, %s runs by itself again.", p.Text))
		}
	}
	return models.Result{Say: strings.Join(said, " ")}, nil
}
