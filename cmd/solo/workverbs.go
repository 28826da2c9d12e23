package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// Work looks after tasks, projects, routines and briefings, in the running Solo or else in the rows.
func (a *app) Work(ctx context.Context, o cli.WorkOrder, tell cli.Tell) error {
	v, err := a.visitor(ctx, false)
	if err != nil {
		return err
	}
	defer v.Close()
	return v.visit(ctx, "work", o, func(raw json.RawMessage) error {
		var l workLine
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		switch {
		case l.Task != nil:
			tell(*l.Task)
		case l.Project != nil:
			l.Project.Tree = o.Do == "tree"
			tell(*l.Project)
		case l.TreeTaken != nil:
			tell(*l.TreeTaken)
		case l.Routine != nil:
			tell(*l.Routine)
		case l.Briefing != nil:
			l.Briefing.Paged = o.All
			tell(*l.Briefing)
		case l.Called != nil:
			tell(*l.Called)
		case l.Note != "":
			tell(cli.Note{Text: l.Note})
		case l.Failure != nil:
			return &cli.Failure{Code: l.Failure.Code, Hint: l.Failure.Hint, Err: errors.New(l.Failure.Message)}
		}
		return nil
	})
}

// workLine is one line of the verb work; one of its fields is set.
type workLine struct {
	Task      *cli.Task      `json:"task,omitempty"`
	Project   *cli.Project   `json:"project,omitempty"`
	TreeTaken *cli.TreeTaken `json:"imported,omitempty"`
	Routine   *cli.Routine   `json:"routine,omitempty"`
	Briefing  *cli.Briefing  `json:"briefing,omitempty"`
	Called    *cli.Called    `json:"called,omitempty"`
	Note      string         `json:"note,omitempty"`
	Failure   *cli.Broken    `json:"failure,omitempty"`
}

func (s *assistant) workVerbs() map[string]local.Verb {
	return map[string]local.Verb{"work": with(s.doWork)}
}

// doing carries out one kind of order.
type doing func(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error

// doWork carries out one order. A failure that the user can mend goes through the door as a line, so that its hint is kept.
func (s *assistant) doWork(ctx context.Context, o cli.WorkOrder, tell func(any) error) error {
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed"})
	do, ok := map[string]doing{
		"tasks add": s.taskAdd, "tasks list": s.taskList, "tasks done": s.taskDone, "tasks reopen": s.taskReopen, "tasks remove": s.taskRemove,
		"tasks restore": s.taskRestore, "tasks edit": s.taskEdit,
		"projects list": s.projectList, "projects tree": s.projectList, "projects add": s.projectAdd, "projects set": s.projectSet,
		"projects move": s.projectMove, "projects done": s.projectDone, "projects review": s.projectReview, "projects remove": s.projectRemove,
		"projects import": s.projectImport, "projects restore": s.projectRestore,
		"routines add": s.routineAdd, "routines list": s.routineList, "routines run": s.routineRun, "routines plan": s.routinePlan,
		"routines remove": s.routineRemove, "routines restore": s.routineRestore,
		"brief give": s.briefGive, "brief plan": s.briefPlan,
	}[o.About+" "+o.Do]
	if !ok {
		return fmt.Errorf("nothing that can be done is called %q", o.About+" "+o.Do)
	}
	err := do(ctx, o, func(l workLine) error { return tell(l) })
	if err == nil || ctx.Err() != nil {
		return err
	}
	if f, ok := errors.AsType[*cli.Failure](err); ok {
		return tell(workLine{Failure: &cli.Broken{Code: f.Code, Message: f.Err.Error(), Hint: f.Hint}})
	}
	if why, hint := workTrouble(err); why != "" {
		return tell(workLine{Failure: &cli.Broken{Code: why, Message: err.Error(), Hint: hint}})
	}
	return err
}

// id reads a number; false for what is none.
func id(text string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(text), "#"), 10, 64)
	return n, err == nil && n > 0
}

// maybe is the address of a time, nil for none.
func maybe(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// undos reads the undo of each line that a remove printed, or one value alone.
func undos[T any](text string) ([]T, error) {
	var out []T
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var l struct{ Undo json.RawMessage }
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, mendable("unreadable", "give what remove --json printed", "this is no JSON object a line")
		}
		if len(l.Undo) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(l.Undo, &v); err != nil {
			return nil, mendable("unreadable", "give what remove --json printed", "the undo in it does not fit")
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read what was removed: %w", err)
	}
	if len(out) == 0 {
		return nil, mendable("nothing", "give what remove --json printed", "nothing that was removed is in it")
	}
	return out, nil
}

func (s *assistant) briefGive(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	k, err := brief.KindOf(strings.Join(o.Which, " "))
	if err != nil {
		return err
	}
	b, err := s.work.teller.Tell(ctx, k)
	if err != nil {
		return err
	}
	sections, err := json.Marshal(b.Sections)
	if err != nil {
		return fmt.Errorf("write a briefing: %w", err)
	}
	return tell(workLine{Briefing: &cli.Briefing{Kind: string(k), At: b.At, Text: b.Text(), Page: b.Page(), Sections: sections, Shaped: b.Shaped != ""}})
}

func (s *assistant) briefPlan(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	k, err := brief.KindOf(strings.Join(o.Which, " "))
	if err != nil {
		return err
	}
	rule, err := brief.Rule(k, o.Every, s.app.now())
	if err == nil {
		err = s.work.plans.Plan(ctx, k, rule)
	}
	if errors.Is(err, brief.ErrTime) {
		return mendable("time", `times look like 07:30 or "every weekday at 7:30", or are off`, "%q is no time for a briefing", o.Every)
	}
	if err != nil {
		return err
	}
	name := map[brief.Kind]string{brief.Morning: "morning briefing", brief.Week: "weekly review", brief.Month: "monthly review"}[k]
	if rule == "" {
		return tell(workLine{Note: "The " + name + " is given only when you ask for it."})
	}
	return tell(workLine{Note: "The " + name + " is given by itself " + tool.Every(rule, s.app.now()) + "."})
}

// due reads by when a task is to be done.
func (s *assistant) due(text string) (time.Time, error) {
	now := s.app.now()
	text = strings.TrimSpace(text)
	if text == "none" || text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.In(now.Location()), nil
	}
	if at, ok := mind.Due(text, now); ok && !at.IsZero() {
		return at, nil
	}
	return time.Time{}, mendable("time", `say when, as in --due "friday at 5pm" or --due 2026-12-24T18:00:00+01:00`, "%q is no time to come", text)
}

// each does something for every one that is named; what fails is told with the others done.
func each(which []string, do func(string) error) error {
	var first error
	for _, w := range slices.Compact(slices.Clone(which)) {
		if err := do(w); err != nil && first == nil {
			first = err
		}
	}
	return first
}
