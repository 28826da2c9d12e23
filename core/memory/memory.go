// Package memory keeps what the user told Solo to keep, and the user's preferences.
//
// Facts are recalled by their words; nothing is kept that was not asked for. A Memory is safe for use by several
// goroutines.
package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/solo-assistant/solo/core/words"
)

// MaxText is the longest fact, and the longest question for one, in bytes.
const MaxText = 8192

// Fact is one thing to keep.
type Fact struct {
	ID     int64 // set by Keep, never used twice for one user
	Text   string
	Source string    // who said it, or where it was read: "voice", "typed"
	At     time.Time // when it was kept
}

var (
	ErrUnknown = errors.New("no such fact")
	ErrEmpty   = errors.New("there is nothing to keep")
	ErrTooLong = errors.New("longer than a fact may be: 8192 bytes")
	ErrKey     = errors.New("a preference's name is 1 to 64 of a-z, 0-9, '_', '.' and '-'")
)

// Rows keeps the facts and preferences of one user.
type Rows interface {
	// InsertFact stores a new fact and gives it back with its ID.
	InsertFact(ctx context.Context, f Fact) (Fact, error)
	// PutFacts stores facts as they are, all or none.
	PutFacts(ctx context.Context, f ...Fact) error
	// Facts lists all facts, the newest first.
	Facts(ctx context.Context) ([]Fact, error)
	// RemoveFacts takes facts away, all or none, and returns them; ErrUnknown where one is missing.
	RemoveFacts(ctx context.Context, ids ...int64) ([]Fact, error)

	// SetPreference stores a value, over the old one where there is one.
	SetPreference(ctx context.Context, key, value, source string, at time.Time) error
	// Preference gives a value, false where none is set.
	Preference(ctx context.Context, key string) (string, bool, error)
}

// Config is what a Memory is made of.
type Config struct {
	Rows Rows
	// Now tells the time; all times are given in its zone. nil is time.Now.
	Now func() time.Time
}

// Memory is what one user told Solo.
type Memory struct{ c Config }

// New builds a Memory.
func New(c Config) *Memory {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Memory{c: c}
}

// Keep stores a fact and returns it as stored. Errors: ErrEmpty, ErrTooLong, or the rows' own.
func (m *Memory) Keep(ctx context.Context, text, source string) (Fact, error) {
	text = strings.TrimFunc(text, blank)
	if text == "" {
		return Fact{}, ErrEmpty
	}
	if len(text)+len(source) > MaxText {
		return Fact{}, ErrTooLong
	}
	f, err := m.c.Rows.InsertFact(ctx, Fact{Text: text, Source: source, At: m.c.Now()})
	if err != nil {
		return Fact{}, fmt.Errorf("keeping a fact: %w", err)
	}
	return m.local(f), nil
}

// blank are the characters that are not kept at an end, or not at all.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// A fact is recalled when it holds at least the share enough of what was asked, and is not far behind the best.
const (
	enough = 0.3
	behind = 0.5
)

// Recall gives at most n facts about something, the best first; n of 0 or less is all. "" and words that name nothing
// ("me", "that") give all facts, the newest first. A question of more than MaxText bytes is ErrTooLong.
func (m *Memory) Recall(ctx context.Context, about string, n int) ([]Fact, error) {
	if len(about) > MaxText {
		return nil, ErrTooLong
	}
	facts, err := m.c.Rows.Facts(ctx)
	if err != nil {
		return nil, fmt.Errorf("recalling: %w", err)
	}
	if len(words.Content(about)) > 0 {
		facts = best(about, facts)
	}
	if n > 0 && len(facts) > n {
		facts = facts[:n]
	}
	for i, f := range facts {
		facts[i] = m.local(f)
	}
	return facts, nil
}

func best(about string, facts []Fact) []Fact {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.Text
	}
	var out []Fact
	ranked := words.Rank(about, texts, enough)
	for _, r := range ranked {
		if r.Score >= behind*ranked[0].Score {
			out = append(out, facts[r.Index])
		}
	}
	return out
}

// Forget takes facts away, all or none, and returns them, ready for Restore. Errors: ErrUnknown, or the rows' own.
func (m *Memory) Forget(ctx context.Context, ids ...int64) ([]Fact, error) {
	gone, err := m.c.Rows.RemoveFacts(ctx, ids...)
	if err != nil {
		return nil, fmt.Errorf("forgetting: %w", err)
	}
	for i, f := range gone {
		gone[i] = m.local(f)
	}
	return gone, nil
}

// Restore puts facts back as Forget returned them, under their old IDs, all or none.
func (m *Memory) Restore(ctx context.Context, facts ...Fact) error {
	for _, f := range facts {
		if len(f.Text)+len(f.Source) > MaxText {
			return ErrTooLong
		}
	}
	if err := m.c.Rows.PutFacts(ctx, facts...); err != nil {
		return fmt.Errorf("restoring facts: %w", err)
	}
	return nil
}

// local gives a fact's time in the user's zone, to the millisecond that rows hold.
func (m *Memory) local(f Fact) Fact {
	f.At = f.At.Round(0).Truncate(time.Millisecond).In(m.c.Now().Location())
	return f
}
