package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/rank"
)

// Hit is a passage that answers a question.
type Hit struct {
	Document string   // its name
	Same     []string // other names of the same content
	Path     string
	Kind     string // "pdf", ...
	Title    string
	Page     int // from 1; of a kind that has no pages it is 1
	Pages    int
	Heading  string // the headings above it, the highest first, parted by " > "
	Begins   int    // characters of its page
	Ends     int
	Text     string
	Score    float64 // comparable within one answer; more is better
	Cover    float64 // 0 to 1: how much of the question's weight it holds
	Chunk    int64
	Near     bool // it was found by its meaning
}

const askedMost = 8192 // bytes of a question that are read

// ErrNothing says that a question holds no word to look for.
var ErrNothing = errors.New("there is no word to look for")

// Search gives at most k passages that answer a question, the best first. Errors: ErrNothing, or the rows' own.
func (l *Library) Search(ctx context.Context, question string, k int) ([]Hit, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	question = strings.ToValidUTF8(question[:min(len(question), askedMost)], "")
	q := rank.Parse(question)
	if q.Empty() {
		return nil, ErrNothing
	}
	x := &index{rows: l.c.Rows, chunks: map[int64]Chunk{}, near: map[int64]bool{}}
	n := max(3*k, 50)
	found, err := rank.Search(ctx, x, q, n, time.Time{})
	if err != nil {
		return nil, fmt.Errorf("searching documents: %w", err)
	}
	if found, err = l.meant(ctx, question, x, found, n); err != nil {
		return nil, err
	}
	return l.hits(found, x, k), nil
}

// index is the passages as ranking asks for them.
type index struct {
	rows   Rows
	chunks map[int64]Chunk // that were read
	near   map[int64]bool  // that are near in meaning
}

func (x *index) Span(ctx context.Context) (rank.Span, error) {
	n, low, high, err := x.rows.Span(ctx)
	return rank.Span{Count: n, Low: low, High: high}, err
}

func (x *index) Holding(ctx context.Context, groups [][]string, limit int) ([]int64, error) {
	return x.rows.Holding(ctx, groups, limit)
}

func (x *index) Best(ctx context.Context, groups [][]string, limit int) ([]int64, error) {
	return x.rows.Best(ctx, groups, limit)
}

func (x *index) Frequency(ctx context.Context, words []string, most int) (int, int64, error) {
	return x.rows.Frequency(ctx, words, most)
}

func (x *index) Read(ctx context.Context, ids []int64) ([]rank.Text, error) {
	chunks, err := x.rows.Chunks(ctx, ids...)
	var out []rank.Text
	for _, c := range chunks {
		x.chunks[c.ID] = c
		out = append(out, rank.Text{ID: c.ID, Body: c.Text, Head: c.Title + " " + c.Heading})
	}
	return out, err
}

// hits names the documents of passages. Of passages that overlap, the best is taken.
func (l *Library) hits(found []rank.Hit, x *index, k int) []Hit {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Hit
	for _, f := range found {
		c := x.chunks[f.ID]
		names := l.sorted(c.TextID)
		if len(names) == 0 || slices.ContainsFunc(out, func(h Hit) bool { return h.Path == names[0] && h.overlaps(c) }) {
			continue
		}
		h := Hit{Document: l.nameOf(names[0]), Path: names[0], Title: c.Title, Page: c.Page, Heading: c.Heading, Begins: c.Begins, Ends: c.Ends,
			Text: c.Text, Score: f.Score, Cover: f.Cover, Chunk: c.ID, Near: x.near[c.ID]}
		if t := l.texts[c.TextID]; t != nil {
			h.Kind, h.Pages = t.Kind, t.Pages
		}
		for _, p := range names[1:] {
			h.Same = append(h.Same, l.nameOf(p))
		}
		if out = append(out, h); len(out) >= k {
			break
		}
	}
	return out
}

// sorted is the paths of a text. l.mu must be held.
func (l *Library) sorted(text int64) []string {
	var out []string
	for p := range l.names[text] {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// overlaps tells whether a passage has its words with a hit of the same document in common.
func (h Hit) overlaps(c Chunk) bool {
	return h.Page == c.Page && c.Begins < h.Ends && h.Begins < c.Ends && min(h.Ends, c.Ends)-max(h.Begins, c.Begins) > min(h.Ends-h.Begins, c.Ends-c.Begins)/2
}
