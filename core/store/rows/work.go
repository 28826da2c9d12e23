package rows

import (
	"context"
	"database/sql"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Rows of work.
type (
	Project   = gen.Project
	Routine   = gen.Routine
	TaskCount = gen.CountTasksRow
)

// OpenTasks lists the tasks that are not done, by ID.
func (o *Own) OpenTasks(ctx context.Context) ([]Task, error) {
	t, err := o.db.read.ListOpenTasks(ctx, o.user)
	return t, fault("listing tasks", err)
}

// DoneTasks lists at most n tasks that were finished at or after a time in milliseconds, the latest first.
func (o *Own) DoneTasks(ctx context.Context, since int64, n int32) ([]Task, error) {
	t, err := o.db.read.ListDoneTasks(ctx, gen.ListDoneTasksParams{UserID: o.user, Finished: sql.NullInt64{Int64: since, Valid: true}, Limit: n})
	return t, fault("listing what is done", err)
}

// CountTasks counts the tasks of each project and status.
func (o *Own) CountTasks(ctx context.Context) ([]TaskCount, error) {
	t, err := o.db.read.CountTasks(ctx, o.user)
	return t, fault("counting tasks", err)
}

// PutProjects stores projects, all or none: a new one where its ID is 0, else over the one of that ID where there is one.
func (o *Own) PutProjects(ctx context.Context, list ...Project) ([]Project, error) {
	var out []Project
	err := o.change(ctx, "storing projects", func(q *gen.Queries) (err error) {
		out = out[:0]
		for _, p := range list {
			p.UserID, p.Name, p.Domain = o.user, plain(p.Name), plain(p.Domain)
			if p.ID, err = o.identify(ctx, q, p.ID); err != nil {
				return err
			}
			if p, err = q.PutProject(ctx, gen.PutProjectParams(p)); err != nil {
				return err
			}
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Projects lists all projects by ID.
func (o *Own) Projects(ctx context.Context) ([]Project, error) {
	p, err := o.db.read.ListProjects(ctx, o.user)
	return p, fault("listing projects", err)
}

// RemoveProjects takes projects away, all or none; it is ErrNone where one is missing.
func (o *Own) RemoveProjects(ctx context.Context, ids ...int64) error {
	return o.change(ctx, "removing projects", func(q *gen.Queries) error {
		for _, id := range ids {
			if _, err := q.RemoveProject(ctx, gen.RemoveProjectParams{UserID: o.user, ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// PutRoutine stores a routine: a new one where its ID is 0, else over the one of that ID where there is one.
func (o *Own) PutRoutine(ctx context.Context, r Routine) (Routine, error) {
	r.UserID, r.Name, r.Actions = o.user, plain(r.Name), plain(r.Actions)
	err := o.change(ctx, "storing a routine", func(q *gen.Queries) (err error) {
		if r.ID, err = o.identify(ctx, q, r.ID); err == nil {
			r, err = q.PutRoutine(ctx, gen.PutRoutineParams(r))
		}
		return err
	})
	return r, err
}

// Routines lists all routines by ID.
func (o *Own) Routines(ctx context.Context) ([]Routine, error) {
	r, err := o.db.read.ListRoutines(ctx, o.user)
	return r, fault("listing routines", err)
}

// RemoveRoutine takes a routine away, or says ErrNone.
func (o *Own) RemoveRoutine(ctx context.Context, id int64) error {
	return o.change(ctx, "removing a routine", func(q *gen.Queries) error {
		_, err := q.RemoveRoutine(ctx, gen.RemoveRoutineParams{UserID: o.user, ID: id})
		return err
	})
}

// Nudges lists what the heartbeat has spoken of at or after a time in milliseconds.
func (o *Own) Nudges(ctx context.Context, since int64) ([]string, error) {
	n, err := o.db.read.ListNudges(ctx, gen.ListNudgesParams{UserID: o.user, At: since})
	return n, fault("listing nudges", err)
}

// PutNudges writes down what the heartbeat is about to speak of, all or none, and forgets what is older than a time in
// milliseconds.
func (o *Own) PutNudges(ctx context.Context, at, before int64, about ...string) error {
	return o.change(ctx, "storing nudges", func(q *gen.Queries) error {
		if err := q.DropNudges(ctx, gen.DropNudgesParams{UserID: o.user, At: before}); err != nil {
			return err
		}
		for _, a := range about {
			if err := q.PutNudge(ctx, gen.PutNudgeParams{UserID: o.user, About: plain(a), At: at}); err != nil {
				return err
			}
		}
		return nil
	})
}
