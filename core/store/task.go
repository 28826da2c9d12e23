package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
)

// Tasks is task.Rows.
type Tasks struct{ own *rows.Own }

var _ task.Rows = Tasks{}

// Tasks lends the rows to package task.
func (s *Store) Tasks() Tasks { return Tasks{s.own} }

// Insert stores a new task.
func (r Tasks) Insert(ctx context.Context, t task.Task) (task.Task, error) {
	t.ID = 0
	return r.put(ctx, t)
}

// Put stores a task under its ID.
func (r Tasks) Put(ctx context.Context, t task.Task) error {
	if t.ID <= 0 {
		return task.ErrUnknown
	}
	_, err := r.put(ctx, t)
	return err
}

func (r Tasks) put(ctx context.Context, t task.Task) (task.Task, error) {
	tags, err := json.Marshal(append([]string{}, t.Tags...)) // [] for none
	if err != nil {
		return task.Task{}, fmt.Errorf("writing tags: %w", err)
	}
	row := rows.Task{ID: t.ID, Description: t.Description, Due: rows.Maybe(t.Due), Tags: string(tags), Status: string(t.Status),
		Created: rows.Millis(t.Created), Finished: rows.Maybe(t.Finished), Project: number(t.Project), Stuck: t.Stuck, Changed: rows.Millis(t.Changed)}
	if row, err = r.own.PutTask(ctx, row); err != nil {
		return task.Task{}, err
	}
	return taskOf(row)
}

// number is how an ID is kept where there may be none.
func number(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

func taskOf(row rows.Task) (task.Task, error) {
	t := task.Task{ID: row.ID, Description: row.Description, Due: rows.Time(row.Due.Int64), Status: task.Status(row.Status), Stuck: row.Stuck,
		Project: row.Project.Int64, Created: rows.Time(row.Created), Changed: rows.Time(row.Changed), Finished: rows.Time(row.Finished.Int64)}
	if err := json.Unmarshal([]byte(row.Tags), &t.Tags); err != nil {
		return task.Task{}, fmt.Errorf("reading the tags of task %d: %w", row.ID, err)
	}
	if len(t.Tags) == 0 {
		t.Tags = nil
	}
	return t, nil
}

// Get gives one task, or task.ErrUnknown.
func (r Tasks) Get(ctx context.Context, id int64) (task.Task, error) {
	row, err := r.own.Task(ctx, id)
	if err != nil {
		return task.Task{}, absent(err, task.ErrUnknown)
	}
	return taskOf(row)
}

// Open lists the tasks that are not done.
func (r Tasks) Open(ctx context.Context) ([]task.Task, error) {
	list, err := r.own.OpenTasks(ctx)
	if err != nil {
		return nil, err
	}
	return each(list, taskOf)
}

// Done lists at most n tasks that were finished at or after a time, the latest first.
func (r Tasks) Done(ctx context.Context, since time.Time, n int) ([]task.Task, error) {
	list, err := r.own.DoneTasks(ctx, rows.Millis(since), count(n))
	if err != nil {
		return nil, err
	}
	return each(list, taskOf)
}

// Tally counts the tasks of each project.
func (r Tasks) Tally(ctx context.Context) (map[int64]task.Tally, error) {
	list, err := r.own.CountTasks(ctx)
	if err != nil {
		return nil, err
	}
	out := map[int64]task.Tally{}
	for _, row := range list {
		t := out[row.Project.Int64]
		if task.Status(row.Status) == task.Done {
			t.Done += int(row.Tasks)
		} else {
			t.Open += int(row.Tasks)
		}
		out[row.Project.Int64] = t
	}
	return out, nil
}

// Remove takes a task away, or says task.ErrUnknown.
func (r Tasks) Remove(ctx context.Context, id int64) error {
	return absent(r.own.RemoveTask(ctx, id), task.ErrUnknown)
}
