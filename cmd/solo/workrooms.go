package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/project"
)

// doneShown is how many finished tasks the dashboard shows.
const doneShown = 200

func (r *rooms) Tasks(ctx context.Context, done bool) ([]web.TaskView, error) {
	list, err := r.s.tasks.Open(ctx)
	if done {
		list, err = r.s.tasks.Finished(ctx, r.s.app.now().AddDate(-100, 0, 0), doneShown)
	}
	if err != nil {
		return nil, err
	}
	names, err := r.s.projectNames(ctx)
	if err != nil {
		return nil, err
	}
	var out []web.TaskView
	for _, t := range list {
		out = append(out, web.TaskView{ID: t.ID, Text: t.Description, Tags: slices.Concat([]string{}, t.Tags), Done: t.Done(), Status: string(t.Status), Stuck: t.Stuck,
			Project: names[t.Project], Created: t.Created, Due: maybe(t.Due), Finished: maybe(t.Finished)})
	}
	return out, nil
}

// projectRoom shows projects to the dashboard and to programs.
type projectRoom struct{ s *assistant }

func projectView(n *project.Node) web.ProjectView {
	return web.ProjectView{ID: n.ID, Parent: n.Parent, Name: n.Name, Path: n.Path, Depth: n.Depth, Status: string(n.Status), Priority: n.Priority, Domain: n.Domain,
		Progress: n.Percent, ByHand: n.Progress != nil, Open: n.Tasks.Open, Done: n.Tasks.Done, Reviewed: maybe(n.Reviewed)}
}

func (r projectRoom) Projects(ctx context.Context) ([]web.ProjectView, error) {
	top, err := r.s.work.projects.Tree(ctx)
	var out []web.ProjectView
	for _, n := range project.Flat(top) {
		out = append(out, projectView(n))
	}
	return out, err
}

// one gives the project of a number as it is now.
func (r projectRoom) one(ctx context.Context, id int64) (web.ProjectView, error) {
	all, err := r.Projects(ctx)
	if err != nil {
		return web.ProjectView{}, err
	}
	i := slices.IndexFunc(all, func(p web.ProjectView) bool { return p.ID == id })
	if i < 0 {
		return web.ProjectView{}, web.ErrGone
	}
	return all[i], nil
}

func (r projectRoom) AddProject(ctx context.Context, in web.ProjectIn) (web.ProjectView, error) {
	var p project.Project
	r.fill(&p, in)
	p, err := r.s.work.projects.Add(ctx, p)
	if err != nil {
		return web.ProjectView{}, doorTrouble(err)
	}
	return r.one(ctx, p.ID)
}

func (r projectRoom) ChangeProject(ctx context.Context, id int64, in web.ProjectIn) (web.ProjectView, error) {
	if _, _, err := r.s.work.projects.Edit(ctx, id, func(p *project.Project) { r.fill(p, in) }); err != nil {
		return web.ProjectView{}, doorTrouble(err)
	}
	return r.one(ctx, id)
}

func (r projectRoom) RemoveProject(ctx context.Context, id int64) error {
	_, err := r.s.work.projects.Remove(ctx, id)
	return goneOr(err, project.ErrUnknown)
}

// fill puts what is given into a project.
func (r projectRoom) fill(p *project.Project, in web.ProjectIn) {
	if in.Name != nil {
		p.Name = *in.Name
	}
	if in.Parent != nil {
		p.Parent = *in.Parent
	}
	if in.Status != nil {
		p.Status = project.Status(*in.Status)
	}
	if in.Priority != nil {
		p.Priority = *in.Priority
	}
	if in.Domain != nil {
		p.Domain = *in.Domain
	}
	if in.Progress != nil {
		if p.Progress = in.Progress; *in.Progress == -1 {
			p.Progress = nil
		}
	}
	if in.Reviewed != nil && *in.Reviewed {
		p.Reviewed = r.s.app.now()
	}
}

// doorTrouble puts the door's words in the place of package project's.
func doorTrouble(err error) error {
	switch {
	case errors.Is(err, project.ErrUnknown):
		return web.ErrGone
	case errors.Is(err, project.ErrTaken):
		return web.ErrClash
	}
	for _, unfit := range []error{project.ErrName, project.ErrTooLong, project.ErrStatus, project.ErrPriority, project.ErrProgress, project.ErrCycle, project.ErrDeep, project.ErrMany} {
		if errors.Is(err, unfit) {
			return fmt.Errorf("%w: %w", web.ErrUnfit, unfit)
		}
	}
	return err
}
