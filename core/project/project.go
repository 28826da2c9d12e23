// Package project keeps the tree of what the user works towards: names, states, priorities and how far each is.
//
// A project without a progress of its own is as far as its tasks and the projects below it: each counts once, a task that
// is done as a whole, a project with its percent; what is dropped does not count. A Book is safe for use by several
// goroutines.
package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// What a project may hold, in bytes, and how many there may be.
const (
	MaxName   = 200
	MaxDomain = 64
	Most      = 5000 // projects of one user
	Deepest   = 32   // levels of the tree
)

// Status is where a project stands.
type Status string

const (
	Active  Status = "active"
	Paused  Status = "paused"
	Done    Status = "done"
	Dropped Status = "dropped"
)

// Statuses are all of them.
var Statuses = []Status{Active, Paused, Done, Dropped}

// Over tells whether nothing more is to be done for it.
func (s Status) Over() bool { return s == Done || s == Dropped }

// Project is one thing that the user works towards.
type Project struct {
	ID       int64 // set by Add, never used twice for one user
	Parent   int64 // ID of the project that it is a part of, 0 for none
	Name     string
	Status   Status    // "" is Active
	Priority int       // 1 (highest) to 5; 0 is 3
	Domain   string    // part of life: "health", "family"; "" for none
	Progress *int      // 0 to 100, set by hand; nil is reckoned
	Reviewed time.Time // zero for never
	Created  time.Time
	Changed  time.Time
}

var (
	ErrUnknown  = errors.New("no such project")
	ErrName     = errors.New("a project needs a name")
	ErrTooLong  = errors.New("a project's name has at most 200 bytes, its domain 64")
	ErrTaken    = errors.New("there is a project of that name already")
	ErrStatus   = errors.New("a project is active, paused, done or dropped")
	ErrPriority = errors.New("a project's priority is 1 to 5")
	ErrProgress = errors.New("a project's progress is 0 to 100 percent")
	ErrCycle    = errors.New("a project cannot be a part of itself")
	ErrDeep     = errors.New("the tree of projects has at most 32 levels")
	ErrMany     = errors.New("there are 5000 projects already")
)

// Rows keeps the projects of one user.
type Rows interface {
	// Put stores projects, all or none: a new one where its ID is 0, else over the one of that ID where there is one.
	Put(ctx context.Context, list ...Project) ([]Project, error)
	// List gives all projects, the oldest first.
	List(ctx context.Context) ([]Project, error)
	// Remove takes projects away, all or none; it is ErrUnknown where one is missing.
	Remove(ctx context.Context, ids ...int64) error
}

// Tally is how many tasks a project has.
type Tally struct{ Open, Done int }

// Config is what a Book is made of.
type Config struct {
	Rows Rows
	// Tasks counts the tasks of each project by its ID; nil for none.
	Tasks func(ctx context.Context) (map[int64]Tally, error)
	// Now tells the time; all times are given in its zone. nil is time.Now.
	Now func() time.Time
}

// Book holds the projects of one user.
type Book struct {
	c        Config
	changing sync.Mutex // one change at a time: each reads, decides and writes
}

// New builds a Book.
func New(c Config) *Book {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Tasks == nil {
		c.Tasks = func(context.Context) (map[int64]Tally, error) { return nil, nil }
	}
	return &Book{c: c}
}

// tidy gives a project in the form in which it is kept, or says why it cannot be.
func tidy(p Project) (Project, error) {
	p.Name, p.Domain = oneLine(p.Name), strings.ToLower(oneLine(p.Domain))
	if p.Status == "" {
		p.Status = Active
	}
	if p.Priority == 0 {
		p.Priority = 3
	}
	switch {
	case p.Name == "":
		return p, ErrName
	case len(p.Name) > MaxName || len(p.Domain) > MaxDomain:
		return p, ErrTooLong
	case !slices.Contains(Statuses, p.Status):
		return p, ErrStatus
	case p.Priority < 1 || p.Priority > 5:
		return p, ErrPriority
	case p.Progress != nil && (*p.Progress < 0 || *p.Progress > 100):
		return p, ErrProgress
	}
	return p, nil
}

// oneLine is text without control characters, its words one space apart.
func oneLine(s string) string {
	if len(s) > 4*MaxName { // too long either way: nothing is lost by not reading it all
		s = s[:4*MaxName]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

// like tells whether two names are the same to the user.
func like(a, b string) bool { return strings.EqualFold(oneLine(a), oneLine(b)) }

// all reads the projects, with times in the user's zone.
func (b *Book) all(ctx context.Context) ([]Project, error) {
	list, err := b.c.Rows.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing projects: %w", err)
	}
	for i, p := range list {
		list[i] = b.local(p)
	}
	return list, nil
}

// local gives a project's times in the user's zone, to the millisecond that rows hold.
func (b *Book) local(p Project) Project {
	zone := b.c.Now().Location()
	for _, at := range []*time.Time{&p.Reviewed, &p.Created, &p.Changed} {
		if !at.IsZero() {
			*at = at.Round(0).Truncate(time.Millisecond).In(zone)
		}
	}
	return p
}
