package alarms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type cancelArgs struct {
	Time time.Time `json:"time,omitzero" jsonschema:"when the alarm would ring"`
	Name string    `json:"name,omitempty" jsonschema:"name of the alarm" limits:"0..100"`
	All  bool      `json:"all,omitempty" jsonschema:"cancel all alarms"`
}

func (a alarms) cancel(ctx context.Context, in cancelArgs) (models.Result, error) {
	all, err := a.Book.Waiting(ctx, schedule.Alarm)
	if err != nil {
		return models.Result{}, err
	}
	ringing := slices.DeleteFunc(a.Book.Ringing(), func(p schedule.Promise) bool { return p.Kind != schedule.Alarm || p.Every != "" })
	all = append(ringing, all...) // one that rings every day is stopped, not cancelled
	if len(all) == 0 {
		return tool.Said("You have no alarms set."), nil
	}
	in.All = in.All || everything[strings.ToLower(named(in.Name))]
	found := a.meant(all, in)
	switch {
	case in.All || len(found) == 1:
	case len(found) > 1:
		return ask(fmt.Sprintf("You have %d alarms: %s. Which one?", len(found), a.some(found)), "name", "alarms.cancel", none{}), nil
	case len(all) == 1:
		return tool.Said("I can't find that alarm. There's only one, for %s.", a.at(all[0])), nil
	default:
		return ask(fmt.Sprintf("I can't find that alarm. You have %s. Which one?", a.some(all)), "name", "alarms.cancel", none{}), nil
	}
	return a.gone(ctx, found)
}

var everything = map[string]bool{"all": true, "all of them": true, "all alarms": true, "both": true, "both of them": true, "everything": true}

// meant finds alarms by time, by name, or by what was answered to "which one?".
func (a alarms) meant(all []schedule.Promise, in cancelArgs) []schedule.Promise {
	name := named(in.Name)
	if in.All {
		return all
	}
	if !in.Time.IsZero() {
		all = a.atTime(all, in.Time)
	}
	if name == "" {
		return all
	}
	labels := make([]string, len(all))
	for i, p := range all {
		labels[i] = title(p) + " " + a.at(p)
	}
	var found []schedule.Promise
	for _, i := range tool.Pick(name, labels) {
		found = append(found, all[i])
	}
	if v, ok := when.Parse(name, a.Now()); ok && v.Kind == when.Point && len(found) != 1 {
		if timed := a.atTime(all, v.Start); len(timed) > 0 {
			return timed
		}
	}
	return found
}

// atTime finds the alarms of that very time, else those of that reading of the clock, else of either half of the day:
// who says "my 7 o'clock alarm" in the afternoon means the one in the morning.
func (a alarms) atTime(all []schedule.Promise, t time.Time) []schedule.Promise {
	t = t.In(a.Now().Location())
	for _, same := range []func(p time.Time) bool{
		t.Equal,
		func(p time.Time) bool { return p.Hour() == t.Hour() && p.Minute() == t.Minute() },
		func(p time.Time) bool { return p.Hour()%12 == t.Hour()%12 && p.Minute() == t.Minute() },
	} {
		var found []schedule.Promise
		for _, p := range all {
			if same(p.At.In(t.Location())) {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// gone cancels alarms and reads them back.
func (a alarms) gone(ctx context.Context, all []schedule.Promise) (models.Result, error) {
	var was []schedule.Promise
	for _, p := range all {
		got, err := a.Book.Cancel(ctx, schedule.Alarm, p.ID)
		if err != nil {
			return models.Result{}, err
		}
		was = append(was, got)
	}
	say := fmt.Sprintf("%s for %s cancelled.", tool.Upper(title(was[0])), a.at(was[0]))
	if len(was) > 1 {
		say = fmt.Sprintf("I cancelled %d alarms: %s.", len(was), a.some(was))
	}
	return models.Result{Say: say, Undo: tool.CallOf("alarms.restore", restoreArgs{was})}, nil
}

// at is when an alarm rings: "tomorrow at 7 AM", "Tuesday at noon" or "every weekday at 7 AM".
func (a alarms) at(p schedule.Promise) string {
	if p.Every != "" {
		return strings.TrimPrefix(tool.Every(p.Every, p.At), "on ")
	}
	return strings.TrimPrefix(when.Say(p.At, a.Now()), "on ")
}

// each is "tomorrow at 7 AM" or "flight, Tuesday at noon".
func (a alarms) each(p schedule.Promise) string {
	if p.Text == "" {
		return a.at(p)
	}
	return p.Text + ", " + a.at(p)
}

func (a alarms) some(all []schedule.Promise) string {
	var out []string
	for _, p := range all {
		out = append(out, a.each(p))
	}
	return tool.Some(out, 5)
}

type dropArgs struct {
	ID int64 `json:"id"`
}

func (a alarms) drop(ctx context.Context, in dropArgs) (models.Result, error) {
	p, err := a.Book.Cancel(ctx, schedule.Alarm, in.ID)
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, no %s for %s.", title(p), a.at(p)), nil
}

type restoreArgs struct {
	Promises []schedule.Promise `json:"promises"`
}

func (a alarms) restore(ctx context.Context, in restoreArgs) (models.Result, error) {
	for _, p := range in.Promises {
		if err := a.Book.Restore(ctx, p); err != nil {
			return models.Result{}, err
		}
	}
	if len(in.Promises) == 1 {
		return tool.Said("Okay, the %s for %s is set again.", title(in.Promises[0]), a.at(in.Promises[0])), nil
	}
	return tool.Said("Okay, %d alarms are set again.", len(in.Promises)), nil
}
