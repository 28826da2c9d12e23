// Package reminders makes, lists and cancels reminders, and tells what else is coming up.
package reminders

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed reminders.md
var page string

// Book keeps the promised times; *schedule.Book is one.
type Book interface {
	Add(ctx context.Context, p schedule.Promise) (schedule.Promise, error)
	Waiting(ctx context.Context, kinds ...schedule.Kind) ([]schedule.Promise, error)
	Cancel(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error)
	Restore(ctx context.Context, p schedule.Promise) error
	Ringing() []schedule.Promise
	Find(ctx context.Context, id int64) (schedule.Promise, error)
	Finish(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error)
	Postpone(ctx context.Context, kind schedule.Kind, id int64, d time.Duration) (was, is schedule.Promise, err error)
}

// Config is what the reminders stand on.
type Config struct {
	Book Book
	Now  func() time.Time // in the user's zone; nil is time.Now
}

type reminders struct{ Config }

// Tools makes the reminders.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	r := reminders{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("reminders.create", about("reminders.create"), models.Write, r.create),
		tool.Of("reminders.list", about("reminders.list"), models.Read, r.list),
		tool.Of("reminders.upcoming", about("reminders.upcoming"), models.Read, r.upcoming),
		tool.Of("reminders.cancel", about("reminders.cancel"), models.Write, r.cancel),
		tool.Of("reminders.done", about("reminders.done"), models.Write, r.done),
		tool.Of("reminders.postpone", about("reminders.postpone"), models.Write, r.postpone),
		tool.Internal(tool.Of("reminders.again", about("reminders.again"), models.Write, r.again)),
		tool.Internal(tool.Of("reminders.drop", about("reminders.drop"), models.Write, r.drop)),
		tool.Internal(tool.Of("reminders.restore", about("reminders.restore"), models.Write, r.restore)),
	}
}

type none struct{}

type createArgs struct {
	Text   string    `json:"text,omitempty" jsonschema:"what to remind of, in the user's words, such as call Anna" limits:"0..500"`
	Time   time.Time `json:"time,omitzero" jsonschema:"when, or when first"`
	Repeat string    `json:"repeat,omitempty" jsonschema:"RRULE of a recurring reminder, such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9" limits:"0..200"`
}

func (r reminders) create(ctx context.Context, in createArgs) (models.Result, error) {
	in.Text = tool.Trim(in.Text, "to")
	if in.Text == "" {
		return ask("What should I remind you of?", "text", "reminders.create", createArgs{Time: in.Time, Repeat: in.Repeat}), nil
	}
	if in.Time.IsZero() && in.Repeat == "" {
		return whenAsked("", in), nil
	}
	if !in.Time.IsZero() && !in.Time.After(r.Now()) {
		in.Time = time.Time{}
		if in.Repeat == "" {
			return whenAsked("That time has already passed. ", in), nil
		}
	}
	p, err := r.Book.Add(ctx, schedule.Promise{Kind: schedule.Reminder, Text: in.Text, At: in.Time, Every: in.Repeat})
	switch {
	case errors.Is(err, schedule.ErrTooFar):
		return whenAsked("That's too far away. ", in), nil
	case errors.Is(err, schedule.ErrRule), errors.Is(err, schedule.ErrNever), errors.Is(err, schedule.ErrPast):
		return whenAsked("I can't keep that time. ", in), nil
	case err != nil:
		return models.Result{}, err
	}
	drop := tool.CallOf("reminders.drop", dropArgs{p.ID})
	out := tool.Said("I'll remind you %s %s. Right?", of(p.Text), r.at(p))
	out.Undo, out.Ask = drop, &models.Ask{Call: tool.Fine, No: drop}
	return tool.With(out, data(p)), nil
}

// whenAsked asks for the time of a reminder, after saying what was wrong with the one given.
func whenAsked(why string, in createArgs) models.Result {
	return ask(fmt.Sprintf("%sWhen should I remind you %s?", why, of(in.Text)), "time", "reminders.create", createArgs{Text: in.Text})
}

func (r reminders) list(ctx context.Context, _ none) (models.Result, error) {
	all, err := r.Book.Waiting(ctx, schedule.Reminder)
	if err != nil {
		return models.Result{}, err
	}
	out := models.Result{Say: fmt.Sprintf("You have %d reminders: %s.", len(all), r.some(all))}
	switch len(all) {
	case 0:
		out.Say = "You have no reminders."
	case 1:
		out.Say = "You have one reminder: " + r.some(all) + "."
	}
	return tool.With(out, data(all...)), nil
}

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

type row struct {
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
	Repeat string    `json:"repeat,omitempty"`
}

func data(all ...schedule.Promise) []row {
	out := []row{}
	for _, p := range all {
		out = append(out, row{p.Text, p.At, p.Every})
	}
	return out
}
