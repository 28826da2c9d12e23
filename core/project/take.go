package project

import (
	"context"
	"errors"
	"fmt"
)

// Taken is what came of a text.
type Taken struct {
	Added   []Project // new ones
	Before  []Project // those that were changed, as they were
	Changed []Project // the same, as they are
	Same    int       // that were so already
}

// Take puts the tree of a text into the Book: a project that is there by name and place gets the text's state and
// progress, one that is not is made, and nothing is removed. A progress counts as set by hand where the lines below do not
// come to it. Nothing is stored where the text cannot be read or does not fit. Errors: those of Parse and of Add.
func (b *Book) Take(ctx context.Context, text string) (Taken, error) {
	lines, err := Parse(text)
	if err != nil {
		return Taken{}, err
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	all, err := b.all(ctx)
	if err != nil {
		return Taken{}, err
	}
	tasks, err := b.c.Tasks(ctx)
	if err != nil {
		return Taken{}, fmt.Errorf("counting the tasks of projects: %w", err)
	}
	percent := map[int64]int{}
	for _, n := range Flat(grow(all, tasks)) {
		percent[n.ID] = n.Percent
	}
	if len(all)+len(lines) > Most {
		return Taken{}, ErrMany
	}
	var t Taken
	reckoned := reckons(lines)
	parents := []int64{0} // of each depth
	for i, s := range lines {
		p, known := child(all, parents[s.Depth], s.Name)
		was := p
		p.Name, p.Parent, p.Status = s.Name, parents[s.Depth], s.Status
		switch {
		case s.Percent < 0 || known && percent[p.ID] == s.Percent:
		case reckoned[i] && (!known || s.Status == Done || i+1 < len(lines) && lines[i+1].Depth > s.Depth):
			p.Progress = nil
		default:
			p.Progress = new(s.Percent)
		}
		if known && same(p, was) {
			t.Same++
		} else {
			if p, err = b.take(ctx, p, all); err != nil {
				return Taken{}, errors.Join(fmt.Errorf("line %d: %w", s.Line, err), b.takeBack(ctx, t))
			}
			if known {
				t.Before, t.Changed = append(t.Before, was), append(t.Changed, p)
			} else {
				t.Added, all = append(t.Added, p), append(all, p)
			}
		}
		parents = append(parents[:s.Depth+1], p.ID)
	}
	return t, nil
}

// take stores one project of a text.
func (b *Book) take(ctx context.Context, p Project, all []Project) (Project, error) {
	p.Changed = b.c.Now()
	if p.ID == 0 {
		p.Created = p.Changed
	}
	p, err := fits(p, all)
	if err != nil {
		return p, err
	}
	return b.put(ctx, p)
}

// takeBack undoes what was taken so far.
func (b *Book) takeBack(ctx context.Context, t Taken) error {
	var errs []error
	if len(t.Before) > 0 {
		_, err := b.c.Rows.Put(ctx, t.Before...)
		errs = append(errs, err)
	}
	var ids []int64
	for _, p := range t.Added {
		ids = append(ids, p.ID)
	}
	if len(ids) > 0 {
		errs = append(errs, b.c.Rows.Remove(ctx, ids...))
	}
	return errors.Join(errs...)
}

// GiveBack undoes a Take: what it added is removed, what it changed is as it was.
func (b *Book) GiveBack(ctx context.Context, t Taken) error {
	b.changing.Lock()
	defer b.changing.Unlock()
	return b.takeBack(ctx, t)
}

func same(a, b Project) bool {
	return a.Name == b.Name && a.Status == b.Status && a.Parent == b.Parent && (a.Progress == nil) == (b.Progress == nil) &&
		(a.Progress == nil || *a.Progress == *b.Progress)
}

func child(all []Project, parent int64, name string) (Project, bool) {
	for _, p := range all {
		if p.Parent == parent && like(p.Name, name) {
			return p, true
		}
	}
	return Project{}, false
}

// reckons tells of each line whether its percent is what its state and the lines below it come to.
func reckons(lines []Sketch) []bool {
	out := make([]bool, len(lines))
	sums, counts := make([]int, len(lines)), make([]int, len(lines))
	var open []int // lines that the present one is below
	settle := func(i int) int {
		come := 0
		switch {
		case lines[i].Status == Done:
			come = 100
		case counts[i] > 0:
			come = (2*sums[i] + counts[i]) / (2 * counts[i])
		}
		out[i] = lines[i].Percent < 0 || lines[i].Percent == come
		if !out[i] {
			return lines[i].Percent
		}
		return come
	}
	end := func(to int) {
		for len(open) > to {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			come := settle(i)
			if len(open) > 0 && lines[i].Status != Dropped {
				up := open[len(open)-1]
				sums[up], counts[up] = sums[up]+come, counts[up]+1
			}
		}
	}
	for i, s := range lines {
		end(s.Depth)
		open = append(open, i)
	}
	end(0)
	return out
}
