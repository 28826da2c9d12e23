package agent

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Sessions keeps what was said, by conversation. "" is the one by voice.
type Sessions interface {
	// Lines gives the summary of the folded lines, and the lines after them, oldest first.
	Lines(ctx context.Context, session string) (Talk, error)
	// Add appends lines. A line of the assistant that ends in a dash and follows another of the assistant takes its
	// place: the user spoke over it.
	Add(ctx context.Context, session string, l ...Line) error
	// Fold puts a summary in place of the one before and of the lines up to the ID upto.
	Fold(ctx context.Context, session string, upto int64, summary string) error
}

// Talk is what was said in a session.
type Talk struct {
	Summary string
	Lines   []Line
}

// Line is one thing that was said.
type Line struct {
	ID      int64 // set by Sessions, rising
	Role    models.Role
	Text    string
	At      time.Time
	Outside bool // strangers' text was before the model when it said so
}

// notes keep talks in memory.
type notes struct {
	mu    sync.Mutex
	next  int64
	talks map[string]Talk
}

func (n *notes) Lines(_ context.Context, session string) (Talk, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.talks[session]
	t.Lines = slices.Clone(t.Lines)
	return t, nil
}

func (n *notes) Add(_ context.Context, session string, l ...Line) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.talks == nil {
		n.talks = map[string]Talk{}
	}
	t := n.talks[session]
	for _, one := range l {
		n.next++
		one.ID = n.next
		t.Lines = append(t.Lines, one)
	}
	n.talks[session] = t
	return nil
}

func (n *notes) Fold(_ context.Context, session string, upto int64, summary string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.talks[session]
	t.Summary = summary
	t.Lines = slices.DeleteFunc(slices.Clone(t.Lines), func(l Line) bool { return l.ID <= upto })
	n.talks[session] = t
	return nil
}
