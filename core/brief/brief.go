// Package brief tells what matters: in the morning, over the week and over the month, and what became due or stuck.
//
// A briefing is made of facts by rules and needs no language model. Where there is one it may reword the text, and its
// words are used only if every fact is still in them, in the same order and no other beside them; else the rules' own are.
package brief

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// Kind is which briefing.
type Kind string

const (
	Morning Kind = "morning"
	Week    Kind = "week"
	Month   Kind = "month"
)

// Kinds are all of them.
var Kinds = []Kind{Morning, Week, Month}

// ErrKind says that there is no such briefing.
var ErrKind = errors.New("a briefing is for the morning, the week or the month")

// KindOf reads a kind in the user's words; "" is the morning's.
func KindOf(text string) (Kind, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "morning", "day", "daily", "today":
		return Morning, nil
	case "week", "weekly", "this week":
		return Week, nil
	case "month", "monthly", "this month":
		return Month, nil
	}
	return "", fmt.Errorf("%.40q: %w", text, ErrKind)
}

// Task is one thing to do, or that was done.
type Task struct {
	ID       int64
	Text     string    // as it is to be said
	Due      time.Time // zero for none
	Project  string    // "" for none
	Doing    bool
	Blocked  bool
	Stuck    string    // what it is blocked by
	Changed  time.Time // of its state
	Finished time.Time // zero where it is not done
}

// Project is one of the user's projects.
type Project struct {
	ID       int64
	Name     string
	Status   string // "active", "paused", "done" or "dropped"
	Percent  int
	Priority int // 1 is the highest
	Top      bool
	Reviewed time.Time // zero for never
	Changed  time.Time
}

// Promise is a time that Solo keeps.
type Promise struct {
	Kind string // "reminder", "alarm", ...
	Text string // as it is to be said
	At   time.Time
}

// Work knows what the user does.
type Work interface {
	Open(ctx context.Context) ([]Task, error)
	Finished(ctx context.Context, since time.Time) ([]Task, error)
	// Projects lists all, the first to be told first.
	Projects(ctx context.Context) ([]Project, error)
}

// Ahead knows the times that Solo keeps, the soonest first.
type Ahead interface {
	Ahead(ctx context.Context, until time.Time) ([]Promise, error)
}

// Source is something else to tell of: the weather, a calendar, mail.
type Source interface {
	Name() string // as in "I could not read the calendar": "calendar"
	// Tell gives whole sentences about a span of time.
	Tell(ctx context.Context, k Kind, from, to time.Time) ([]string, error)
}

// Shaper rewords a text as a language model would.
type Shaper interface {
	Shape(ctx context.Context, text string) (string, error)
}

// Config is what a Teller is made of. What is nil is left out.
type Config struct {
	Work    Work
	Ahead   Ahead
	Sources []Source // the first are told before the tasks
	Shaper  Shaper
	// User gives the user's name, "" where it is unknown.
	User func(ctx context.Context) string
	// Now tells the time in the user's zone; nil is time.Now.
	Now func() time.Time
	Log zerolog.Logger
	// Patience is how long a model may take to reword a briefing; 0 is 20 s.
	Patience time.Duration
}

// Teller makes briefings. It is safe for use by several goroutines.
type Teller struct{ c Config }

// New builds a Teller.
func New(c Config) *Teller {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.User == nil {
		c.User = func(context.Context) string { return "" }
	}
	if c.Patience == 0 {
		c.Patience = 20 * time.Second
	}
	return &Teller{c}
}

// Section is a part of a briefing.
type Section struct {
	Head  string   `json:"head"`  // for the page: "Due today"
	Lead  string   `json:"lead"`  // for the ear, before the lines: "2 tasks are due today:"
	Lines []string `json:"lines"` // things, to be listed; whole sentences where there is no Lead
	names []string // words in them that nobody may change
}

// Briefing is what there is to tell.
type Briefing struct {
	Kind     Kind      `json:"kind"`
	At       time.Time `json:"at"`
	Title    string    `json:"title"`
	Greeting string    `json:"greeting"`
	Sections []Section `json:"sections"`
	Shaped   string    `json:"shaped,omitempty"` // the same, reworded by a language model; "" for none
}

// Text is the briefing as it is said.
func (b Briefing) Text() string {
	if b.Shaped != "" {
		return b.Shaped
	}
	return b.plain()
}

// plain is the briefing in the rules' own words.
func (b Briefing) plain() string {
	said := []string{b.Greeting}
	for _, s := range b.Sections {
		said = append(said, s.text())
	}
	return strings.Join(said, " ")
}

// spoken is how many things of one sort one can listen to.
const spoken = 5

func (s Section) text() string {
	if s.Lead == "" {
		return strings.Join(s.Lines, " ")
	}
	return s.Lead + " " + list(s.Lines) + "."
}

// list joins things for the ear.
func list(all []string) string {
	if rest := len(all) - spoken; rest > 0 {
		all = append(append([]string{}, all[:spoken]...), fmt.Sprintf("%d more", rest))
	}
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	sep := ", "
	for _, s := range all {
		if strings.Contains(s, ", ") {
			sep = "; "
		}
	}
	return strings.Join(all[:len(all)-1], sep) + " and " + all[len(all)-1]
}

// Page is the briefing to be read, in Markdown.
func (b Briefing) Page() string {
	out := []string{"# " + b.Title, "", b.Greeting}
	for _, s := range b.Sections {
		out = append(out, "", "## "+s.Head, "")
		for _, l := range s.Lines {
			out = append(out, "- "+l)
		}
	}
	return strings.Join(out, "\n") + "\n"
}
