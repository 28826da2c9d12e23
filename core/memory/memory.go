// Package memory keeps what the user told Solo, and what was said, and finds it again.
//
// A memory has a source and a time. A new value of the same thing takes the place of the old one, which stays as history;
// what is forgotten is removed wherever it is kept. Memories are found by their words, and by their meaning too where a
// model makes vectors. A Memory is safe for use by several goroutines; Serve loads the vectors behind everything else.
package memory

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/rank"
)

// Config is what a Memory is made of.
type Config struct {
	Rows Rows
	// Now tells the time; all times are given in its zone. nil is time.Now.
	Now func() time.Time
	// Embedder makes vectors; nil: memories are found by their words alone.
	Embedder Embedder
	// Near makes an index for about so many vectors; it is asked again when there are far more.
	Near func(many int) Vectors
	Log  zerolog.Logger
}

// Memory is what one user told Solo.
type Memory struct {
	c       Config
	index   *index
	meaning *meaning
}

// New builds a Memory.
func New(c Config) *Memory {
	if c.Now == nil {
		c.Now = time.Now
	}
	m := &Memory{c: c, index: &index{rows: c.Rows, now: c.Now}}
	m.meaning = newMeaning(c)
	return m
}

// Keep stores something that the user told, as the kind that it seems to be, and returns it as stored. Where it is a new
// value of something that is known, it takes the place of the old one: Supersedes names that.
// Errors: ErrEmpty, ErrTooLong, or the rows' own.
func (m *Memory) Keep(ctx context.Context, text, source string) (Item, error) {
	return m.Add(ctx, Item{Text: text, Source: source})
}

// Add is Keep for an item of which more is known: what is set of Kind, Subject, Session, Turn, Confidence, At and Expires
// stays. Errors: also ErrKind.
func (m *Memory) Add(ctx context.Context, it Item) (Item, error) {
	it, err := m.proper(it)
	if err != nil {
		return Item{}, err
	}
	if it.Subject == "" && it.Kind != Episode && it.Kind != Note {
		it.Subject = subjectOf(it.Text)
	}
	var old []Item
	if it.Subject != "" {
		if old, err = m.c.Rows.Holds(ctx, it.Subject); err != nil {
			return Item{}, fmt.Errorf("keeping a memory: %w", err)
		}
	}
	if len(old) > 0 {
		it, err = m.c.Rows.Replace(ctx, old[0].ID, it)
	} else {
		it, err = first(m.c.Rows.Put(ctx, it))
	}
	if err != nil {
		return Item{}, fmt.Errorf("keeping a memory: %w", err)
	}
	m.learned(it)
	return m.local(it), nil
}

// Replace keeps a text in the place of a memory, which stays as history. Errors: those of Keep, and ErrUnknown.
func (m *Memory) Replace(ctx context.Context, old int64, text, source string) (Item, error) {
	it, err := m.proper(Item{Text: text, Source: source})
	if err != nil {
		return Item{}, err
	}
	it.Subject = subjectOf(it.Text)
	if it, err = m.c.Rows.Replace(ctx, old, it); err != nil {
		return Item{}, fmt.Errorf("replacing a memory: %w", err)
	}
	m.learned(it)
	return m.local(it), nil
}

// Import stores items under their keys, all or none: a key that is known changes that memory. Items that are there already,
// word for word, are left alone. Errors: those of Add.
func (m *Memory) Import(ctx context.Context, items ...Item) (Imported, error) {
	for i, it := range items {
		if it.Kind == "" {
			it.Kind = Note
		}
		it, err := m.proper(it)
		if err != nil {
			return Imported{}, err
		}
		items[i] = it
	}
	n, err := m.c.Rows.Import(ctx, items...)
	if err != nil {
		return n, fmt.Errorf("importing memories: %w", err)
	}
	m.learned(items...)
	return n, nil
}

// proper checks an item and fills in what it leaves open.
func (m *Memory) proper(it Item) (Item, error) {
	it.Text = strings.TrimFunc(it.Text, blank)
	if it.Text == "" {
		return it, ErrEmpty
	}
	if len(it.Text)+len(it.Source)+len(it.Session)+len(it.Key) > MaxText {
		return it, ErrTooLong
	}
	if it.Kind == "" {
		it.Kind = kindOf(it.Text)
	}
	if !known(it.Kind) {
		return it, fmt.Errorf("%w, not %.40q", ErrKind, it.Kind)
	}
	if it.At.IsZero() && it.Key == "" { // what is imported again keeps its time
		it.At = m.c.Now()
	}
	if it.Confidence == 0 {
		it.Confidence = 1
	}
	return it, nil
}

