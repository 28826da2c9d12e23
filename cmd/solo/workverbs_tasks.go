package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
)

// workTrouble words what a user can mend: a code, and what to do.
func workTrouble(err error) (code, hint string) {
	for _, t := range []struct {
		is         error
		code, hint string
	}{
		{task.ErrUnknown, "unknown", "solo tasks list tells the numbers"},
		{task.ErrEmpty, "empty", "say what is to be done"},
		{task.ErrTooLong, "too_long", "say it in fewer words"},
		{task.ErrStatus, "status", "it is open, doing, blocked or done"},
		{project.ErrUnknown, "unknown", "solo projects list tells the names"},
		{project.ErrTaken, "taken", "choose another name, or put it below another project"},
		{project.ErrName, "empty", "give it a name"},
		{project.ErrTooLong, "too_long", "choose a shorter name"},
		{project.ErrPriority, "priority", "it is 1 (highest) to 5"},
		{project.ErrProgress, "progress", "it is 0 to 100, or auto"},
		{project.ErrStatus, "status", "it is active, paused, done or dropped"},
		{project.ErrCycle, "cycle", "move the other one first"},
		{project.ErrDeep, "deep", "put it further up"},
		{project.ErrMany, "many", "remove some first"},
		{project.ErrLongText, "too_long", "take in the tree in parts"},
		{project.ErrNoTree, "empty", "a line looks like [ACTIVE] Career [40%]"},
		{routine.ErrUnknown, "unknown", "solo routines list tells the names"},
		{routine.ErrTaken, "taken", "choose another name, or remove the other first"},
		{routine.ErrCommand, "command", "choose another name"},
		{routine.ErrName, "name", "choose a short name in words"},
		{routine.ErrEmpty, "empty", "say what is to be done"},
		{routine.ErrLong, "too_long", "make two routines of it"},
		{routine.ErrNested, "nested", "name the actions themselves"},
		{tool.ErrArguments, "arguments", "solo tools list tells what each tool takes"},
		{tool.ErrUnknown, "unknown_tool", "solo tools list tells what there is"},
	} {
		if errors.Is(err, t.is) {
			return t.code, t.hint
		}
	}
	if _, ok := errors.AsType[*routine.UnreadError](err); ok {
		return "unread", "solo understand TEXT tells what a text is taken for"
	}
	return "", ""
}

func (s *assistant) taskLine(t task.Task, names map[int64]string, did string) workLine {
	return workLine{Task: &cli.Task{ID: t.ID, Text: t.Description, Status: string(t.Status), Stuck: t.Stuck, Due: maybe(t.Due), Tags: slices.Concat([]string{}, t.Tags),
		Project: names[t.Project], Created: t.Created, Finished: maybe(t.Finished), Did: did}}
}

// tellTask tells one task after a change.
func (s *assistant) tellTask(ctx context.Context, t task.Task, did string, tell func(workLine) error) error {
	names, err := s.projectNames(ctx)
	if err != nil {
		return err
	}
	return tell(s.taskLine(t, names, did))
}

// projectOf finds the project of a flag; "none" is none.
func (s *assistant) projectOf(ctx context.Context, text *string) (int64, error) {
	if text == nil || *text == "" || strings.EqualFold(*text, "none") {
		return 0, nil
	}
	n, err := s.oneProject(ctx, *text)
	if err != nil {
		return 0, err
	}
	return n.ID, nil
}

func (s *assistant) taskAdd(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	t := task.Task{Description: o.Text, Tags: tags(o.Tags)}
	var err error
	if o.Due != nil {
		if t.Due, err = s.due(*o.Due); err != nil {
			return err
		}
	}
	if t.Project, err = s.projectOf(ctx, o.Project); err != nil {
		return err
	}
	if t, err = s.tasks.Add(ctx, t); err != nil {
		return err
	}
	return s.tellTask(ctx, t, "added", tell)
}

