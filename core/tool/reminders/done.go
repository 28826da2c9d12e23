package reminders

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type doneArgs struct {
	ID   int64  `json:"id,omitempty" jsonschema:"number of a timer, alarm or reminder, where it is known"`
	Text string `json:"text,omitempty" jsonschema:"what the reminder is about; what rings if left out" limits:"0..500"`
}

// done answers what rings, or marks a reminder as done before its time.
func (r reminders) done(ctx context.Context, in doneArgs) (models.Result, error) {
	p, sorry, err := r.one(ctx, in.ID, in.Text, "reminders.done")
	if err != nil || sorry != nil {
		return deref(sorry), err
	}
	was, err := r.Book.Finish(ctx, p.Kind, p.ID)
	if errors.Is(err, schedule.ErrUnknown) {
		return tool.Said("That one is over already."), nil
	}
	if err != nil {
		return models.Result{}, err
	}
	out := tool.Said("Okay, done: %s.", label(was))
	out.Undo = tool.CallOf("reminders.again", restoreArgs{[]schedule.Promise{was}})
	return out, nil
}

type postponeArgs struct {
	ID       int64         `json:"id,omitempty" jsonschema:"number of a timer, alarm or reminder, where it is known"`
	Text     string        `json:"text,omitempty" jsonschema:"what the reminder is about; what rings if left out" limits:"0..500"`
	Duration tool.Duration `json:"duration,omitempty" jsonschema:"how much later; 10 minutes if left out"`
}

// later is how much later, where nothing was said.
const later = 10 * time.Minute

// postpone lets one promise ring later.
func (r reminders) postpone(ctx context.Context, in postponeArgs) (models.Result, error) {
	d := time.Duration(in.Duration)
	switch {
	case d <= 0:
		d = later
	case d > 366*24*time.Hour:
		return tool.Said("I can put it off for a year at most."), nil
	}
	p, sorry, err := r.one(ctx, in.ID, in.Text, "reminders.postpone")
	if err != nil || sorry != nil {
		return deref(sorry), err
	}
	was, is, err := r.Book.Postpone(ctx, p.Kind, p.ID, d)
	if errors.Is(err, schedule.ErrUnknown) {
		return tool.Said("That one was cancelled."), nil
	}
	if err != nil {
		return models.Result{}, err
	}
	out := tool.Said("Okay, %s: %s.", label(is), when.Say(is.At, r.Now()))
	out.Undo = tool.CallOf("reminders.again", restoreArgs{[]schedule.Promise{was}})
	return out, nil
}

// one finds the promise that is meant; where none or several are, what to say instead.
func (r reminders) one(ctx context.Context, id int64, text, call string) (schedule.Promise, *models.Result, error) {
	if id != 0 {
		p, err := r.Book.Find(ctx, id)
		if errors.Is(err, schedule.ErrUnknown) {
			return p, new(tool.Said("There is no such promise.")), nil
		}
		return p, nil, err
	}
	rings := slices.DeleteFunc(r.Book.Ringing(), func(p schedule.Promise) bool { return p.Kind != schedule.Reminder })
	waiting, err := r.Book.Waiting(ctx, schedule.Reminder)
	if err != nil {
		return schedule.Promise{}, nil, err
	}
	all := rings
	if text != "" || len(rings) == 0 {
		all = append(rings, waiting...)
	}
	found := r.meant(all, cancelArgs{Text: text})
	switch {
	case len(all) == 0:
		return schedule.Promise{}, new(tool.Said("You have no reminders.")), nil
	case len(found) == 1:
		return found[0], nil, nil
	case len(found) == 0:
		return schedule.Promise{}, new(tool.Said("I can't find that reminder.")), nil
	}
	return schedule.Promise{}, new(ask("Which one: "+r.some(found)+"?", "text", call, none{})), nil
}

// label is "call Anna" or "the pasta timer".
func label(p schedule.Promise) string {
	switch {
	case p.Kind == schedule.Reminder:
		return tool.Mirror(p.Text)
	case p.Text == "":
		return "the " + string(p.Kind)
	}
	return "the " + p.Text + " " + string(p.Kind)
}

// again takes back that something was done or put off.
func (r reminders) again(ctx context.Context, in restoreArgs) (models.Result, error) {
	for _, p := range in.Promises {
		if err := r.Book.Restore(ctx, p); err != nil {
			return models.Result{}, err
		}
	}
	return tool.Said("Okay, as it was."), nil
}

func deref(r *models.Result) models.Result {
	if r == nil {
		return models.Result{}
	}
	return *r
}
