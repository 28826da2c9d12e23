package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

type completeArgs struct {
	Description string `json:"description,omitempty" jsonschema:"some words of the task" limits:"0..500"`
}

func (t tasks) complete(ctx context.Context, a completeArgs) (models.Result, error) {
	found, r, err := t.one(ctx, a.Description, "tasks.complete", "did you do")
	if err != nil || r.Say != "" {
		return r, err
	}
	done, err := t.List.Complete(ctx, found.ID)
	if err != nil {
		return models.Result{}, err
	}
	open, err := t.List.Open(ctx)
	if err != nil {
		return models.Result{}, err
	}
	left := fmt.Sprintf("%d left.", len(open))
	if len(open) == 0 {
		left = "That was the last one."
	}
	r = tool.Said("Done: %s. %s", tool.Mirror(done.Description), left)
	r.Undo = tool.CallOf("tasks.reopen", idArgs{done.ID})
	return tool.With(r, data(done)), nil
}

// one finds the task that is meant, or gives the reply to say instead.
func (t tasks) one(ctx context.Context, words, call, verb string) (task.Task, models.Result, error) {
	return t.which(ctx, words, call, verb, nil)
}

// which is one for a call that keeps its other arguments while it asks.
func (t tasks) which(ctx context.Context, words, call, verb string, args any) (task.Task, models.Result, error) {
	open, err := t.List.Open(ctx)
	if err != nil {
		return task.Task{}, models.Result{}, err
	}
	if len(open) == 0 {
		return task.Task{}, tool.Said("Your list is empty."), nil
	}
	words = tool.Trim(words, "the", "to")
	if words == "" && len(open) > 1 {
		return task.Task{}, ask(fmt.Sprintf("You have %s. Which one %s?", t.some(open), verb), "description", call, args), nil
	}
	found, err := t.List.Find(ctx, words)
	if err != nil {
		return task.Task{}, models.Result{}, err
	}
	if words == "" {
		found = open
	}
	switch found = clearest(words, found); {
	case len(found) == 0 && len(open) == 1:
		return task.Task{}, tool.Said("I can't find that on your list. There's only %s.", t.some(open)), nil
	case len(found) == 0:
		return task.Task{}, ask(fmt.Sprintf("I can't find that on your list. There's %s. Which one %s?", t.some(open), verb), "description", call, args), nil
	case len(found) > 1:
		return task.Task{}, ask(fmt.Sprintf("There's %s. Which one %s?", t.some(found), verb), "description", call, args), nil
	}
	return found[0], models.Result{}, nil
}

// clearest keeps what fits the words best; two that fit equally well stay.
func clearest(words string, found []task.Task) []task.Task {
	texts := make([]string, len(found))
	for i, o := range found {
		texts[i] = o.Description
	}
	var best []task.Task
	for _, i := range tool.Pick(words, texts) {
		best = append(best, found[i])
	}
	if len(best) == 0 {
		return found[:min(1, len(found))]
	}
	return best
}

type deleteArgs struct {
	Description string `json:"description,omitempty" jsonschema:"some words of the task" limits:"0..500"`
	All         bool   `json:"all,omitempty" jsonschema:"delete all tasks"`
}

func (t tasks) delete(ctx context.Context, a deleteArgs) (models.Result, error) {
	if a.All || everything[strings.ToLower(a.Description)] {
		return t.deleteAll(ctx)
	}
	found, r, err := t.one(ctx, a.Description, "tasks.delete", "should I delete")
	if err != nil || r.Say != "" {
		return r, err
	}
	return t.drop(ctx, dropArgs{[]int64{found.ID}})
}

var everything = map[string]bool{"all": true, "all of them": true, "all tasks": true, "both": true, "both of them": true, "everything": true}

func (t tasks) deleteAll(ctx context.Context) (models.Result, error) {
	open, err := t.List.Open(ctx)
	if err != nil {
		return models.Result{}, err
	}
	var ids []int64
	for _, o := range open {
		ids = append(ids, o.ID)
	}
	question := fmt.Sprintf("Shall I delete all %d tasks?", len(open))
	switch len(open) {
	case 0:
		return tool.Said("Your list is empty."), nil
	case 1:
		question = fmt.Sprintf("Shall I delete your one task, %s?", tool.Mirror(open[0].Description))
	}
	return ask(question, "", "tasks.drop", dropArgs{ids}), nil
}

type dropArgs struct {
	IDs []int64 `json:"ids"`
}

func (t tasks) drop(ctx context.Context, a dropArgs) (models.Result, error) {
	var gone []task.Task
	for _, id := range a.IDs {
		o, err := t.List.Delete(ctx, id)
		if err != nil {
			return models.Result{}, err
		}
		gone = append(gone, o)
	}
	r := models.Result{Say: fmt.Sprintf("Okay, I deleted %d tasks.", len(gone)), Undo: tool.CallOf("tasks.restore", restoreArgs{gone, false})}
	if len(gone) == 1 {
		r.Say = fmt.Sprintf("Okay, I took %s off your list.", tool.Mirror(gone[0].Description))
	}
	return r, nil
}

type idArgs struct {
	ID int64 `json:"id"`
}

func (t tasks) reopen(ctx context.Context, a idArgs) (models.Result, error) {
	o, err := t.List.Reopen(ctx, a.ID)
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, %s is open again.", tool.Mirror(o.Description)), nil
}

type restoreArgs struct {
	Tasks []task.Task `json:"tasks"`
	Were  bool        `json:"were,omitempty"` // they were never gone, but changed
}

func (t tasks) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	for _, o := range a.Tasks {
		if err := t.List.Restore(ctx, o); err != nil {
			return models.Result{}, err
		}
	}
	if len(a.Tasks) == 1 && a.Were {
		return tool.Said("Okay, %s is as it was.", tool.Mirror(a.Tasks[0].Description)), nil
	}
	if len(a.Tasks) == 1 {
		return tool.Said("Okay, %s is back on your list.", tool.Mirror(a.Tasks[0].Description)), nil
	}
	return tool.Said("Okay, %d tasks are back on your list.", len(a.Tasks)), nil
}