// tags are the lists that were named, without signs around them; "none" is none.
func tags(given []string) []string {
	var out []string
	for _, t := range given {
		for part := range strings.SplitSeq(t, ",") {
			if part = strings.ToLower(strings.Trim(part, " #")); part != "" && part != "none" && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

func (s *assistant) taskList(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	of, err := s.projectOf(ctx, o.Project)
	if err != nil {
		return err
	}
	names, err := s.projectNames(ctx)
	if err != nil {
		return err
	}
	most := min(max(o.Last, 1), 10_000)
	list, err := s.tasks.Open(ctx)
	if o.All {
		list, err = s.tasks.Finished(ctx, s.app.now().AddDate(-100, 0, 0), 10_000)
	}
	if err != nil {
		return err
	}
	wanted := tags(o.Tags)
	list = slices.DeleteFunc(list, func(t task.Task) bool {
		tagged := len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool {
			return slices.ContainsFunc(t.Tags, func(have string) bool { return strings.EqualFold(w, have) })
		})
		return !tagged || o.Status != "" && !o.All && string(t.Status) != o.Status || of != 0 && t.Project != of
	})
	for _, t := range list[:min(most, len(list))] {
		if err := tell(s.taskLine(t, names, "")); err != nil {
			return err
		}
	}
	return nil
}

// oneTask finds an open task by its number or words.
func (s *assistant) oneTask(ctx context.Context, text string) (task.Task, error) {
	if n, ok := id(text); ok {
		return s.tasks.Get(ctx, n)
	}
	found, err := s.tasks.Find(ctx, text)
	if err != nil {
		return task.Task{}, err
	}
	for _, t := range found {
		if strings.EqualFold(t.Description, text) {
			return t, nil
		}
	}
	switch len(found) {
	case 0:
		return task.Task{}, mendable("unknown", "solo tasks list tells the numbers", "no open task is about %q", cut(text))
	case 1:
		return found[0], nil
	}
	return task.Task{}, mendable("ambiguous", "name it by its number", "%q may be %s", cut(text), several(found))
}

// cut is the beginning of a text, to name it in a message.
func cut(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}

func several(found []task.Task) string {
	var out []string
	for _, t := range found[:min(5, len(found))] {
		out = append(out, fmt.Sprintf("%d %s", t.ID, cut(t.Description)))
	}
	return strings.Join(out, " or ")
}

// named are the things that an order names: numbers one by one, or words together.
func namedBy(which []string) []string {
	for _, w := range which {
		if _, ok := id(w); !ok {
			return []string{strings.Join(which, " ")}
		}
	}
	return which
}

func (s *assistant) taskDone(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	return each(namedBy(o.Which), func(w string) error {
		t, err := s.oneTask(ctx, w)
		if err != nil {
			return err
		}
		if t, err = s.tasks.Complete(ctx, t.ID); err != nil {
			return err
		}
		return s.tellTask(ctx, t, "done", tell)
	})
}

func (s *assistant) taskReopen(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	return each(o.Which, func(w string) error {
		n, ok := id(w)
		if !ok {
			return mendable("number", "solo tasks list --done tells the numbers", "%q is no number of a task", cut(w))
		}
		t, err := s.tasks.Reopen(ctx, n)
		if err != nil {
			return err
		}
		return s.tellTask(ctx, t, "opened again", tell)
	})
}

func (s *assistant) taskRemove(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	return each(namedBy(o.Which), func(w string) error {
		t, err := s.oneTask(ctx, w)
		if err != nil {
			return err
		}
		if t, err = s.tasks.Delete(ctx, t.ID); err != nil {
			return err
		}
		names, err := s.projectNames(ctx)
		if err != nil {
			return err
		}
		l := s.taskLine(t, names, "removed")
		if l.Task.Undo, err = json.Marshal(t); err != nil {
			return fmt.Errorf("write a task: %w", err)
		}
		return tell(l)
	})
}

func (s *assistant) taskRestore(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	list, err := undos[task.Task](o.Text)
	if err != nil {
		return err
	}
	for _, t := range list {
		if err := s.tasks.Restore(ctx, t); err != nil {
			return err
		}
		if err := s.tellTask(ctx, t, "restored", tell); err != nil {
			return err
		}
	}
	return nil
}

func (s *assistant) taskEdit(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	t, err := s.oneTask(ctx, strings.Join(o.Which, " "))
	if err != nil {
		return err
	}
	due := t.Due
	if o.Due != nil {
		if due, err = s.due(*o.Due); err != nil {
			return err
		}
	}
	of, err := s.projectOf(ctx, o.Project)
	if err != nil {
		return err
	}
	t, err = s.tasks.Edit(ctx, t.ID, func(t *task.Task) {
		t.Due, t.Description = due, cmp.Or(o.Text, t.Description)
		if o.Project != nil {
			t.Project = of
		}
		if o.Status != "" {
			t.Status = task.Status(o.Status)
		}
		if o.Stuck != nil {
			t.Status, t.Stuck = task.Blocked, *o.Stuck
		}
		if len(o.Tags) > 0 {
			t.Tags = tags(o.Tags)
		}
	})
	if err != nil {
		return err
	}
	return s.tellTask(ctx, t, "changed", tell)
}
