package task

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Finished lists at most n tasks that were done at or after a time, the latest first; the zero time is for ever.
func (l *List) Finished(ctx context.Context, since time.Time, n int) ([]Task, error) {
	done, err := l.c.Rows.Done(ctx, since, n)
	if err != nil {
		return nil, fmt.Errorf("listing what is done: %w", err)
	}
	for i, t := range done {
		done[i] = l.local(t)
	}
	return done, nil
}

// Tally counts the tasks of each project by its ID.
func (l *List) Tally(ctx context.Context) (map[int64]Tally, error) {
	counts, err := l.c.Rows.Tally(ctx)
	if err != nil {
		return nil, fmt.Errorf("counting tasks: %w", err)
	}
	return counts, nil
}

// Get gives one task, or ErrUnknown.
func (l *List) Get(ctx context.Context, id int64) (Task, error) {
	t, err := l.c.Rows.Get(ctx, id)
	if err != nil {
		return Task{}, fmt.Errorf("looking up task %d: %w", id, err)
	}
	return l.local(t), nil
}

// Complete marks a task as done and returns it so. A task that is done stays as it is.
func (l *List) Complete(ctx context.Context, id int64) (Task, error) {
	return l.Edit(ctx, id, func(t *Task) { t.Status = Done })
}

// Reopen makes a task open again, as Complete or Block found it.
func (l *List) Reopen(ctx context.Context, id int64) (Task, error) {
	return l.Edit(ctx, id, func(t *Task) { t.Status = Open })
}

// Edit changes a task and returns it as stored. Its ID and times are the List's own to set.
// Errors: ErrUnknown, ErrEmpty, ErrTooLong, ErrStatus, or the rows' own.
func (l *List) Edit(ctx context.Context, id int64, do func(*Task)) (Task, error) {
	l.changing.Lock()
	defer l.changing.Unlock()
	was, err := l.c.Rows.Get(ctx, id)
	if err != nil {
		return Task{}, fmt.Errorf("looking up task %d: %w", id, err)
	}
	now := was
	now.Tags = slices.Clone(was.Tags)
	do(&now)
	now.ID, now.Created, now.Changed, now.Finished = was.ID, was.Created, was.Changed, was.Finished
	if now, err = tidy(now); err != nil {
		return Task{}, err
	}
	if now.Status != was.Status || now.Stuck != was.Stuck {
		now.Changed = l.c.Now()
	}
	if now.Status == Done && was.Status != Done {
		now.Finished = l.c.Now()
	}
	if err := l.c.Rows.Put(ctx, now); err != nil {
		return Task{}, fmt.Errorf("storing task %d: %w", id, err)
	}
	return l.local(now), nil
}

// Delete takes a task away and returns it, ready for Restore.
func (l *List) Delete(ctx context.Context, id int64) (Task, error) {
	t, err := l.c.Rows.Get(ctx, id)
	if err != nil {
		return Task{}, fmt.Errorf("looking up task %d: %w", id, err)
	}
	if err := l.c.Rows.Remove(ctx, id); err != nil {
		return Task{}, fmt.Errorf("deleting task %d: %w", id, err)
	}
	return l.local(t), nil
}

// Restore puts a task back as Delete, or Get before a change, returned it, under its old ID.
func (l *List) Restore(ctx context.Context, t Task) error {
	t, err := tidy(t)
	if err != nil {
		return err
	}
	if err := l.c.Rows.Put(ctx, t); err != nil {
		return fmt.Errorf("restoring task %d: %w", t.ID, err)
	}
	return nil
}

// local gives a task's times in the user's zone, to the millisecond that rows hold.
func (l *List) local(t Task) Task {
	zone := l.c.Now().Location()
	for _, at := range []*time.Time{&t.Due, &t.Created, &t.Changed, &t.Finished} {
		if !at.IsZero() {
			*at = at.Round(0).Truncate(time.Millisecond).In(zone)
		}
	}
	return t
}
