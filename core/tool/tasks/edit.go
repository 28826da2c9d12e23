package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

// project finds the project that is meant, or gives the reply to say instead. No words are no project.
func (t tasks) project(ctx context.Context, text string) (project.Project, models.Result, error) {
	text = strings.TrimSuffix(tool.Trim(text, "the", "my", "our"), " project")
	if text == "" {
		return project.Project{}, models.Result{}, nil
	}
	if t.Projects == nil {
		return project.Project{}, tool.Said("I keep no projects here."), nil
	}
	found, err := t.Projects.Find(ctx, text)
	switch {
	case err != nil:
		return project.Project{}, models.Result{}, err
	case len(found) == 0:
		return project.Project{}, tool.Said("I can't find a project called %s.", tool.Mirror(text)), nil
	}
	return found[0].Project, models.Result{}, nil
}

type changeArgs struct {
	Description string    `json:"description,omitempty" jsonschema:"some words of the task" limits:"0..500"`
	To          string    `json:"to,omitempty" jsonschema:"its new description" limits:"0..500"`
	Due         time.Time `json:"due_time,omitzero" jsonschema:"by when it is to be done"`
	Status      string    `json:"status,omitempty" jsonschema:"open, doing or blocked" limits:"0..20"`
	Stuck       string    `json:"stuck,omitempty" jsonschema:"what it is blocked by" limits:"0..500"`
	Project     string    `json:"project,omitempty" jsonschema:"name of the project that it is for" limits:"0..500"`
}

// states are the words for what an open task may be.
var states = map[string]task.Status{"open": task.Open, "doing": task.Doing, "blocked": task.Blocked, "stuck": task.Blocked}

func (t tasks) change(ctx context.Context, a changeArgs) (models.Result, error) {
	state, known := states[strings.ToLower(tool.Trim(a.Status))]
	a.Stuck, a.To = tool.Trim(a.Stuck, "on", "by", "because of", "for"), tool.Trim(a.To, "to")
	if a.Stuck != "" {
		state = task.Blocked
	}
	switch {
	case a.Status != "" && !known:
		return tool.Said("A task is open, doing or blocked; say that it is done to complete it."), nil
	case a.To == "" && a.Due.IsZero() && state == "" && a.Project == "":
		return tool.Said("Tell me what to change: its words, when it is due, its project or its state."), nil
	case !a.Due.IsZero() && !a.Due.After(t.Now()):
		a.Due = time.Time{}
		return ask("That time has already passed. When is it due?", "due_time", "tasks.change", a), nil
	}
	p, r, err := t.project(ctx, a.Project)
	if err != nil || r.Say != "" {
		return r, err
	}
	found, r, err := t.which(ctx, a.Description, "tasks.change", "do you mean", a)
	if err != nil || r.Say != "" {
		return r, err
	}
	is, err := t.List.Edit(ctx, found.ID, func(o *task.Task) {
		if a.To != "" {
			o.Description = a.To
		}
		if !a.Due.IsZero() {
			o.Due = a.Due
		}
		if p.ID != 0 {
			o.Project = p.ID
		}
		if state != "" {
			o.Status, o.Stuck = state, a.Stuck
		}
	})
	if err != nil {
		return models.Result{}, err
	}
	r = tool.Said("Okay, %s.", t.changed(a, found, is, p.Name))
	r.Undo = tool.CallOf("tasks.restore", restoreArgs{[]task.Task{found}, true})
	return tool.With(r, data(is)), nil
}

// changed reads back what is different.
func (t tasks) changed(a changeArgs, was, is task.Task, project string) string {
	name := tool.Mirror(was.Description)
	if a.To != "" {
		name += " is now " + tool.Mirror(is.Description)
	}
	var said []string
	if !a.Due.IsZero() {
		said = append(said, "is"+t.due("", is))
	}
	if project != "" {
		said = append(said, "is for "+project)
	}
	if a.Stuck != "" || a.Status != "" {
		said = append(said, map[task.Status]string{task.Open: "is open", task.Doing: "is under way", task.Blocked: "is" + stuck("", is)}[is.Status])
	}
	if a.To != "" && len(said) > 0 {
		name += " and"
	}
	return strings.TrimSpace(name + " " + tool.List(said))
}

// stuck is " stuck on the frozen ground", after a comma or not.
func stuck(comma string, o task.Task) string {
	if o.Stuck == "" {
		return comma + " stuck"
	}
	return comma + " stuck on " + tool.Mirror(o.Stuck)
}

// lately is how far back what is done can be opened again by its words.
const lately = 31 * 24 * time.Hour

type resumeArgs struct {
	Description string `json:"description,omitempty" jsonschema:"some words of the task" limits:"0..500"`
}

func (t tasks) resume(ctx context.Context, a resumeArgs) (models.Result, error) {
	done, err := t.List.Finished(ctx, t.Now().Add(-lately), 500)
	if err != nil {
		return models.Result{}, err
	}
	if len(done) == 0 {
		return tool.Said("Nothing was done in the last month."), nil
	}
	a.Description = tool.Trim(a.Description, "the", "to")
	texts := make([]string, len(done))
	for i, o := range done {
		texts[i] = o.Description
	}
	at := 0 // "reopen the last task"
	if a.Description != "" {
		found := words.Rank(a.Description, texts, 0.55)
		if len(found) == 0 {
			return ask(fmt.Sprintf("I can't find that among what you did lately: %s. Which one should I open again?", tool.Some(mirrored(texts), spoken)), "description", "tasks.resume", nil), nil
		}
		at = found[0].Index
	}
	was := done[at]
	if _, err := t.List.Reopen(ctx, was.ID); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("Okay, %s is open again.", tool.Mirror(was.Description))
	r.Undo = tool.CallOf("tasks.restore", restoreArgs{[]task.Task{was}, true})
	return r, nil
}

func mirrored(texts []string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, tool.Mirror(s))
	}
	return out
}

// listSome lists the tasks of a project, a list or a state.
func (t tasks) listSome(ctx context.Context, a listArgs) (models.Result, error) {
	p, r, err := t.project(ctx, a.Project)
	if err != nil || r.Say != "" {
		return r, err
	}
	state := strings.ToLower(tool.Trim(a.Status))
	of := ""
	var all []task.Task
	if state == "done" || state == "finished" || state == "completed" {
		all, err = t.List.Finished(ctx, t.Now().Add(-7*24*time.Hour), 500)
		of = " done in the last week"
	} else {
		all, err = t.List.Open(ctx)
	}
	if err != nil {
		return models.Result{}, err
	}
	if s, ok := states[state]; ok {
		all = slices.DeleteFunc(all, func(o task.Task) bool { return o.Status != s })
		of = map[task.Status]string{task.Open: " open", task.Doing: " under way", task.Blocked: " stuck"}[s]
	}
	if p.ID != 0 {
		all = slices.DeleteFunc(all, func(o task.Task) bool { return o.Project != p.ID })
		of += " for " + p.Name
	}
	if tag := strings.ToLower(tool.Trim(a.Tag, "the", "my")); tag != "" {
		all = slices.DeleteFunc(all, func(o task.Task) bool {
			return !slices.ContainsFunc(o.Tags, func(s string) bool { return strings.EqualFold(s, tag) })
		})
		of += " on your " + tag + " list"
	}
	r = models.Result{Say: fmt.Sprintf("You have %s%s: %s.", tool.Count(len(all), "task"), of, t.some(all))}
	if len(all) == 0 {
		r.Say = "You have no tasks" + of + "."
	}
	return tool.With(r, data(all...)), nil
}
