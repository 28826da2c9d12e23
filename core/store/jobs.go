package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Jobs is job.Rows.
type Jobs struct{ own *rows.Own }

var _ job.Rows = Jobs{}

// Jobs lends the rows to package job.
func (s *Store) Jobs() Jobs { return Jobs{s.own} }

// Insert stores a new job.
func (r Jobs) Insert(ctx context.Context, j job.Job) (job.Job, error) {
	j.ID = 0
	return r.put(ctx, j)
}

// Put stores a job under its ID, or says job.ErrUnknown where it has none.
func (r Jobs) Put(ctx context.Context, j job.Job) error {
	if j.ID <= 0 {
		return job.ErrUnknown
	}
	_, err := r.put(ctx, j)
	return err
}

func (r Jobs) put(ctx context.Context, j job.Job) (job.Job, error) {
	row := rows.Job{ID: j.ID, Kind: j.Kind, Title: j.Title, Input: string(j.Input), Saved: string(j.Saved), State: string(j.State),
		Progress: j.Progress, Doing: j.Doing, Why: j.Why, Approval: j.Approval, Tries: int64(j.Tries),
		Created: rows.Millis(j.Created), Changed: rows.Millis(j.Changed)}
	origin, err := json.Marshal(j.Origin)
	if err != nil {
		return job.Job{}, fmt.Errorf("writing who asked for a job: %w", err)
	}
	row.Origin = string(origin)
	if j.Result != nil {
		result, err := json.Marshal(j.Result)
		if err != nil {
			return job.Job{}, fmt.Errorf("writing the result of a job: %w", err)
		}
		row.Result = string(result)
	}
	if err := fits("a job", len(row.Input)+len(row.Saved)+len(row.Result)); err != nil {
		return job.Job{}, err
	}
	if row, err = r.own.PutJob(ctx, row); err != nil {
		return job.Job{}, err
	}
	return jobOf(row)
}

func jobOf(row rows.Job) (job.Job, error) {
	j := job.Job{ID: row.ID, Kind: row.Kind, Title: row.Title, Input: maybe(row.Input), Saved: maybe(row.Saved), State: job.State(row.State),
		Progress: row.Progress, Doing: row.Doing, Why: row.Why, Approval: row.Approval, Tries: int(row.Tries),
		Created: rows.Time(row.Created), Changed: rows.Time(row.Changed)}
	if err := json.Unmarshal([]byte(row.Origin), &j.Origin); err != nil {
		return job.Job{}, fmt.Errorf("reading who asked for job %d: %w", row.ID, err)
	}
	if row.Result != "" {
		if err := json.Unmarshal([]byte(row.Result), &j.Result); err != nil {
			return job.Job{}, fmt.Errorf("reading the result of job %d: %w", row.ID, err)
		}
	}
	return j, nil
}

// maybe is nil for no text.
func maybe(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// Get gives one job, or job.ErrUnknown.
func (r Jobs) Get(ctx context.Context, id int64) (job.Job, error) {
	row, err := r.own.Job(ctx, id)
	if err != nil {
		return job.Job{}, absent(err, job.ErrUnknown)
	}
	return jobOf(row)
}

// List gives the last n jobs, the newest first.
func (r Jobs) List(ctx context.Context, n int) ([]job.Job, error) {
	list, err := r.own.Jobs(ctx, count(n))
	if err != nil {
		return nil, err
	}
	return each(list, jobOf)
}

// In lists the jobs in a state, the oldest first.
func (r Jobs) In(ctx context.Context, s job.State) ([]job.Job, error) {
	list, err := r.own.JobsIn(ctx, string(s))
	if err != nil {
		return nil, err
	}
	return each(list, jobOf)
}