func known(k Kind) bool {
	for _, one := range Kinds {
		if k == one {
			return true
		}
	}
	return false
}

func first(items []Item, err error) (Item, error) {
	if err != nil || len(items) == 0 {
		return Item{}, err
	}
	return items[0], nil
}

// blank are the characters that are not kept at an end, or not at all.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// learned tells the indexes in memory of new items.
func (m *Memory) learned(items ...Item) {
	m.index.learned(items)
	m.meaning.wake()
}

// Forget removes memories, all or none, with their older values, and whatever quotes them: lines and summaries of talks
// and turns of the history. It returns them, ready for Restore. Errors: ErrUnknown, or the rows' own.
func (m *Memory) Forget(ctx context.Context, ids ...int64) ([]Item, error) {
	e, err := m.Erase(ctx, ids...)
	return e.Items, err
}

// Erase is Forget that tells what else went.
func (m *Memory) Erase(ctx context.Context, ids ...int64) (Erased, error) {
	return m.EraseAbout(ctx, "", ids...)
}

// EraseAbout is Erase that also removes the lines, turns and summaries that mention a topic, "" for none.
func (m *Memory) EraseAbout(ctx context.Context, topic string, ids ...int64) (Erased, error) {
	if len(ids) == 0 {
		return Erased{}, nil
	}
	e, err := m.c.Rows.Erase(ctx, topic, ids...)
	if err != nil {
		return Erased{}, fmt.Errorf("forgetting: %w", err)
	}
	m.index.forgot()
	var gone []int64
	for i, it := range e.Items {
		gone = append(gone, it.ID)
		e.Items[i] = m.local(it)
	}
	m.meaning.forget(ctx, gone)
	return e, nil
}

// Withdraw takes a memory back as if it had never been said: the value before it holds again. Errors: ErrUnknown.
func (m *Memory) Withdraw(ctx context.Context, id int64) (Item, error) {
	it, err := m.c.Rows.Withdraw(ctx, id)
	if err != nil {
		return Item{}, fmt.Errorf("taking a memory back: %w", err)
	}
	m.index.forgot()
	m.meaning.forget(ctx, []int64{id})
	return m.local(it), nil
}

// Restore puts memories back as Forget returned them, under their old IDs, all or none.
func (m *Memory) Restore(ctx context.Context, items ...Item) error {
	for _, it := range items {
		if len(it.Text)+len(it.Source) > MaxText {
			return ErrTooLong
		}
	}
	if err := m.c.Rows.Restore(ctx, items...); err != nil {
		return fmt.Errorf("restoring memories: %w", err)
	}
	m.learned(items...)
	return nil
}

// All lists n memories by their IDs, those after an ID, older values among them.
func (m *Memory) All(ctx context.Context, after int64, n int) ([]Item, error) {
	items, err := m.c.Rows.After(ctx, after, n)
	return m.locals(items), err
}

// OfKey gives the memory that was imported under a key, or ErrUnknown.
func (m *Memory) OfKey(ctx context.Context, key string) (Item, error) {
	it, err := m.c.Rows.OfKey(ctx, key)
	return m.local(it), err
}

// Items gives memories by their IDs; those that are gone are left out.
func (m *Memory) Items(ctx context.Context, ids ...int64) ([]Item, error) {
	items, err := m.c.Rows.Items(ctx, ids)
	return m.locals(items), err
}

// History gives the older values of a memory, the newest first.
func (m *Memory) History(ctx context.Context, it Item) ([]Item, error) {
	var out []Item
	for seen := map[int64]bool{}; it.Supersedes != 0 && !seen[it.Supersedes]; {
		seen[it.Supersedes] = true
		older, err := m.c.Rows.Items(ctx, []int64{it.Supersedes})
		if err != nil || len(older) == 0 {
			return out, err
		}
		it = older[0]
		out = append(out, m.local(it))
	}
	return out, nil
}

func (m *Memory) locals(items []Item) []Item {
	for i, it := range items {
		items[i] = m.local(it)
	}
	return items
}

// local gives an item's times in the user's zone, to the millisecond that rows hold.
func (m *Memory) local(it Item) Item {
	for _, t := range []*time.Time{&it.At, &it.Expires, &it.Replaced} {
		if !t.IsZero() {
			*t = t.Round(0).Truncate(time.Millisecond).In(m.c.Now().Location())
		}
	}
	return it
}

var _ rank.Index = (*index)(nil)
