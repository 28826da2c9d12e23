package library

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/rank"
)

// slab is the vectors of the passages, side by side.
type slab struct {
	mu     sync.RWMutex
	model  string
	dims   int
	ids    []int64
	values []float32 // each of length 1
	old    bool      // passages were removed: what is gone is dropped at the next pass
}

func (s *slab) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.ids)
}

// of notes whose vectors are kept, and tells whether that is another model than before.
func (s *slab) of(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := s.model != "" && s.model != model
	s.model = model
	return other
}

func (s *slab) stale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.old = true
}

// add takes vectors in; those of another length than the first are left out.
func (s *slab) add(vectors map[int64][]float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, v := range vectors {
		if s.dims == 0 {
			s.dims = len(v)
		}
		if len(v) != s.dims || s.dims == 0 {
			continue
		}
		s.ids = append(s.ids, id)
		s.values = append(s.values, unit(v)...)
	}
}

// reset empties it.
func (s *slab) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dims, s.ids, s.values, s.old = 0, nil, nil, false
}

// nearest gives the n passages nearest to a vector, the nearest first.
func (s *slab) nearest(v []float32, n int) []int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(v) != s.dims || s.dims == 0 {
		return nil
	}
	type near struct {
		id  int64
		dot float32
	}
	v = unit(v)
	all := make([]near, len(s.ids))
	for i, id := range s.ids {
		row := s.values[i*s.dims : (i+1)*s.dims]
		var a, b, c, d float32
		j := 0
		for ; j+4 <= len(row); j += 4 {
			a += row[j] * v[j]
			b += row[j+1] * v[j+1]
			c += row[j+2] * v[j+2]
			d += row[j+3] * v[j+3]
		}
		for ; j < len(row); j++ {
			a += row[j] * v[j]
		}
		all[i] = near{id, a + b + c + d}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.dot, a.dot), cmp.Compare(a.id, b.id)) })
	var out []int64
	for _, x := range all[:min(n, len(all))] {
		out = append(out, x.id)
	}
	return out
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return out
	}
	by := float32(1 / math.Sqrt(sum))
	for i, x := range v {
		out[i] = x * by
	}
	return out
}

const (
	surely     = 3 // of the nearest passages, which answer though they hold no word of the question
	embedBatch = 32
	embedRetry = 30 * time.Second // after the model did not answer
	embedWait  = 3 * time.Second  // that a question waits for its vector; then words alone decide
)

// embedAll gives every passage a vector, and again when there are new ones, until ctx ends.
func (l *Library) embedAll(ctx context.Context) {
	for ctx.Err() == nil {
		wait, fresh := 10*embedRetry, l.fresh
		if err := l.embed(ctx); err != nil && ctx.Err() == nil {
			l.c.Log.Warn().Err(err).Msg("no vectors were made of documents; words alone are searched")
			wait, fresh = embedRetry, nil // what is new does not make the model answer
		}
		select {
		case <-ctx.Done():
		case <-fresh:
		case <-time.After(wait):
		}
	}
}

// embed loads the vectors that are there, and makes those that are missing.
func (l *Library) embed(ctx context.Context) error {
	model := l.c.Embedder.Model(ctx)
	if model == "" {
		return nil
	}
	if l.slab.of(model) {
		l.slab.reset()
	}
	l.slab.mu.RLock()
	empty := len(l.slab.ids) == 0 || l.slab.old
	l.slab.mu.RUnlock()
	if empty {
		l.slab.reset()
		for after := int64(0); ; {
			some, last, err := l.c.Rows.Vectors(ctx, model, after, 2000)
			if err != nil {
				return err
			}
			if len(some) == 0 {
				break
			}
			l.slab.add(some)
			after = last
		}
	}
	for after := int64(0); ; {
		bare, err := l.c.Rows.Bare(ctx, model, after, embedBatch)
		if err != nil || len(bare) == 0 {
			return err
		}
		after = bare[len(bare)-1].ID
		var texts []string
		for _, c := range bare {
			texts = append(texts, c.Title+"\n"+c.Heading+"\n"+c.Text)
		}
		vectors, err := l.c.Embedder.Embed(ctx, texts)
		if err != nil {
			return err
		}
		made := map[int64][]float32{}
		for i, v := range vectors[:min(len(vectors), len(bare))] {
			made[bare[i].ID] = v
		}
		if err := l.c.Rows.PutVectors(ctx, model, made); err != nil {
			return err
		}
		l.slab.add(made)
	}
}

// meant joins what was found by words with what is near in meaning, where vectors are there.
func (l *Library) meant(ctx context.Context, question string, x *index, found []rank.Hit, n int) ([]rank.Hit, error) {
	if l.c.Embedder == nil || l.slab.size() == 0 {
		return found, nil
	}
	short, cancel := context.WithTimeout(ctx, embedWait)
	defer cancel()
	v, err := l.c.Embedder.Embed(short, []string{question})
	if err != nil || len(v) != 1 {
		return found, ctx.Err() // the words alone
	}
	near := l.slab.nearest(v[0], n)
	byID := map[int64]rank.Hit{}
	var words, unread []int64
	for _, h := range found {
		byID[h.ID] = h
		words = append(words, h.ID)
	}
	for i, id := range near {
		x.near[id] = i < surely
		if _, ok := byID[id]; !ok {
			unread = append(unread, id)
		}
	}
	texts, err := x.Read(ctx, unread)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		byID[t.ID] = rank.Hit{Text: t}
	}
	ids, score := rank.Fuse(nil, words, near)
	var out []rank.Hit
	for _, id := range ids {
		if h, ok := byID[id]; ok { // else it is gone meanwhile
			h.Score = score[id]
			out = append(out, h)
		}
	}
	return out, nil
}
