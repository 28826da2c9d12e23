// Package task keeps what the user means to do, and finds it again by some of its words.
//
// A List is safe for use by several goroutines.
package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/solo-assistant/solo/core/words"
)

// What a task may hold.
const (
	MaxText = 4096 // bytes of a description, and of the words to find one by
	MaxTags = 32   // of at most 64 bytes each
	maxTag  = 64
)

// Task is one thing to do.
type Task struct {
	ID          int64 // set by Add, never used twice for one user
	Description string
	Due         time.Time // zero for none
	Tags        []string
	Done        bool
	Created     time.Time
	Finished    time.Time // zero while open
}

var (
	ErrUnknown = errors.New("no such task")
	ErrEmpty   = errors.New("a task needs a description")
	ErrTooLong = errors.New("longer than a task may be: 4096 bytes, 32 tags of 64 bytes")
)

// Rows keeps the tasks of one user.
type Rows interface {
	// Insert stores a new task and gives it back with its ID.
	Insert(ctx context.Context, t Task) (Task, error)
	// Put stores a task as it is, over the one of its ID where there is one.
	Put(ctx context.Context, t Task) error
	// Get gives one task, or ErrUnknown.
	Get(ctx context.Context, id int64) (Task, error)
	// Open lists the tasks that are not done, in any order.
	Open(ctx context.Context) ([]Task, error)
	// Remove takes a task away, or says ErrUnknown.
	Remove(ctx context.Context, id int64) error
}

// Config is what a List is made of.
type Config struct {
	Rows Rows
	// Now tells the time; all times are given in its zone. nil is time.Now.
	Now func() time.Time
}

// List is the tasks of one user.
type List struct{ c Config }

// New builds a List.
func New(c Config) *List {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &List{c: c}
}

// Add stores a new task and returns it as stored. Errors: ErrEmpty, ErrTooLong, or the rows' own.
func (l *List) Add(ctx context.Context, t Task) (Task, error) {
	t.Description = strings.TrimFunc(t.Description, blank)
	if err := check(t); err != nil {
		return Task{}, err
	}
	t.Created, t.Done, t.Finished = l.c.Now(), false, time.Time{}
	t, err := l.c.Rows.Insert(ctx, t)
	if err != nil {
		return Task{}, fmt.Errorf("storing a task: %w", err)
	}
	return l.local(t), nil
}

// blank are the characters that are not kept at an end, or not at all.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func check(t Task) error {
	if t.Description == "" {
		return ErrEmpty
	}
	if len(t.Description) > MaxText || len(t.Tags) > MaxTags {
		return ErrTooLong
	}
	for _, tag := range t.Tags {
		if len(tag) > maxTag {
			return ErrTooLong
		}
	}
	return nil
}

// Open lists what is to do: what is due first, then what has no time, the older first.
func (l *List) Open(ctx context.Context) ([]Task, error) {
	open, err := l.c.Rows.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing tasks: %w", err)
	}
	for i, t := range open {
		open[i] = l.local(t)
	}
	slices.SortFunc(open, pressing)
	return open, nil
}

func pressing(a, b Task) int {
	if a.Due.IsZero() != b.Due.IsZero() {
		if a.Due.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(a.Due.Compare(b.Due), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
}

// near is the share of the asked words' weight that a task must hold to be meant by them.
const near = 0.55

// Find gives the open tasks that the words may mean, the best first, none when nothing is near. It knows plurals and
// other endings and forgives small typing errors. Words of more than MaxText bytes are ErrTooLong.
func (l *List) Find(ctx context.Context, text string) ([]Task, error) {
	if len(text) > MaxText {
		return nil, ErrTooLong
	}
	open, err := l.Open(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(open))
	for i, t := range open {
		texts[i] = t.Description
	}
	var found []Task
	for _, m := range words.Rank(text, texts, near) {
		found = append(found, open[m.Index])
	}
	return found, nil
}

// Complete marks a task as done and returns it so. A task that is done stays as it is.
func (l *List) Complete(ctx context.Context, id int64) (Task, error) {
	return l.change(ctx, id, func(t *Task) {
		if !t.Done {
			t.Done, t.Finished = true, l.c.Now()
		}
	})
}

// Reopen takes Complete back.
func (l *List) Reopen(ctx context.Context, id int64) (Task, error) {
	return l.change(ctx, id, func(t *Task) { t.Done, t.Finished = false, time.Time{} })
}

func (l *List) change(ctx context.Context, id int64, do func(*Task)) (Task, error) {
	t, err := l.c.Rows.Get(ctx, id)
	if err != nil {
		return Task{}, fmt.Errorf("looking up task %d: %w", id, err)
	}
	do(&t)
	if err := l.c.Rows.Put(ctx, t); err != nil {
		return Task{}, fmt.Errorf("storing task %d: %w", id, err)
	}
	return l.local(t), nil
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

// Restore puts a task back as Delete returned it, under its old ID.
func (l *List) Restore(ctx context.Context, t Task) error {
	if err := check(t); err != nil {
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
	for _, at := range []*time.Time{&t.Due, &t.Created, &t.Finished} {
		if !at.IsZero() {
			*at = at.Round(0).Truncate(time.Millisecond).In(zone)
		}
	}
	return t
}
