package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/memory"
)

func cliFailure(code, hint string, err error) error {
	return &cli.Failure{Code: code, Hint: hint, Err: err}
}

// seeker searches documents and memories for the web door.
type seeker struct{ s *assistant }

// Search gives at most k finds of a kind, "" or "all" for all kinds, the best first.
func (r seeker) Search(ctx context.Context, question string, k int, kind string) ([]web.Found, error) {
	var out []web.Found
	if kind != "memory" {
		hits, err := r.s.bookcase.Search(ctx, question, k)
		if err != nil && !errors.Is(err, library.ErrNothing) {
			return nil, err
		}
		for _, h := range hits {
			out = append(out, web.Found{Kind: "document", Document: h.Document, Path: h.Path, Page: h.Page, Heading: h.Heading, Text: h.Text, Score: h.Score, ID: h.Chunk, Same: h.Same})
		}
	}
	documents := len(out)
	if kind != "document" {
		found, err := r.s.memory.Search(ctx, question, k)
		if err != nil && !errors.Is(err, memory.ErrTooLong) {
			return nil, err
		}
		for _, f := range found {
			if f.Score > 0 { // else nothing was found, and these are only the newest
				at := f.At
				out = append(out, web.Found{Kind: "memory", Text: f.Text, Score: f.Score, ID: f.ID, Source: f.Source, At: &at})
			}
		}
	}
	if documents > 0 && documents < len(out) {
		shuffle(out, documents)
	}
	return out[:min(k, len(out))], nil
}

// shuffle orders finds of two kinds, the first n of one and the rest of the other, by their ranks: scores of one kind say
// nothing about those of the other.
func shuffle(all []web.Found, n int) {
	for i := range all {
		rank := i
		if i >= n {
			rank -= n
		}
		all[i].Score = 1 / float64(60+rank)
	}
	slices.SortStableFunc(all, func(a, b web.Found) int { return cmp.Compare(b.Score, a.Score) })
}
