package store

import (
	"context"
	"database/sql"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Projects is project.Rows.
type Projects struct{ own *rows.Own }

var _ project.Rows = Projects{}

// Projects lends the rows to package project.
func (s *Store) Projects() Projects { return Projects{s.own} }

// Put stores projects, all or none.
func (r Projects) Put(ctx context.Context, list ...project.Project) ([]project.Project, error) {
	in := make([]rows.Project, len(list))
	for i, p := range list {
		in[i] = rows.Project{ID: p.ID, Parent: number(p.Parent), Name: p.Name, Status: string(p.Status), Priority: int64(p.Priority), Domain: p.Domain,
			Reviewed: rows.Maybe(p.Reviewed), Created: rows.Millis(p.Created), Changed: rows.Millis(p.Changed)}
		if p.Progress != nil {
			in[i].Progress = sql.NullInt64{Int64: int64(*p.Progress), Valid: true}
		}
	}
	out, err := r.own.PutProjects(ctx, in...)
	if err != nil {
		return nil, absent(err, project.ErrUnknown)
	}
	return each(out, projectOf)
}

func projectOf(row rows.Project) (project.Project, error) {
	p := project.Project{ID: row.ID, Parent: row.Parent.Int64, Name: row.Name, Status: project.Status(row.Status), Priority: int(row.Priority),
		Domain: row.Domain, Reviewed: rows.Time(row.Reviewed.Int64), Created: rows.Time(row.Created), Changed: rows.Time(row.Changed)}
	if row.Progress.Valid {
		p.Progress = new(int(row.Progress.Int64))
	}
	return p, nil
}

// List gives all projects, the oldest first.
func (r Projects) List(ctx context.Context) ([]project.Project, error) {
	list, err := r.own.Projects(ctx)
	if err != nil {
		return nil, err
	}
	return each(list, projectOf)
}

// Remove takes projects away, all or none; it is project.ErrUnknown where one is missing.
func (r Projects) Remove(ctx context.Context, ids ...int64) error {
	return absent(r.own.RemoveProjects(ctx, ids...), project.ErrUnknown)
}
