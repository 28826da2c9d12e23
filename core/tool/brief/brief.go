// Package brief gives briefings and reviews, and lets the user choose their times.
package brief

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed brief.md
var page string

// Teller makes briefings; *brief.Teller is one.
type Teller interface {
	Tell(ctx context.Context, k brief.Kind) (brief.Briefing, error)
}

// Plans keeps when briefings are given by themselves.
type Plans interface {
	// Planned gives the RRULE of a kind, "" for never.
	Planned(ctx context.Context, k brief.Kind) (string, error)
	// Plan sets it; an RRULE that cannot be kept wraps brief.ErrTime.
	Plan(ctx context.Context, k brief.Kind, rule string) error
}

// Config is what the tools stand on.
type Config struct {
	Teller Teller
	Plans  Plans
	Now    func() time.Time // in the user's zone; nil is time.Now
	// Limit is how long a briefing may take; 0 is a minute.
	Limit time.Duration
}

type tools struct{ Config }

// Tools makes the brief.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Limit == 0 {
		c.Limit = time.Minute
	}
	t := tools{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Patient(tool.Of("brief.give", about("brief.give"), models.Read, t.give), c.Limit),
		tool.Of("brief.plan", about("brief.plan"), models.Write, t.plan),
		tool.Of("brief.stop", about("brief.stop"), models.Write, t.stop),
		tool.Internal(tool.Of("brief.restore", about("brief.restore"), models.Write, t.restore)),
	}
}

type kindArgs struct {
	Kind string `json:"kind,omitempty" jsonschema:"morning, week or month" limits:"0..20"`
}

func (t tools) give(ctx context.Context, a kindArgs) (models.Result, error) {
	k, err := brief.KindOf(a.Kind)
	if err != nil {
		return unknown(), nil
	}
	b, err := t.Teller.Tell(ctx, k)
	if err != nil {
		return models.Result{}, err
	}
	return tool.With(models.Result{Say: b.Text()}, b), nil
}

func unknown() models.Result {
	return tool.Said("I know a morning briefing, a weekly review and a monthly review.")
}

// called are the kinds as the user knows them.
var called = map[brief.Kind]string{brief.Morning: "morning briefing", brief.Week: "weekly review", brief.Month: "monthly review"}

type planArgs struct {
	Kind   string    `json:"kind,omitempty" jsonschema:"morning, week or month" limits:"0..20"`
	Repeat string    `json:"repeat,omitempty" jsonschema:"RRULE of its times" limits:"0..512"`
	Time   time.Time `json:"time,omitzero" jsonschema:"or a time of day"`
}

func (t tools) plan(ctx context.Context, a planArgs) (models.Result, error) {
	k, err := brief.KindOf(a.Kind)
	if err != nil {
		return unknown(), nil
	}
	again := func(why string) (models.Result, error) {
		return models.Result{Say: why + "At what time should I give you your " + called[k] + "?",
			Ask: &models.Ask{Slot: "time", Call: *tool.CallOf("brief.plan", planArgs{Kind: string(k)})}}, nil
	}
	rule := a.Repeat
	switch {
	case rule == "" && a.Time.IsZero():
		return again("")
	case rule == "":
		if rule, err = brief.Rule(k, a.Time.In(t.Now().Location()).Format("15:04"), t.Now()); err != nil {
			return models.Result{}, err
		}
	}
	was, err := t.Plans.Planned(ctx, k)
	if err != nil {
		return models.Result{}, err
	}
	if err := t.Plans.Plan(ctx, k, rule); errors.Is(err, brief.ErrTime) {
		return again("I can't keep that time. ")
	} else if err != nil {
		return models.Result{}, err
	}
	r := tool.Said("I'll give you your %s %s.", called[k], tool.Every(rule, t.Now()))
	r.Undo = tool.CallOf("brief.restore", restoreArgs{string(k), was})
	return r, nil
}

func (t tools) stop(ctx context.Context, a kindArgs) (models.Result, error) {
	k, err := brief.KindOf(a.Kind)
	if err != nil {
		return unknown(), nil
	}
	was, err := t.Plans.Planned(ctx, k)
	if err != nil {
		return models.Result{}, err
	}
	if was == "" {
		return tool.Said("Your %s is given only when you ask for it.", called[k]), nil
	}
	if err := t.Plans.Plan(ctx, k, ""); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("Okay, no more %s by itself.", called[k])
	r.Undo = tool.CallOf("brief.restore", restoreArgs{string(k), was})
	return r, nil
}

type restoreArgs struct {
	Kind string `json:"kind"`
	Rule string `json:"rule"`
}

func (t tools) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	k, err := brief.KindOf(a.Kind)
	if err != nil {
		return models.Result{}, err
	}
	if err := t.Plans.Plan(ctx, k, a.Rule); err != nil {
		return models.Result{}, fmt.Errorf("putting back the time of a briefing: %w", err)
	}
	if a.Rule == "" {
		return tool.Said("Okay, no more %s by itself.", called[k]), nil
	}
	return tool.Said("Okay, I'll give you your %s %s.", called[k], tool.Every(a.Rule, t.Now())), nil
}
