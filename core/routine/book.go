package routine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/words"
)

// Add stores a new routine and returns it as stored.
// Errors: ErrName, ErrTaken, ErrCommand, ErrEmpty, ErrLong, ErrMany, ErrNested, what Box.Check says, or the rows' own.
func (b *Book) Add(ctx context.Context, r Routine) (Routine, error) {
	r, err := b.tidy(r)
	if err != nil {
		return Routine{}, err
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.List(ctx)
	if err != nil {
		return Routine{}, err
	}
	if len(all) >= Most {
		return Routine{}, ErrMany
	}
	for _, o := range all {
		if fold(o.Name) == fold(r.Name) {
			return Routine{}, fmt.Errorf("%w: %s", ErrTaken, o.Name)
		}
	}
	r.ID, r.Created = 0, b.c.Now()
	return b.put(ctx, r)
}

func (b *Book) put(ctx context.Context, r Routine) (Routine, error) {
	r, err := b.c.Rows.Put(ctx, r)
	b.forget()
	if err != nil {
		return Routine{}, fmt.Errorf("storing the routine %s: %w", r.Name, err)
	}
	return r, nil
}

// forget has the names read anew.
func (b *Book) forget() {
	b.mu.Lock()
	b.names = nil
	b.mu.Unlock()
}

// List gives all routines, the oldest first.
func (b *Book) List(ctx context.Context) ([]Routine, error) {
	all, err := b.c.Rows.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing routines: %w", err)
	}
	return all, nil
}

// Find gives the routines that the words may mean, the best first: one of exactly that name, else those that are near.
func (b *Book) Find(ctx context.Context, text string) ([]Routine, error) {
	all, err := b.List(ctx)
	if err != nil || len(text) > 4*MaxName {
		return nil, err // nothing has so long a name
	}
	names := make([]string, len(all))
	for i, r := range all {
		if names[i] = r.Name; fold(r.Name) == fold(text) && fold(text) != "" {
			return []Routine{r}, nil
		}
	}
	var out []Routine
	for _, m := range words.Rank(text, names, 0.6) {
		out = append(out, all[m.Index])
	}
	return out, nil
}

// around are words that may stand before and after a name.
var (
	before = []string{"hey solo ", "solo ", "okay ", "please ", "it's ", "its ", "it is "}
	after  = []string{" please", " now", " solo", " thanks"}
)

// Called tells whether what was said is the name of a routine, and which.
func (b *Book) Called(ctx context.Context, text string) (string, bool) {
	if len(text) > 2*MaxName {
		return "", false
	}
	names := b.read(ctx)
	if len(names) == 0 {
		return "", false
	}
	said := fold(text)
	if name, ok := names[said]; ok {
		return name, true
	}
	bare := strings.ToLower(strings.Trim(oneLine(text, 2*MaxName), " .,!?"))
	for _, w := range before {
		bare = strings.TrimPrefix(bare, w)
	}
	for _, w := range after {
		bare = strings.TrimSuffix(bare, w)
	}
	name, ok := names[fold(bare)]
	return name, ok
}

// read gives the names by their folded words.
func (b *Book) read(ctx context.Context) map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.names != nil {
		return b.names
	}
	all, err := b.c.Rows.List(ctx)
	if err != nil {
		return nil // read again at the next word
	}
	b.names = map[string]string{}
	for _, r := range all {
		b.names[fold(r.Name)] = r.Name
	}
	return b.names
}

// Get gives one routine, or ErrUnknown.
func (b *Book) Get(ctx context.Context, id int64) (Routine, error) {
	all, err := b.List(ctx)
	if err != nil {
		return Routine{}, err
	}
	i := slices.IndexFunc(all, func(r Routine) bool { return r.ID == id })
	if i < 0 {
		return Routine{}, fmt.Errorf("routine %d: %w", id, ErrUnknown)
	}
	return all[i], nil
}

// Remove takes a routine away and returns it, ready for Restore.
func (b *Book) Remove(ctx context.Context, id int64) (Routine, error) {
	b.changing.Lock()
	defer b.changing.Unlock()
	r, err := b.Get(ctx, id)
	if err != nil {
		return Routine{}, err
	}
	err = b.c.Rows.Remove(ctx, id)
	b.forget()
	if err != nil {
		return Routine{}, fmt.Errorf("removing the routine %s: %w", r.Name, err)
	}
	return r, nil
}

// Restore puts a routine back as Remove returned it, under its old ID.
func (b *Book) Restore(ctx context.Context, r Routine) error {
	if r.ID <= 0 {
		return ErrUnknown
	}
	r, err := b.tidy(r)
	if err != nil {
		return err
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	_, err = b.put(ctx, r)
	return err
}
