package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/models"
)

func (s *assistant) routineAdd(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	var actions []routine.Action
	for _, do := range o.Which {
		more, err := s.work.routines.Actions(do)
		if err != nil {
			return err
		}
		actions = append(actions, more...)
	}
	plan, err := s.planFor(o.Every)
	if err != nil {
		return err
	}
	r, err := s.work.routines.Add(ctx, routine.Routine{Name: o.Text, Actions: actions})
	if err != nil {
		return err
	}
	if plan != nil {
		plan.Text = r.Name
		if _, err := s.book.Add(ctx, *plan); err != nil {
			_, gone := s.work.routines.Remove(ctx, r.ID)
			return errors.Join(unkept(o.Every, err), gone)
		}
	}
	return s.tellRoutine(ctx, r, "added", tell)
}

func unkept(text string, err error) error {
	for _, known := range []error{schedule.ErrTooFar, schedule.ErrRule, schedule.ErrNever, schedule.ErrPast, schedule.ErrNoTime} {
		if errors.Is(err, known) {
			return mendable("time", `say when, as in --every "every weekday at seven"`, "%q cannot be kept: %w", text, err)
		}
	}
	return err
}

// planFor reads when a routine runs by itself; nil for never.
func (s *assistant) planFor(text string) (*schedule.Promise, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "off" {
		return nil, nil
	}
	p := schedule.Promise{Kind: schedule.Routine}
	if strings.HasPrefix(strings.ToUpper(text), "FREQ=") {
		p.Every = text
		return &p, nil
	}
	at, rule, ok := mind.When(text, s.app.now())
	if !ok {
		return nil, mendable("time", `say when, as in --every "every weekday at seven"`, "%q is no time to come", cut(text))
	}
	p.At, p.Every = at, rule
	return &p, nil
}

func (s *assistant) tellRoutine(ctx context.Context, r routine.Routine, did string, tell func(workLine) error) error {
	l, err := s.routineLine(ctx, r, did)
	if err != nil {
		return err
	}
	return tell(l)
}

func (s *assistant) routineList(ctx context.Context, _ cli.WorkOrder, tell func(workLine) error) error {
	all, err := s.work.routines.List(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if err := s.tellRoutine(ctx, r, "", tell); err != nil {
			return err
		}
	}
	return nil
}

// oneRoutine finds a routine by its number or name.
func (s *assistant) oneRoutine(ctx context.Context, which []string) (routine.Routine, error) {
	text := strings.Join(which, " ")
	if n, ok := id(text); ok {
		return s.work.routines.Get(ctx, n)
	}
	found, err := s.work.routines.Find(ctx, text)
	if err != nil {
		return routine.Routine{}, err
	}
	if len(found) == 0 {
		return routine.Routine{}, mendable("unknown", "solo routines list tells the names", "there is no routine %q", cut(text))
	}
	return found[0], nil
}

// routineRun runs a routine as the user's own words would, under the same policy.
func (s *assistant) routineRun(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	r, err := s.oneRoutine(ctx, o.Which)
	if err != nil {
		return err
	}
	args, err := json.Marshal(map[string]string{"name": r.Name})
	if err != nil {
		return fmt.Errorf("write a call: %w", err)
	}
	return s.callTool(ctx, models.Call{Tool: "routines.run", Arguments: args}, func(v any) error {
		l, ok := v.(cli.Called)
		if !ok {
			return nil
		}
		return tell(workLine{Called: &l})
	})
}

func (s *assistant) routinePlan(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	r, err := s.oneRoutine(ctx, o.Which)
	if err != nil {
		return err
	}
	plan, err := s.planFor(o.Every)
	if err != nil {
		return err
	}
	if plan == nil {
		if _, err := s.unplan(ctx, r.Name); err != nil {
			return err
		}
		return s.tellRoutine(ctx, r, "no longer by itself", tell)
	}
	plan.Text = r.Name
	if _, err := s.book.Add(ctx, *plan); err != nil {
		return unkept(o.Every, err)
	}
	return s.tellRoutine(ctx, r, "planned", tell)
}

// unplan takes back the times at which a routine was to run, and gives them.
func (s *assistant) unplan(ctx context.Context, name string) ([]schedule.Promise, error) {
	all, err := s.book.Waiting(ctx, schedule.Routine)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p schedule.Promise) bool { return p.Text != name })
	for _, p := range all {
		if _, err := s.book.Cancel(ctx, p.Kind, p.ID); err != nil && !errors.Is(err, schedule.ErrUnknown) {
			return nil, err
		}
	}
	return all, nil
}

// removedRoutine is a routine with its times, ready to be put back.
type removedRoutine struct {
	Routine routine.Routine    `json:"routine"`
	Plans   []schedule.Promise `json:"plans"`
}

func (s *assistant) routineRemove(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	r, err := s.oneRoutine(ctx, o.Which)
	if err != nil {
		return err
	}
	l, err := s.routineLine(ctx, r, "removed")
	if err != nil {
		return err
	}
	gone := removedRoutine{}
	if gone.Routine, err = s.work.routines.Remove(ctx, r.ID); err != nil {
		return err
	}
	if gone.Plans, err = s.unplan(ctx, r.Name); err != nil {
		return err
	}
	if l.Routine.Undo, err = json.Marshal(gone); err != nil {
		return fmt.Errorf("write a routine: %w", err)
	}
	return tell(l)
}

func (s *assistant) routineRestore(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	list, err := undos[removedRoutine](o.Text)
	if err != nil {
		return err
	}
	for _, g := range list {
		if err := s.work.routines.Restore(ctx, g.Routine); err != nil {
			return err
		}
		for _, p := range g.Plans {
			if p.Every == "" && p.At.Before(time.Now()) {
				continue // its time is over
			}
			if err := s.book.Restore(ctx, p); err != nil {
				return err
			}
		}
		if err := s.tellRoutine(ctx, g.Routine, "restored", tell); err != nil {
			return err
		}
	}
	return nil
}
