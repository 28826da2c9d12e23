// Package routine keeps what the user wants done at one word ("movie time"), and does it.
//
// A routine is a list of actions, each a call of a tool. All of them go through the one toolbox under its policy, so
// consent holds for each: where an action needs the user's word the routine waits for it, and goes on with the rest after
// yes and after no. A Book is safe for use by several goroutines.
package routine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

// What a routine may hold.
const (
	MaxName    = 80  // bytes
	MaxActions = 20  // of one routine
	MaxWords   = 500 // bytes of an action's words
	MaxBytes   = 64 << 10
	Most       = 500 // routines of one user
)

// Action is one thing that a routine does: a call, or a sentence to say.
type Action struct {
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Words are the user's own for the call. They are read anew each time, so that "an alarm for seven" means the next seven.
	Words string `json:"words,omitempty"`
	Say   string `json:"say,omitempty"` // instead of a call
}

// Routine is some actions under a name.
type Routine struct {
	ID      int64 // set by Add, never used twice for one user
	Name    string
	Actions []Action
	Model   bool // a language model made it, not the user's own words
	Created time.Time
	Ran     time.Time // zero for never
}

var (
	ErrUnknown = errors.New("no such routine")
	ErrName    = errors.New("a routine needs a name of at most 80 bytes")
	ErrTaken   = errors.New("there is a routine of that name already")
	ErrCommand = errors.New("that is a command of Solo's own already")
	ErrEmpty   = errors.New("a routine needs something to do")
	ErrLong    = errors.New("a routine has at most 20 actions of some hundred words")
	ErrMany    = errors.New("there are 500 routines already")
	ErrNested  = errors.New("a routine cannot run or change routines")
)

// UnreadError says which words are no command.
type UnreadError struct{ Words string }

func (e *UnreadError) Error() string { return fmt.Sprintf("%q is nothing that Solo can do", e.Words) }

// Rows keeps the routines of one user.
type Rows interface {
	// Put stores a routine: a new one where its ID is 0, else over the one of that ID where there is one.
	Put(ctx context.Context, r Routine) (Routine, error)
	// List gives all, the oldest first.
	List(ctx context.Context) ([]Routine, error)
	// Remove takes one away, or says ErrUnknown.
	Remove(ctx context.Context, id int64) error
}

// Box runs calls and tells what is wrong with one; *tool.Box does. With an error the Result may still hold a sentence.
type Box interface {
	Call(ctx context.Context, c models.Call) (models.Result, error)
	Check(c models.Call) error
}

// Config is what a Book is made of.
type Config struct {
	Rows Rows
	Box  Box
	// Read makes a call of a command in words, as it is meant now; false for what is none.
	Read func(text string) (models.Call, bool)
	// Now tells the time; nil is time.Now.
	Now func() time.Time
}

// Book holds the routines of one user.
type Book struct {
	c        Config
	changing sync.Mutex // one change at a time: each reads, decides and writes

	mu     sync.Mutex
	names  map[string]string // by their folded words; nil before they were read
	halted map[string]*halt  // wait for the user's word
	number int
}

// New builds a Book.
func New(c Config) *Book {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Read == nil {
		c.Read = func(string) (models.Call, bool) { return models.Call{}, false }
	}
	return &Book{c: c, halted: map[string]*halt{}}
}

// tidy gives a routine in the form in which it is kept, or says why it cannot be.
func (b *Book) tidy(r Routine) (Routine, error) {
	r.Name = oneLine(r.Name, MaxName)
	if r.Name == "" || len(r.Name) > MaxName || fold(r.Name) == "" {
		return r, ErrName
	}
	if _, ok := b.c.Read(r.Name); ok {
		return r, fmt.Errorf("%q: %w", r.Name, ErrCommand)
	}
	switch {
	case len(r.Actions) == 0:
		return r, ErrEmpty
	case len(r.Actions) > MaxActions:
		return r, ErrLong
	}
	r.Actions = slices.Clone(r.Actions)
	size := 0
	for i := range r.Actions {
		if err := b.fit(&r.Actions[i]); err != nil {
			return r, err
		}
		size += len(r.Actions[i].Arguments)
	}
	if size > MaxBytes {
		return r, ErrLong
	}
	return r, nil
}

// fit checks one action.
func (b *Book) fit(a *Action) error {
	a.Words, a.Say = oneLine(a.Words, MaxWords), oneLine(a.Say, MaxWords)
	switch {
	case len(a.Words) > MaxWords || len(a.Say) > MaxWords:
		return ErrLong
	case a.Tool == "" && a.Say == "":
		return ErrEmpty
	case a.Tool == "":
		return nil
	case strings.HasPrefix(a.Tool, "routines."):
		return ErrNested
	}
	a.Say = ""
	if err := b.c.Box.Check(models.Call{Tool: a.Tool, Arguments: a.Arguments}); err != nil {
		return fmt.Errorf("%s: %w", a.Tool, err)
	}
	return nil
}

// oneLine is text without control characters, its words one space apart; of one that is too long only that much is read
// that it is seen to be too long.
func oneLine(s string, most int) string {
	if len(s) > 4*most {
		s = s[:4*most]
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

// fold is a name as it is compared.
func fold(name string) string { return strings.Join(words.Fold(name), " ") }
