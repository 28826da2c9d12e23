package project

import (
	"context"
	"fmt"
	"time"
)

// Add stores a new project and returns it as stored.
// Errors: ErrName, ErrTooLong, ErrTaken, ErrStatus, ErrPriority, ErrProgress, ErrUnknown for its parent, ErrDeep, ErrMany,
// or the rows' own.
func (b *Book) Add(ctx context.Context, p Project) (Project, error) {
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.all(ctx)
	if err != nil {
		return Project{}, err
	}
	now := b.c.Now()
	p.ID, p.Created, p.Changed, p.Reviewed = 0, now, now, time.Time{}
	if p, err = fits(p, all); err != nil {
		return Project{}, err
	}
	return b.put(ctx, p)
}

// fits tidies a project and tells why it cannot stand where it is to stand among all.
func fits(p Project, all []Project) (Project, error) {
	p, err := tidy(p)
	if err != nil {
		return p, err
	}
	if p.ID == 0 && len(all) >= Most {
		return p, ErrMany
	}
	if err := stands(p, all); err != nil {
		return p, err
	}
	for _, o := range all {
		if o.ID != p.ID && o.Parent == p.Parent && like(o.Name, p.Name) {
			return p, fmt.Errorf("%w: %s", ErrTaken, o.Name)
		}
	}
	return p, nil
}

// stands looks up from a project: its parents must be there, without an end that leads back to it, and not too deep with
// all that hangs below it.
func stands(p Project, all []Project) error {
	byID := map[int64]Project{}
	for _, o := range all {
		byID[o.ID] = o
	}
	depth := 1
	for up := p.Parent; up != 0; depth++ {
		o, ok := byID[up]
		switch {
		case up == p.ID:
			return ErrCycle
		case !ok && depth == 1:
			return fmt.Errorf("its parent: %w", ErrUnknown)
		case !ok: // a parent further up was taken away
			up = 0
		case depth > len(all):
			return ErrCycle
		default:
			up = o.Parent
		}
	}
	if p.ID != 0 {
		depth += height(p.ID, all, 0) - 1
	}
	if depth > Deepest {
		return ErrDeep
	}
	return nil
}

// height is how many levels a project and what is below it take.
func height(id int64, all []Project, from int) int {
	if from > Deepest {
		return from
	}
	tallest := 1
	for _, o := range all {
		if o.Parent == id {
			tallest = max(tallest, 1+height(o.ID, all, from+1))
		}
	}
	return tallest
}

func (b *Book) put(ctx context.Context, p Project) (Project, error) {
	out, err := b.c.Rows.Put(ctx, p)
	if err != nil {
		return Project{}, fmt.Errorf("storing the project %s: %w", p.Name, err)
	}
	return b.local(out[0]), nil
}

// Get gives one project, or ErrUnknown.
func (b *Book) Get(ctx context.Context, id int64) (Project, error) {
	all, err := b.all(ctx)
	if err != nil {
		return Project{}, err
	}
	p, _, err := pick(all, id)
	return p, err
}

func pick(all []Project, id int64) (Project, int, error) {
	for i, p := range all {
		if p.ID == id {
			return p, i, nil
		}
	}
	return Project{}, -1, fmt.Errorf("project %d: %w", id, ErrUnknown)
}

// Edit changes a project, moves it where its Parent is another, and returns it as it was and as it is stored.
// Errors are those of Add, and ErrCycle.
func (b *Book) Edit(ctx context.Context, id int64, do func(*Project)) (was, is Project, err error) {
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.all(ctx)
	if err != nil {
		return Project{}, Project{}, err
	}
	was, _, err = pick(all, id)
	if err != nil {
		return Project{}, Project{}, err
	}
	is = was
	do(&is)
	is.ID, is.Created, is.Changed = was.ID, was.Created, b.c.Now()
	if is, err = fits(is, all); err != nil {
		return Project{}, Project{}, err
	}
	is, err = b.put(ctx, is)
	return was, is, err
}

// Review writes down that the user has looked at a project.
func (b *Book) Review(ctx context.Context, id int64) (was, is Project, err error) {
	now := b.c.Now()
	return b.Edit(ctx, id, func(p *Project) { p.Reviewed = now })
}

// Remove takes a project away with all below it, and returns them, ready for Restore, the project itself first.
func (b *Book) Remove(ctx context.Context, id int64) ([]Project, error) {
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.all(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := pick(all, id); err != nil {
		return nil, err
	}
	gone := below(id, all)
	var ids []int64
	for _, p := range gone {
		ids = append(ids, p.ID)
	}
	if err := b.c.Rows.Remove(ctx, ids...); err != nil {
		return nil, fmt.Errorf("removing project %d: %w", id, err)
	}
	return gone, nil
}

// below is a project and all that hangs below it, each once.
func below(id int64, all []Project) []Project {
	var out []Project
	seen := map[int64]bool{id: true}
	for _, p := range all {
		if p.ID == id {
			out = append(out, p)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, p := range all {
			if p.Parent == out[i].ID && !seen[p.ID] {
				seen[p.ID] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// Restore puts projects back as Remove, or Edit before its change, returned them. One whose name is taken meanwhile is
// put back all the same: the user may rename it.
func (b *Book) Restore(ctx context.Context, list ...Project) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.all(ctx)
	if err != nil {
		return err
	}
	for i, p := range list {
		if p.ID <= 0 {
			return ErrUnknown
		}
		if list[i], err = tidy(p); err != nil {
			return err
		}
	}
	after := append([]Project{}, list...)
	for _, p := range all {
		if _, _, err := pick(list, p.ID); err != nil {
			after = append(after, p)
		}
	}
	for _, p := range list {
		if _, _, err := pick(after, p.Parent); p.Parent != 0 && err == nil {
			if err := stands(p, after); err != nil {
				return err
			}
		}
	}
	if _, err := b.c.Rows.Put(ctx, list...); err != nil {
		return fmt.Errorf("restoring projects: %w", err)
	}
	return nil
}
