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
	"sync"
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

// Status is where a task stands.
type Status string

const (
	Open    Status = "open"
	Doing   Status = "doing"
	Blocked Status = "blocked" // Stuck says by what
	Done    Status = "done"
)

// Statuses are all of them, in a task's usual order.
var Statuses = []Status{Open, Doing, Blocked, Done}

// Task is one thing to do.
type Task struct {
	ID          int64 // set by Add, never used twice for one user
	Description string
	Due         time.Time // zero for none
	Tags        []string
	Status      Status // "" is Open
	Stuck       string // what it is blocked by, "" for unknown and for all other tasks
	Project     int64  // ID of the project it belongs to, 0 for none
	Created     time.Time
	Changed     time.Time // of its status
	Finished    time.Time // zero while it is not done
}

// Done tells whether the task is over.
func (t Task) Done() bool { return t.Status == Done }

var (
	ErrUnknown = errors.New("no such task")
	ErrEmpty   = errors.New("a task needs a description")
	ErrTooLong = errors.New("longer than a task may be: 4096 bytes, 32 tags of 64 bytes")
	ErrStatus  = errors.New("a task is open, doing, blocked or done")
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
	// Done lists at most n tasks that were finished at or after a time, the latest first.
	Done(ctx context.Context, since time.Time, n int) ([]Task, error)
	// Tally counts the tasks of each project.
	Tally(ctx context.Context) (map[int64]Tally, error)
	// Remove takes a task away, or says ErrUnknown.
	Remove(ctx context.Context, id int64) error
}

// Tally is how many tasks a project has.
type Tally struct{ Open, Done int }

// Config is what a List is made of.
type Config struct {
	Rows Rows
	// Now tells the time; all times are given in its zone. nil is time.Now.
	Now func() time.Time
}

// List is the tasks of one user.
type List struct {
	c        Config
	changing sync.Mutex // one change at a time: each reads, decides and writes
}

// New builds a List.
func New(c Config) *List {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &List{c: c}
}

// Add stores a new task and returns it as stored; it is not done yet. Errors: ErrEmpty, ErrTooLong, ErrStatus, or the
// rows' own.
func (l *List) Add(ctx context.Context, t Task) (Task, error) {
	now := l.c.Now()
	t, err := tidy(t)
	if err != nil {
		return Task{}, err
	}
	if t.Status == Done {
		t.Status = Open
	}
	t.Created, t.Changed, t.Finished = now, now, time.Time{}
	t, err = l.c.Rows.Insert(ctx, t)
	if err != nil {
		return Task{}, fmt.Errorf("storing a task: %w", err)
	}
	return l.local(t), nil
}

// blank are the characters that are not kept at an end, or not at all.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// tidy gives a task in the form in which it is kept, or says why it cannot be.
func tidy(t Task) (Task, error) {
	t.Description, t.Stuck = strings.TrimFunc(t.Description, blank), strings.TrimFunc(t.Stuck, blank)
	if t.Status == "" {
		t.Status = Open
	}
	if t.Status != Blocked {
		t.Stuck = ""
	}
	if t.Status == Blocked || t.Status == Doing || t.Status == Open {
		t.Finished = time.Time{}
	}
	return t, check(t)
}

func check(t Task) error {
	switch {
	case t.Description == "":
		return ErrEmpty
	case len(t.Description) > MaxText || len(t.Stuck) > MaxText || len(t.Tags) > MaxTags:
		return ErrTooLong
	case !slices.Contains(Statuses, t.Status):
		return ErrStatus
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
