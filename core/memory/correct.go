package memory

import (
	"context"
	"slices"

	"github.com/solo-assistant/solo/core/words"
)

// Wrong finds the memory that a correction such as "my bike lock code is 428" takes the place of: what holds of the same
// thing, or a memory that gives a value of it. False where there is none.
func (m *Memory) Wrong(ctx context.Context, text string) (Item, bool, error) {
	if s := subjectOf(text); s != "" {
		held, err := m.c.Rows.Holds(ctx, s)
		if err != nil {
			return Item{}, false, err
		}
		if len(held) > 0 {
			return m.local(held[0]), true, nil
		}
	}
	asked := subjectWords(text)
	if len(asked) == 0 {
		return Item{}, false, nil
	}
	found, err := m.Search(ctx, text, 20)
	for _, f := range found {
		if f.Kind == Episode || f.Kind == Note {
			continue
		}
		held := subjectWords(f.Text)
		if len(held) == 0 {
			held = words.Content(f.Text)
		}
		if all(asked, held) {
			return f.Item, true, err
		}
	}
	return Item{}, false, err
}

// all tells whether every one of some words is among others.
func all(some, others []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(others, w) })
}
