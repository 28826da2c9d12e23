package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// meaning keeps the vectors of the memories in memory, loaded from the rows behind everything else, and has vectors made
// of what has none.
type meaning struct {
	c    Config
	work chan struct{} // something new is there

	mu      sync.Mutex
	model   string
	index   Vectors // nil until a model is found
	room    int     // vectors that index was made for
	loading bool
	trouble string // why there are none, "" where that is not known
}

func newMeaning(c Config) *meaning {
	m := &meaning{c: c, work: make(chan struct{}, 1), trouble: "no embedding model is set up"}
	if c.Embedder != nil {
		m.trouble = ""
	}
	return m
}

const (
	batch   = 32               // texts that are embedded at once
	page    = 1000             // vectors that are read at once
	lookFor = 10 * time.Minute // how long a missing model is not asked for again
	grown   = 4                // times more vectors than an index was made for, that another is made
	maxText = 6000             // bytes of one text that are embedded
	ready   = 400 * time.Millisecond
)

// Serve loads the vectors and makes those that are missing, until ctx ends. Without an embedder it only waits.
func (m *Memory) Serve(ctx context.Context) error {
	if m.c.Embedder == nil || m.c.Near == nil {
		<-ctx.Done()
		return nil
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-m.meaning.work:
		}
		wait := lookFor
		if err := m.meaning.fill(ctx); err != nil && ctx.Err() == nil {
			m.c.Log.Warn().Err(err).Msg("memories are found by their words alone for now")
		} else if err == nil {
			wait = time.Hour
		}
		timer.Reset(wait)
	}
}

func (m *meaning) wake() {
	select {
	case m.work <- struct{}{}:
	default:
	}
}

// fill loads what is kept and makes what is missing.
func (m *meaning) fill(ctx context.Context) error {
	model := m.c.Embedder.Model(ctx)
	m.mu.Lock()
	same := model == m.model && m.index != nil
	if model == "" {
		m.trouble = "no embedding model answers"
	}
	m.mu.Unlock()
	if model == "" {
		return nil
	}
	if !same {
		if err := m.load(ctx, model); err != nil {
			return err
		}
	}
	return m.embed(ctx, model)
}

// load reads the vectors of a model into a new index.
func (m *meaning) load(ctx context.Context, model string) error {
	span, err := m.c.Rows.Span(ctx)
	if err != nil {
		return err
	}
	index := m.c.Near(int(span.Count))
	m.set(model, index, int(span.Count), true)
	defer func() { m.mu.Lock(); m.loading = false; m.mu.Unlock() }()
	for after := int64(0); ; {
		ids, vectors, err := m.c.Rows.Vectors(ctx, model, after, page)
		if err != nil {
			return fmt.Errorf("loading vectors: %w", err)
		}
		if len(ids) == 0 {
			return nil
		}
		if err := index.Add(ctx, ids, vectors); err != nil {
			return fmt.Errorf("loading vectors: %w", err)
		}
		after = ids[len(ids)-1]
	}
}

func (m *meaning) set(model string, index Vectors, room int, loading bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.model, m.index, m.room, m.loading, m.trouble = model, index, room, loading, ""
}

// embed makes the vectors that are missing.
func (m *meaning) embed(ctx context.Context, model string) error {
	for after := int64(0); ; {
		items, err := m.c.Rows.Unread(ctx, model, after, batch)
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		texts, ids := make([]string, len(items)), make([]int64, len(items))
		for i, it := range items {
			texts[i], ids[i] = it.Text[:min(len(it.Text), maxText)], it.ID
		}
		vectors, err := m.c.Embedder.Embed(ctx, texts)
		if err != nil {
			m.fail(err)
			return fmt.Errorf("making vectors: %w", err)
		}
		if len(vectors) != len(ids) {
			return errors.New("making vectors: the model gave too few")
		}
		if err := m.c.Rows.PutVectors(ctx, model, ids, vectors); err != nil {
			return err
		}
		if err := m.add(ctx, ids, vectors); err != nil {
			return err
		}
	}
}

func (m *meaning) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble = "the embedding model does not answer: " + err.Error()
}

// add puts vectors into the index, or into a new one where that has grown too small.
func (m *meaning) add(ctx context.Context, ids []int64, vectors [][]float32) error {
	m.mu.Lock()
	index, model, room := m.index, m.model, m.room
	m.mu.Unlock()
	if index.Len() > grown*max(room, 5000) {
		return m.load(ctx, model)
	}
	return index.Add(ctx, ids, vectors)
}

func (m *meaning) forget(ctx context.Context, ids []int64) {
	m.mu.Lock()
	index := m.index
	m.mu.Unlock()
	if index == nil {
		return
	}
	if err := index.Remove(ctx, ids...); err != nil {
		m.c.Log.Warn().Err(err).Msg("vectors of what was forgotten stay until the next start")
	}
}

// nearest gives the n memories nearest to a question in meaning, none where there are no vectors. A model that takes long
// is not waited for.
func (m *meaning) nearest(ctx context.Context, question string, n int) []int64 {
	m.mu.Lock()
	index := m.index
	m.mu.Unlock()
	if index == nil || index.Len() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, ready)
	defer cancel()
	vectors, err := m.c.Embedder.Embed(ctx, []string{question[:min(len(question), maxText)]})
	if err != nil || len(vectors) != 1 {
		m.c.Log.Debug().Err(err).Msg("the question has no vector")
		return nil
	}
	ids, err := index.Nearest(ctx, vectors[0], n)
	if err != nil {
		m.c.Log.Debug().Err(err).Msg("the vectors were not searched")
		return nil
	}
	return slices.Clone(ids)
}

// Meaning says in a few words how memories are found: by their words alone and why, or by which vectors too.
func (m *Memory) Meaning() string {
	s := m.meaning
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.index == nil && s.trouble != "":
		return "by words alone: " + s.trouble
	case s.index == nil:
		return "by words alone until the embedding model is found"
	case s.loading:
		return fmt.Sprintf("by words, and by meaning with %d vectors of %s so far", s.index.Len(), s.model)
	}
	return fmt.Sprintf("by words, and by meaning with %d vectors of %s", s.index.Len(), s.model)
}
