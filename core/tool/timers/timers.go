// Package timers sets, lists, extends and cancels timers, and snoozes what rings.
package timers

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

//go:embed timers.md
var page string

// Book keeps the promised times; *schedule.Book is one.
type Book interface {
	Add(ctx context.Context, p schedule.Promise) (schedule.Promise, error)
	Waiting(ctx context.Context, kinds ...schedule.Kind) ([]schedule.Promise, error)
	Cancel(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error)
	Restore(ctx context.Context, p schedule.Promise) error
	Extend(ctx context.Context, id int64, by time.Duration) (schedule.Promise, error)
	Ringing() []schedule.Promise
	Snooze(ctx context.Context, d time.Duration) ([]schedule.Promise, error)
	Faded() (schedule.Promise, bool) // what fell silent lately
	Postpone(ctx context.Context, kind schedule.Kind, id int64, d time.Duration) (was, is schedule.Promise, err error)
}

// Config is what the timers stand on.
type Config struct {
	Book Book
	Now  func() time.Time // in the user's zone; nil is time.Now
}

const (
	longest = 30 * 24 * time.Hour // a reminder serves better beyond
	snooze  = 9 * time.Minute
)

type timers struct{ Config }

// Tools makes the timers.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	t := timers{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("timers.set", about("timers.set"), models.Write, t.set),
		tool.Of("timers.list", about("timers.list"), models.Read, t.list),
		tool.Of("timers.left", about("timers.left"), models.Read, t.left),
		tool.Of("timers.cancel", about("timers.cancel"), models.Write, t.cancel),
		tool.Of("timers.extend", about("timers.extend"), models.Write, t.extend),
		tool.Of("timers.snooze", about("timers.snooze"), models.Write, t.snooze),
		tool.Internal(tool.Of("timers.drop", about("timers.drop"), models.Write, t.drop)),
		tool.Internal(tool.Of("timers.restore", about("timers.restore"), models.Write, t.restore)),
		tool.Internal(tool.Of("timers.shorten", about("timers.shorten"), models.Write, t.shorten)),
		tool.Internal(tool.Of("timers.quiet", about("timers.quiet"), models.Write, t.quiet)),
		tool.Internal(tool.Of("timers.ring", about("timers.ring"), models.Write, t.ring)),
	}
}

type none struct{}

type setArgs struct {
	Duration tool.Duration `json:"duration,omitempty" jsonschema:"how long the timer runs"`
	Name     string        `json:"name,omitempty" jsonschema:"what the timer is for, such as pasta" limits:"0..100"`
}

func (t timers) set(ctx context.Context, a setArgs) (models.Result, error) {
	d := time.Duration(a.Duration)
	a.Name = named(a.Name)
	switch {
	case d < time.Second:
		a.Duration = 0
		return ask("How long should the timer run?", "duration", "timers.set", a), nil
	case d > longest:
		return tool.Said("A timer can run for 30 days at most. For longer, ask me for a reminder."), nil
	}
	same, err := t.all(ctx)
	if err != nil {
		return models.Result{}, err
	}
	p, err := t.Book.Add(ctx, schedule.Promise{Kind: schedule.Timer, Text: a.Name, Length: d})
	if err != nil {
		return models.Result{}, err
	}
	say := when.Length(d) + ", starting now."
	if a.Name != "" {
		say = tool.Upper(title(p)) + ", " + say
		if slices.ContainsFunc(same, func(o schedule.Promise) bool { return strings.EqualFold(o.Text, a.Name) }) {
			say = "Another " + title(p) + ", " + when.Length(d) + ", starting now."
		}
	}
	r := models.Result{Say: say, Undo: tool.CallOf("timers.drop", dropArgs{[]int64{p.ID}})}
	return tool.With(r, t.data(p)), nil
}

func (t timers) list(ctx context.Context, _ none) (models.Result, error) {
	all, err := t.all(ctx)
	if err != nil {
		return models.Result{}, err
	}
	var lines []string
	for _, p := range all {
		lines = append(lines, t.standing(p))
	}
	r := models.Result{Say: fmt.Sprintf("You have %d timers: %s.", len(all), tool.Some(lines, 5))}
	switch len(all) {
	case 0:
		r.Say = "You have no timers running."
	case 1:
		r.Say = "You have one timer: " + lines[0] + "."
	}
	return tool.With(r, t.data(all...)), nil
}

type leftArgs struct {
	Name     string        `json:"name,omitempty" jsonschema:"name of the timer" limits:"0..100"`
	Duration tool.Duration `json:"duration,omitempty" jsonschema:"whole length of the timer, to tell it from others"`
}

func (t timers) left(ctx context.Context, a leftArgs) (models.Result, error) {
	all, err := t.all(ctx)
	if err != nil {
		return models.Result{}, err
	}
	if len(all) == 0 {
		return tool.Said("You have no timers running."), nil
	}
	found := pick(all, a.Name, time.Duration(a.Duration), t.Now())
	if a.Name == "" && a.Duration == 0 {
		found = all
	}
	if len(found) == 0 {
		return tool.Said("%s %s", absent(a.Name, a.Duration), t.rest(all)), nil
	}
	return tool.With(models.Result{Say: t.rest(found)}, t.data(found...)), nil
}

// rest is "The egg timer is ringing. 3 minutes left on the pasta timer and 9 minutes on the rice timer."
func (t timers) rest(all []schedule.Promise) string {
	var say, parts []string
	for _, p := range all {
		switch {
		case t.over(p):
			say = append(say, fmt.Sprintf("The %s is ringing.", title(p)))
		case len(parts) == 0:
			parts = append(parts, t.remaining(p)+" left on the "+title(p))
		default:
			parts = append(parts, t.remaining(p)+" on the "+title(p))
		}
	}
	if len(parts) > 0 {
		say = append(say, tool.Upper(tool.Some(parts, 5))+".")
	}
	return strings.Join(say, " ")
}
