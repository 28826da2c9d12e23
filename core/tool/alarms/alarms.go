// Package alarms sets, lists and cancels alarms.
package alarms

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed alarms.md
var page string

// Book keeps the promised times; *schedule.Book is one.
type Book interface {
	Add(ctx context.Context, p schedule.Promise) (schedule.Promise, error)
	Waiting(ctx context.Context, kinds ...schedule.Kind) ([]schedule.Promise, error)
	Cancel(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error)
	Restore(ctx context.Context, p schedule.Promise) error
	Ringing() []schedule.Promise
}

// Config is what the alarms stand on.
type Config struct {
	Book Book
	Now  func() time.Time // in the user's zone; nil is time.Now
}

type alarms struct{ Config }

// Tools makes the alarms.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	a := alarms{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("alarms.set", about("alarms.set"), models.Write, a.set),
		tool.Of("alarms.list", about("alarms.list"), models.Read, a.list),
		tool.Of("alarms.cancel", about("alarms.cancel"), models.Write, a.cancel),
		tool.Internal(tool.Of("alarms.drop", about("alarms.drop"), models.Write, a.drop)),
		tool.Internal(tool.Of("alarms.restore", about("alarms.restore"), models.Write, a.restore)),
	}
}

type none struct{}

type setArgs struct {
	Time   time.Time `json:"time,omitzero" jsonschema:"when the alarm rings, or rings first"`
	Repeat string    `json:"repeat,omitempty" jsonschema:"RRULE of a recurring alarm, such as FREQ=DAILY;BYHOUR=7;BYMINUTE=0" limits:"0..200"`
	Name   string    `json:"name,omitempty" jsonschema:"what the alarm is for" limits:"0..100"`
}

func (a alarms) set(ctx context.Context, in setArgs) (models.Result, error) {
	in.Name = named(in.Name)
	asking := setArgs{Repeat: in.Repeat, Name: in.Name}
	if in.Time.IsZero() && in.Repeat == "" {
		return ask("When should the alarm ring?", "time", "alarms.set", asking), nil
	}
	if !in.Time.IsZero() && !in.Time.After(a.Now()) {
		in.Time = time.Time{}
		if in.Repeat == "" {
			return ask("That time has already passed. When should the alarm ring?", "time", "alarms.set", asking), nil
		}
	}
	if in.Repeat == "" {
		if twin, ok, err := a.twin(ctx, in.Time); err != nil || ok {
			return tool.Said("You already have an alarm for %s.", a.at(twin)), err
		}
	}
	p, err := a.Book.Add(ctx, schedule.Promise{Kind: schedule.Alarm, Text: in.Name, At: in.Time, Every: in.Repeat})
	if r, ok := a.refused(err, in); ok {
		return r, nil
	}
	if err != nil {
		return models.Result{}, err
	}
	r := tool.Said("%s set for %s.", tool.Upper(title(p)), a.at(p))
	r.Undo = tool.CallOf("alarms.drop", dropArgs{p.ID})
	return tool.With(r, data(p)), nil
}

// refused words what the book does not take.
func (a alarms) refused(err error, in setArgs) (models.Result, bool) {
	switch {
	case errors.Is(err, schedule.ErrTooFar):
		return ask("That's too far away. When should the alarm ring?", "time", "alarms.set", setArgs{Name: in.Name}), true
	case errors.Is(err, schedule.ErrRule), errors.Is(err, schedule.ErrNever), errors.Is(err, schedule.ErrPast):
		return ask("I can't set an alarm for that. When should it ring?", "time", "alarms.set", setArgs{Name: in.Name}), true
	}
	return models.Result{}, false
}

// twin is an alarm that rings once at the very same time.
func (a alarms) twin(ctx context.Context, at time.Time) (schedule.Promise, bool, error) {
	all, err := a.Book.Waiting(ctx, schedule.Alarm)
	i := slices.IndexFunc(all, func(p schedule.Promise) bool { return p.Every == "" && p.At.Equal(at) })
	if err != nil || i < 0 {
		return schedule.Promise{}, false, err
	}
	return all[i], true, nil
}

func (a alarms) list(ctx context.Context, _ none) (models.Result, error) {
	all, err := a.Book.Waiting(ctx, schedule.Alarm)
	if err != nil {
		return models.Result{}, err
	}
	var times []string
	for _, p := range all {
		times = append(times, a.each(p))
	}
	r := models.Result{Say: fmt.Sprintf("You have %d alarms: %s.", len(all), tool.Some(times, 5))}
	switch len(all) {
	case 0:
		r.Say = "You have no alarms set."
	case 1:
		r.Say = "You have one alarm: " + times[0] + "."
	}
	return tool.With(r, data(all...)), nil
}

// named is an alarm's name without the word alarm.
func named(name string) string {
	name = tool.Trim(name, "the", "my", "an", "a")
	if strings.EqualFold(name, "alarm") {
		return ""
	}
	return strings.TrimSuffix(name, " alarm")
}

func title(p schedule.Promise) string {
	if p.Text == "" {
		return "alarm"
	}
	return p.Text + " alarm"
}

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

type row struct {
	Name   string    `json:"name,omitempty"`
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
