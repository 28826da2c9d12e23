package rank

import (
	"cmp"
	"context"
	"slices"
)

const (
	candidates = 250   // texts that are scored
	common     = 3000  // a word that more texts hold is only looked for together with another
	postings   = 12000 // texts that are looked at for one question, all words together
)

// gathering finds the texts that may answer one question.
type gathering struct {
	x     Index
	q     Query
	span  Span
	terms []weighed
	found map[int64]float64 // what each text holds of the question's weight, roughly
}

// weighed is a word of the question as the index knows it.
type weighed struct {
	term
	ids    []int64 // that hold it; the highest only, where there are too many
	df     float64
	rarity float64
	slips  []string // the index's words that it may be a misspelling of
}

func (w weighed) weight() float64 { return w.term.weight * w.rarity }

// gather fills found: first the rare words, each alone; then, where that gives little, the common ones together.
func (g *gathering) gather(ctx context.Context) error {
	for _, t := range g.q.terms {
		w := weighed{term: t}
		if err := g.look(ctx, &w); err != nil {
			return err
		}
		g.terms = append(g.terms, w)
	}
	order := make([]*weighed, len(g.terms))
	for i := range g.terms {
		order[i] = &g.terms[i]
	}
	slices.SortStableFunc(order, func(a, b *weighed) int { return cmp.Compare(a.df, b.df) })
	if f, ok := g.x.(Finder); ok {
		if err := g.ask(ctx, f, order); err != nil {
			return err
		}
		return g.related(ctx)
	}
	if err := g.together(ctx, order); err != nil {
		return err
	}
	room := postings
	for _, w := range order {
		if w.df == 0 || len(w.ids) > room {
			continue
		}
		room -= len(w.ids)
		for _, id := range w.ids {
			g.found[id] += w.weight()
		}
	}
	return g.related(ctx)
}

// ask has the index tell the texts that fit best, by the words that are rare enough to be looked at in all texts that hold
// them. Where none is, texts are asked for that hold several of the common ones.
func (g *gathering) ask(ctx context.Context, f Finder, order []*weighed) error {
	order = slices.DeleteFunc(slices.Clone(order), func(w *weighed) bool { return w.df == 0 })
	var rare []string
	room := float64(postings)
	for _, w := range order {
		if room -= w.df; room < 0 {
			break
		}
		rare = append(append(rare, w.forms...), w.slips...)
	}
	var ids []int64
	var err error
	switch {
	case len(rare) > 0:
		ids, err = f.Best(ctx, [][]string{rare}, candidates)
	case len(order) > 1:
		for n := min(len(order), 4); n >= 2 && len(ids) < candidates/4 && err == nil; n-- {
			var groups [][]string
			for _, w := range order[:n] {
				groups = append(groups, append(slices.Clone(w.forms), w.slips...))
			}
			ids, err = f.Best(ctx, groups, candidates)
		}
	case len(order) == 1:
		ids, err = g.x.Holding(ctx, [][]string{append(slices.Clone(order[0].forms), order[0].slips...)}, candidates)
	}
	for i, id := range ids {
		g.found[id] = 1e6 - float64(i) // before those that are only related
	}
	return err
}

// holding asks the index who holds any of some words. Of a Finder the number is enough.
func (g *gathering) holding(ctx context.Context, words []string) (ids []int64, df float64, err error) {
	f, ok := g.x.(Finder)
	if !ok {
		ids, err = g.x.Holding(ctx, [][]string{words}, common)
		return ids, g.span.estimate(ids), err
	}
	n, last, err := f.Frequency(ctx, words, common)
	return nil, g.span.guess(n, last), err
}

// look asks the index who holds a word, or one that it may be a misspelling of.
func (g *gathering) look(ctx context.Context, w *weighed) error {
	ids, df, err := g.holding(ctx, w.forms)
	if err != nil {
		return err
	}
	if s, ok := g.x.(Speller); ok && df == 0 && !g.q.bare {
		words, err := s.Words(ctx)
		if err != nil {
			return err
		}
		if w.slips = words.Near(w.word); len(w.slips) > 0 {
			if ids, df, err = g.holding(ctx, w.slips); err != nil {
				return err
			}
			w.term.weight *= slipped
		}
	}
	w.ids, w.df = ids, df
	w.rarity = g.span.rarity(max(w.df, 1))
	return nil
}

// estimate is how many texts hold a word, of which the highest IDs are known.
func (s Span) estimate(ids []int64) float64 {
	if len(ids) == 0 {
		return 0
	}
	return s.guess(len(ids), ids[len(ids)-1])
}

// guess is how many texts hold a word that count of those down to the ID last hold.
func (s Span) guess(count int, last int64) float64 {
	n := float64(count)
	if count < common {
		return n
	}
	seen := float64(s.High-last+1) / float64(s.High-s.Low+1)
	return min(max(n/max(seen, 1e-9), n), float64(s.Count))
}

// together looks for texts that hold several of the words, where common ones are among them: of those the index gave only
// the newest texts.
func (g *gathering) together(ctx context.Context, order []*weighed) error {
	var known []*weighed
	many := 0
	for _, w := range order {
		if w.df > 0 {
			known = append(known, w)
			if len(w.ids) >= common {
				many++
			}
		}
	}
	if many == 0 || len(known) < 2 {
		return nil
	}
	for n, asked := min(len(known), 5), 0; n >= 2 && asked < 3; n, asked = n-1, asked+1 {
		var groups [][]string
		for _, w := range known[:n] {
			groups = append(groups, append(slices.Clone(w.forms), w.slips...))
		}
		if len(known[n-1].ids) < common {
			break // the rest are rare, and are looked at one by one
		}
		ids, err := g.x.Holding(ctx, groups, common)
		if err != nil {
			return err
		}
		for _, id := range ids {
			total := 0.0
			for _, w := range known[:n] {
				total += w.weight()
			}
			g.found[id] = max(g.found[id], total*1.01)
		}
		if len(ids) >= candidates {
			break
		}
	}
	return nil
}

// related adds texts that hold a word akin to one of the question's.
func (g *gathering) related(ctx context.Context) error {
	for i, w := range g.terms {
		if len(w.akin) == 0 || w.df > common/3 {
			continue
		}
		ids, err := g.x.Holding(ctx, [][]string{w.akin}, common/3)
		if err != nil {
			return err
		}
		if w.df == 0 && len(ids) > 0 {
			g.terms[i].rarity = g.span.rarity(float64(len(ids)))
		}
		for _, id := range ids {
			g.found[id] += g.terms[i].weight() * akinly
		}
	}
	return nil
}

// best gives the n likeliest IDs.
func (g *gathering) best(n int) []int64 {
	ids := make([]int64, 0, len(g.found))
	for id := range g.found {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int {
		if c := cmp.Compare(g.found[b], g.found[a]); c != 0 {
			return c
		}
		return cmp.Compare(b, a)
	})
	return ids[:min(n, len(ids))]
}
