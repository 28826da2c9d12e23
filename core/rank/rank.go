// Package rank finds the texts that answer a question: by their words, and by their meaning where vectors are there.
//
// An Index, a full-text index of some kind, gives the texts that hold the question's words; what it gives is scored here,
// so that every kind of index and every kind of text is ranked alike: by BM25 over the text, its heading and what stands
// around it, the distance of the words, and small priors. Words that the index does not know are looked up among its own
// words, so that a misspelt question finds what it means. Lists of several rankings are joined by Fuse.
package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Text is one text as ranking reads it.
type Text struct {
	ID    int64
	Body  string
	Head  string    // its heading, "" for none
	Near  string    // what stands right before and after it, "" for nothing
	At    time.Time // when it was said; the zero time has no recency
	Prior float64   // added to a factor of 1: 0.05 makes a text a little likelier
}

// Span is how many texts there are, and between which IDs.
type Span struct{ Count, Low, High int64 }

// Index knows which texts hold which words. It stems both sides.
type Index interface {
	Span(ctx context.Context) (Span, error)
	// Holding gives the texts that hold a word of each group, in their body, heading or nearness, the highest ID first,
	// at most limit. Words are runs of letters and digits.
	Holding(ctx context.Context, groups [][]string, limit int) ([]int64, error)
	// Read gives texts by their IDs, in any order; those that are gone meanwhile are left out.
	Read(ctx context.Context, ids []int64) ([]Text, error)
}

// Speller is an Index that knows its own words, as stems.
type Speller interface {
	Words(ctx context.Context) (*Vocabulary, error)
}

// Finder is an Index that can tell by itself which texts fit best. It is asked in the place of gathering texts word by
// word, which in an index of many long texts would leave too much out.
type Finder interface {
	// Best gives at most limit texts that hold a word of each group, the best first.
	Best(ctx context.Context, groups [][]string, limit int) ([]int64, error)
	// Frequency tells how many texts hold any of some words, counted to at most most from the highest ID down, and the last
	// ID that was counted.
	Frequency(ctx context.Context, words []string, most int) (n int, last int64, err error)
}

// Hit is a text that was found.
type Hit struct {
	Text
	Score float64 // comparable within one answer; more is better
	Cover float64 // 0 to 1: how much of the question's weight the text itself holds
}

// Search gives the n texts that answer a question best, the best first. A question without a word that the index knows
// finds nothing. Errors are the index's own.
func Search(ctx context.Context, x Index, q Query, n int, now time.Time) ([]Hit, error) {
	if q.Empty() || n <= 0 {
		return nil, nil
	}
	span, err := x.Span(ctx)
	if err != nil || span.Count == 0 {
		return nil, err
	}
	g := gathering{x: x, q: q, span: span, found: map[int64]float64{}}
	if err := g.gather(ctx); err != nil {
		return nil, fmt.Errorf("searching by words: %w", err)
	}
	ids := g.best(max(candidates, n+n/2))
	if len(ids) == 0 {
		return nil, nil
	}
	texts, err := x.Read(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading what was found: %w", err)
	}
	hits := g.score(texts, now)
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return hits[:min(n, len(hits))], nil
}

// rarity is the weight of a word that df of all texts hold.
func (s Span) rarity(df float64) float64 {
	all := float64(s.Count)
	df = min(df, all)
	return math.Log(1 + (all-df+0.5)/(df+0.5))
}

// Fuse joins rankings of IDs, each the best first, into one by reciprocal ranks: weight / (60 + rank). weights has one for
// each list; a list without one counts 1. It gives the IDs with their scores, the best first.
//
// G. V. Cormack and others, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods (2009).
func Fuse(weights []float64, lists ...[]int64) (ids []int64, score map[int64]float64) {
	score = map[int64]float64{}
	for l, list := range lists {
		w := 1.0
		if l < len(weights) {
			w = weights[l]
		}
		for r, id := range list {
			if _, known := score[id]; !known {
				ids = append(ids, id)
			}
			score[id] += w / float64(60+r+1)
		}
	}
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(score[b], score[a]) })
	return ids, score
}
