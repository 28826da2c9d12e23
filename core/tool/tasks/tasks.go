// Package tasks keeps the user's list of things to do.
package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

//go:embed tasks.md
var page string

// List keeps tasks; *task.List is one.
type List interface {
	Add(ctx context.Context, t task.Task) (task.Task, error)
	Open(ctx context.Context) ([]task.Task, error)
	Find(ctx context.Context, words string) ([]task.Task, error)
	Complete(ctx context.Context, id int64) (task.Task, error)
	Reopen(ctx context.Context, id int64) (task.Task, error)
	Edit(ctx context.Context, id int64, do func(*task.Task)) (task.Task, error)
	Get(ctx context.Context, id int64) (task.Task, error)
	Finished(ctx context.Context, since time.Time, n int) ([]task.Task, error)
	Delete(ctx context.Context, id int64) (task.Task, error)
	Restore(ctx context.Context, t task.Task) error
}

// Projects finds the project that some words mean; *project.Book does.
type Projects interface {
	Find(ctx context.Context, text string) ([]*project.Node, error)
}

// Config is what the task tools stand on.
type Config struct {
	List     List
	Projects Projects         // nil for none
	Now      func() time.Time // in the user's zone; nil is time.Now
}

type tasks struct{ Config }

// Tools makes the tasks.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	t := tasks{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("tasks.create", about("tasks.create"), models.Write, t.create),
		tool.Of("tasks.list", about("tasks.list"), models.Read, t.list),
		tool.Of("tasks.complete", about("tasks.complete"), models.Write, t.complete),
		tool.Of("tasks.change", about("tasks.change"), models.Write, t.change),
		tool.Of("tasks.resume", about("tasks.resume"), models.Write, t.resume),
		tool.Of("tasks.delete", about("tasks.delete"), models.Write, t.delete),
		tool.Internal(tool.Of("tasks.drop", about("tasks.drop"), models.Write, t.drop)),
		tool.Internal(tool.Of("tasks.reopen", about("tasks.reopen"), models.Write, t.reopen)),
		tool.Internal(tool.Of("tasks.restore", about("tasks.restore"), models.Write, t.restore)),
	}
}

type createArgs struct {
	Description string    `json:"description,omitempty" jsonschema:"what is to be done, such as buy milk" limits:"0..500"`
	Due         time.Time `json:"due_time,omitzero" jsonschema:"by when"`
	Tags        []string  `json:"tags,omitempty" jsonschema:"lists or topics it belongs to, such as shopping"`
	Project     string    `json:"project,omitempty" jsonschema:"name of the project that it is for" limits:"0..500"`
}

func (t tasks) create(ctx context.Context, a createArgs) (models.Result, error) {
	a.Description = tool.Trim(a.Description, "to")
	if a.Description == "" {
		return ask("What should I put on your list?", "description", "tasks.create", a), nil
	}
	if !a.Due.IsZero() && !a.Due.After(t.Now()) {
		a.Due = time.Time{}
		return ask("That time has already passed. When is it due?", "due_time", "tasks.create", a), nil
	}
	project, r, err := t.project(ctx, a.Project)
	if err != nil || r.Say != "" {
		return r, err
	}
	open, err := t.List.Open(ctx)
	if err != nil {
		return models.Result{}, err
	}
	for _, o := range open {
		if strings.EqualFold(o.Description, a.Description) && (a.Due.IsZero() || o.Due.Equal(a.Due)) {
			return tool.Said("%s is on your list already.", tool.Upper(tool.Mirror(o.Description))), nil
		}
	}
	made, err := t.List.Add(ctx, task.Task{Description: a.Description, Due: a.Due, Tags: a.Tags, Project: project.ID})
	if err != nil {
		return models.Result{}, err
	}
	where := "your list"
	if len(made.Tags) > 0 {
		where = "your " + tool.List(made.Tags) + " list"
	}
	if project.Name != "" {
		where += ", for " + project.Name
	}
	r = tool.Said("I put %s on %s%s.", tool.Mirror(made.Description), where, t.due(",", made))
	r.Undo = tool.CallOf("tasks.drop", dropArgs{[]int64{made.ID}})
	return tool.With(r, data(made)), nil
}

// spoken is how many tasks one can listen to.
const spoken = 5

type listArgs struct {
	Project string `json:"project,omitempty" jsonschema:"only those of this project" limits:"0..500"`
	Tag     string `json:"tag,omitempty" jsonschema:"only those of this list or topic" limits:"0..64"`
	Status  string `json:"status,omitempty" jsonschema:"only those that are open, doing or blocked; done tells what was done in the last week" limits:"0..20"`
}

func (t tasks) list(ctx context.Context, a listArgs) (models.Result, error) {
	if a.Project+a.Tag+a.Status != "" {
		return t.listSome(ctx, a)
	}
	open, err := t.List.Open(ctx)
	if err != nil {
		return models.Result{}, err
	}
	r := models.Result{Say: fmt.Sprintf("You have %d tasks: %s.", len(open), t.some(open))}
	switch len(open) {
	case 0:
		r.Say = "Your list is empty."
	case 1:
		r.Say = "You have one task: " + t.some(open) + "."
	}
	return tool.With(r, data(open...)), nil
}

// some is "buy milk due tomorrow at 9 AM, call Anna and 3 more".
func (t tasks) some(all []task.Task) string {
	var out []string
	for _, o := range all {
		line := tool.Mirror(o.Description) + t.due("", o)
		if o.Status == task.Blocked {
			line += stuck(",", o)
		}
		out = append(out, line)
	}
	return tool.Some(out, spoken)
}

// due is " due tomorrow at 9 AM" after a comma or not; a day without a time is kept as its last or first moment.
func (t tasks) due(comma string, o task.Task) string {
	if o.Due.IsZero() {
		return ""
	}
	now := t.Now()
	word, at := " due ", o.Due.In(now.Location())
	if !at.After(now) {
		word = " overdue since "
	}
	said := when.Say(at, now)
	switch at.Format("15:04") { // a day, not a time of day
	case "00:00":
		said, _, _ = strings.Cut(when.Say(at.Add(time.Minute), now), " at ")
	case "23:59":
		said, _, _ = strings.Cut(said, " at ")
	}
	return comma + word + strings.TrimPrefix(said, "on ")
}

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

type row struct {
	Description string    `json:"description"`
	Due         time.Time `json:"due_time,omitzero"`
	Tags        []string  `json:"tags,omitempty"`
	Done        bool      `json:"done,omitempty"`
	Status      string    `json:"status,omitempty"`
	Stuck       string    `json:"stuck_on,omitempty"`
}

func data(all ...task.Task) []row {
	out := []row{}
	for _, o := range all {
		out = append(out, row{o.Description, o.Due, o.Tags, o.Done(), string(o.Status), o.Stuck})
	}
	return out
}
