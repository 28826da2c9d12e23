package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
)

func projectLine(n *project.Node, did string) workLine {
	return workLine{Project: &cli.Project{ID: n.ID, Name: n.Name, Path: n.Path, Parent: n.Parent, Depth: n.Depth, Status: string(n.Status), Progress: n.Percent,
		ByHand: n.Progress != nil, Priority: n.Priority, Domain: n.Domain, Open: n.Tasks.Open, Done: n.Tasks.Done, Reviewed: maybe(n.Reviewed), Did: did}}
}

// oneProject finds a project by its number, name or path.
func (s *assistant) oneProject(ctx context.Context, text string) (*project.Node, error) {
	top, err := s.work.projects.Tree(ctx)
	if err != nil {
		return nil, err
	}
	if n, ok := id(text); ok {
		for _, p := range project.Flat(top) {
			if p.ID == n {
				return p, nil
			}
		}
	}
	found := project.Named(top, text)
	switch len(found) {
	case 0:
		return nil, mendable("unknown", "solo projects list tells the names", "there is no project %q", cut(text))
	case 1:
		return found[0], nil
	}
	var out []string
	for _, n := range found[:min(5, len(found))] {
		out = append(out, fmt.Sprintf("%d %s", n.ID, n.Path))
	}
	return nil, mendable("ambiguous", "name it by its number or path", "%q may be %s", cut(text), strings.Join(out, " or "))
}

// tellProject tells one project after a change.
func (s *assistant) tellProject(ctx context.Context, id int64, did string, tell func(workLine) error) error {
	n, err := s.oneProject(ctx, strconv.FormatInt(id, 10))
	if err != nil {
		return err
	}
	return tell(projectLine(n, did))
}

func (s *assistant) projectList(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	top, err := s.work.projects.Tree(ctx)
	if err != nil {
		return err
	}
	for _, n := range project.Flat(top) {
		if o.Status != "" && string(n.Status) != o.Status || o.Domain != nil && !strings.EqualFold(n.Domain, *o.Domain) {
			continue
		}
		if err := tell(projectLine(n, "")); err != nil {
			return err
		}
	}
	return nil
}

// wish puts what an order wants into a project.
func wish(o cli.WorkOrder, p *project.Project) error {
	if o.Text != "" {
		p.Name = o.Text
	}
	if o.Status != "" {
		p.Status = project.Status(o.Status)
	}
	if o.Priority != 0 {
		p.Priority = o.Priority
	}
	if o.Domain != nil {
		p.Domain = *o.Domain
	}
	if o.Progress == nil {
		return nil
	}
	text := strings.TrimSpace(strings.TrimSuffix(*o.Progress, "%"))
	if strings.EqualFold(text, "auto") {
		p.Progress = nil
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 100 {
		return project.ErrProgress
	}
	p.Progress = &n
	return nil
}

// parent finds the project of --under; "none" is none.
func (s *assistant) parent(ctx context.Context, text *string) (int64, error) {
	return s.projectOf(ctx, text)
}

func (s *assistant) projectAdd(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	var p project.Project
	err := wish(o, &p)
	if err != nil {
		return err
	}
	if p.Parent, err = s.parent(ctx, o.Parent); err != nil {
		return err
	}
	if p, err = s.work.projects.Add(ctx, p); err != nil {
		return err
	}
	return s.tellProject(ctx, p.ID, "added", tell)
}

// projectEdit changes the project that an order names.
func (s *assistant) projectEdit(ctx context.Context, o cli.WorkOrder, did string, tell func(workLine) error, do func(*project.Project) error) error {
	n, err := s.oneProject(ctx, strings.Join(o.Which, " "))
	if err != nil {
		return err
	}
	var unfit error
	_, _, err = s.work.projects.Edit(ctx, n.ID, func(p *project.Project) {
		was := *p
		if unfit = do(p); unfit != nil {
			*p = was
		}
	})
	if err = errors.Join(unfit, err); err != nil {
		return err
	}
	return s.tellProject(ctx, n.ID, did, tell)
}

func (s *assistant) projectSet(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	return s.projectEdit(ctx, o, "changed", tell, func(p *project.Project) error { return wish(o, p) })
}

func (s *assistant) projectMove(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	to, err := s.parent(ctx, o.Parent)
	if err != nil {
		return err
	}
	return s.projectEdit(ctx, o, "moved", tell, func(p *project.Project) error { p.Parent = to; return nil })
}

func (s *assistant) projectDone(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	return s.projectEdit(ctx, o, "done", tell, func(p *project.Project) error { p.Status, p.Progress = project.Done, nil; return nil })
}

func (s *assistant) projectReview(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	now := s.app.now()
	return s.projectEdit(ctx, o, "reviewed", tell, func(p *project.Project) error { p.Reviewed = now; return nil })
}

func (s *assistant) projectRemove(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	n, err := s.oneProject(ctx, strings.Join(o.Which, " "))
	if err != nil {
		return err
	}
	if below := len(project.Flat(n.Below)); below > 0 && !o.Yes {
		return mendable("parts", "--yes removes them too", "%s has %s below it", n.Name, tool.Count(below, "project"))
	}
	gone, err := s.work.projects.Remove(ctx, n.ID)
	if err != nil {
		return err
	}
	l := projectLine(n, "removed")
	if l.Project.Undo, err = json.Marshal(gone); err != nil {
		return fmt.Errorf("write projects: %w", err)
	}
	return tell(l)
}

func (s *assistant) projectRestore(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	lists, err := undos[[]project.Project](o.Text)
	if err != nil {
		return err
	}
	for _, list := range lists {
		if err := s.work.projects.Restore(ctx, list...); err != nil {
			return err
		}
		for _, p := range list {
			if err := s.tellProject(ctx, p.ID, "restored", tell); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *assistant) projectImport(ctx context.Context, o cli.WorkOrder, tell func(workLine) error) error {
	t, err := s.work.projects.Take(ctx, o.Text)
	if err != nil {
		return err
	}
	return tell(workLine{TreeTaken: &cli.TreeTaken{Added: len(t.Added), Changed: len(t.Changed), Same: t.Same}})
}

// routineLine is a routine with the times at which it runs by itself.
func (s *assistant) routineLine(ctx context.Context, r routine.Routine, did string) (workLine, error) {
	l := cli.Routine{ID: r.ID, Name: r.Name, Ran: maybe(r.Ran), Did: did}
	actions, err := json.Marshal(r.Actions)
	if err != nil {
		return workLine{}, fmt.Errorf("write a routine: %w", err)
	}
	l.Actions = actions
	for _, a := range r.Actions {
		switch {
		case a.Tool == "":
			l.Does = append(l.Does, "say "+a.Say)
		case a.Words != "":
			l.Does = append(l.Does, a.Words)
		default:
			l.Does = append(l.Does, a.Tool+" "+string(a.Arguments))
		}
	}
	plans, err := s.book.Waiting(ctx, schedule.Routine)
	if err != nil {
		return workLine{}, err
	}
	for _, p := range plans {
		switch {
		case p.Text != r.Name:
		case p.Every != "":
			l.Every = append(l.Every, tool.Every(p.Every, p.At))
		default:
			l.Every = append(l.Every, p.At.Format("Mon 2 Jan 2006 15:04"))
		}
	}
	return workLine{Routine: &l}, nil
}
