package projects

import (
	"context"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// statuses are the words for the states.
var statuses = map[string]project.Status{
	"active": project.Active, "open": project.Active, "resumed": project.Active, "started": project.Active, "running": project.Active,
	"paused": project.Paused, "on hold": project.Paused, "waiting": project.Paused, "pause": project.Paused, "resume": project.Active,
	"done": project.Done, "finished": project.Done, "complete": project.Done, "completed": project.Done, "finish": project.Done,
	"dropped": project.Dropped, "abandoned": project.Dropped, "cancelled": project.Dropped, "canceled": project.Dropped, "archived": project.Dropped, "drop": project.Dropped,
}

type updateArgs struct {
	Name     string `json:"name,omitempty" jsonschema:"name of the project" limits:"0..500"`
	Progress *int   `json:"progress,omitempty" jsonschema:"how far it is, in percent" limits:"0..100"`
	Status   string `json:"status,omitempty" jsonschema:"active, paused, done or dropped" limits:"0..20"`
	Priority int    `json:"priority,omitempty" jsonschema:"1 is the highest, 5 the lowest" limits:"1..5"`
	Domain   string `json:"domain,omitempty" jsonschema:"part of life, such as career, health or family" limits:"0..64"`
}

func (p projects) update(ctx context.Context, a updateArgs) (models.Result, error) {
	status, known := statuses[strings.ToLower(tool.Trim(a.Status))]
	if a.Status != "" && !known {
		return tool.Said("A project is active, paused, done or dropped."), nil
	}
	if a.Progress == nil && status == "" && a.Priority == 0 && a.Domain == "" {
		return tool.Said("Tell me what to change: how far it is, its state or its priority."), nil
	}
	n, r, err := p.one(ctx, a.Name, "Which one do you mean?", "name", "projects.update", a)
	if n == nil {
		return r, err
	}
	is, r, err := p.edit(ctx, n.ID, func(o *project.Project) {
		if a.Progress != nil {
			o.Progress = a.Progress
		}
		if status == project.Done && a.Progress == nil {
			o.Progress = nil // done is the whole
		}
		if status != "" {
			o.Status = status
		}
		if a.Priority != 0 {
			o.Priority = a.Priority
		}
		if a.Domain != "" {
			o.Domain = a.Domain
		}
	})
	if err != nil || r.Say != "" {
		return r, err
	}
	var said []string
	if a.Progress != nil {
		said = append(said, fmt.Sprintf("at %d percent", *is.Progress))
	}
	if status != "" {
		said = append(said, string(is.Status))
	}
	if a.Priority != 0 {
		said = append(said, fmt.Sprintf("of priority %d", is.Priority))
	}
	if a.Domain != "" {
		said = append(said, "in "+is.Domain)
	}
	r.Say = fmt.Sprintf("%s is now %s.", is.Name, tool.List(said))
	return r, nil
}

// edit changes a project and gives it with a Result that can undo the change. A Result that says something is a refusal.
func (p projects) edit(ctx context.Context, id int64, do func(*project.Project)) (project.Project, models.Result, error) {
	was, is, err := p.Book.Edit(ctx, id, do)
	if err != nil {
		r, err := refused(err)
		return is, r, err
	}
	return is, models.Result{Undo: tool.CallOf("projects.restore", restoreArgs{[]project.Project{was}, false})}, nil
}

type renameArgs struct {
	Name string `json:"name,omitempty" jsonschema:"name of the project" limits:"0..500"`
	To   string `json:"to,omitempty" jsonschema:"its new name" limits:"0..200"`
}

func (p projects) rename(ctx context.Context, a renameArgs) (models.Result, error) {
	n, r, err := p.one(ctx, a.Name, "Which one do you mean?", "name", "projects.rename", a)
	if n == nil {
		return r, err
	}
	if a.To = title(a.To); a.To == "" {
		return ask("What should "+n.Name+" be called?", "to", "projects.rename", renameArgs{Name: n.Path}), nil
	}
	is, r, err := p.edit(ctx, n.ID, func(o *project.Project) { o.Name = a.To })
	if err != nil || r.Say != "" {
		return r, err
	}
	r.Say = fmt.Sprintf("%s is now called %s.", n.Name, is.Name)
	return r, nil
}

type moveArgs struct {
	Name   string `json:"name,omitempty" jsonschema:"name of the project" limits:"0..500"`
	Parent string `json:"parent,omitempty" jsonschema:"name of the project that it is to be a part of, empty for none" limits:"0..500"`
}

// nowhere are words for the top of the tree.
var nowhere = map[string]bool{"": true, "top": true, "top level": true, "root": true, "nothing": true, "none": true}

func (p projects) move(ctx context.Context, a moveArgs) (models.Result, error) {
	n, r, err := p.one(ctx, a.Name, "Which one do you mean?", "name", "projects.move", a)
	if n == nil {
		return r, err
	}
	var to int64
	say := n.Name + " now stands on its own."
	if !nowhere[strings.ToLower(bare(a.Parent))] {
		up, r, err := p.one(ctx, a.Parent, "Which project should it be a part of?", "parent", "projects.move", moveArgs{Name: n.Path})
		if up == nil {
			return r, err
		}
		to, say = up.ID, fmt.Sprintf("%s is now a part of %s.", n.Name, up.Name)
	}
	_, r, err = p.edit(ctx, n.ID, func(o *project.Project) { o.Parent = to })
	if err != nil || r.Say != "" {
		return r, err
	}
	r.Say = say
	return r, nil
}

func (p projects) review(ctx context.Context, a nameArgs) (models.Result, error) {
	n, r, err := p.one(ctx, a.Name, "Which one did you review?", "name", "projects.review", nil)
	if n == nil {
		return r, err
	}
	was, is, err := p.Book.Review(ctx, n.ID)
	if err != nil {
		return models.Result{}, err
	}
	r = tool.Said("Noted: you reviewed %s today.", is.Name)
	r.Undo = tool.CallOf("projects.restore", restoreArgs{[]project.Project{was}, false})
	return r, nil
}

func (p projects) delete(ctx context.Context, a nameArgs) (models.Result, error) {
	n, r, err := p.one(ctx, a.Name, "Which one should I remove?", "name", "projects.delete", nil)
	if n == nil {
		return r, err
	}
	below := len(project.Flat(n.Below))
	if below == 0 {
		return p.drop(ctx, dropArgs{n.ID})
	}
	return ask(fmt.Sprintf("Shall I remove %s with the %s below it?", n.Name, tool.Count(below, "project")), "", "projects.drop", dropArgs{n.ID}), nil
}

type dropArgs struct {
	ID int64 `json:"id"`
}

func (p projects) drop(ctx context.Context, a dropArgs) (models.Result, error) {
	gone, err := p.Book.Remove(ctx, a.ID)
	if err != nil {
		return models.Result{}, err
	}
	r := tool.Said("Okay, I removed the project %s.", gone[0].Name)
	if len(gone) > 1 {
		r = tool.Said("Okay, I removed %s and %s below it.", gone[0].Name, tool.Count(len(gone)-1, "project"))
	}
	r.Undo = tool.CallOf("projects.restore", restoreArgs{gone, true})
	return r, nil
}

type restoreArgs struct {
	Projects []project.Project `json:"projects"`
	Back     bool              `json:"back,omitempty"` // they were gone
}

func (p projects) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	if err := p.Book.Restore(ctx, a.Projects...); err != nil {
		return models.Result{}, err
	}
	if !a.Back {
		return tool.Said("Okay, %s is as it was.", a.Projects[0].Name), nil
	}
	return tool.Said("Okay, %s is back.", a.Projects[0].Name), nil
}
