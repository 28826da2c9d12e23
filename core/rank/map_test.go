package rank_test

import (
	"cmp"
	"context"
	"slices"

	"github.com/solo-assistant/solo/core/rank"
)

// shelf is an index in memory, for tests: it knows words by their stems alone.
type shelf struct {
	texts []rank.Text
	holds map[string][]int64 // by stem, rising
	words *rank.Vocabulary
}

func shelve(texts ...rank.Text) *shelf {
	s := &shelf{texts: texts, holds: map[string][]int64{}}
	slices.SortFunc(s.texts, func(a, b rank.Text) int { return cmp.Compare(a.ID, b.ID) })
	for _, t := range s.texts {
		for _, w := range rank.Tokens(t.Body + " " + t.Head + " " + t.Near) {
			stem := rank.Stem(w)
			if l := s.holds[stem]; len(l) == 0 || l[len(l)-1] != t.ID {
				s.holds[stem] = append(l, t.ID)
			}
		}
	}
	var stems []string
	for w := range s.holds {
		stems = append(stems, w)
	}
	s.words = rank.NewVocabulary(stems)
	return s
}

func (s *shelf) Span(context.Context) (rank.Span, error) {
	if len(s.texts) == 0 {
		return rank.Span{}, nil
	}
	return rank.Span{Count: int64(len(s.texts)), Low: s.texts[0].ID, High: s.texts[len(s.texts)-1].ID}, nil
}

func (s *shelf) Holding(_ context.Context, groups [][]string, limit int) ([]int64, error) {
	var out []int64
	for i, g := range groups {
		any := map[int64]bool{}
		for _, w := range g {
			for _, id := range s.holds[rank.Stem(w)] {
				any[id] = true
			}
		}
		if i == 0 {
			for id := range any {
				out = append(out, id)
			}
			continue
		}
		out = slices.DeleteFunc(out, func(id int64) bool { return !any[id] })
	}
	slices.SortFunc(out, func(a, b int64) int { return cmp.Compare(b, a) })
	return out[:min(limit, len(out))], nil
}

func (s *shelf) Read(_ context.Context, ids []int64) ([]rank.Text, error) {
	var out []rank.Text
	for _, id := range ids {
		i, ok := slices.BinarySearchFunc(s.texts, id, func(t rank.Text, id int64) int { return cmp.Compare(t.ID, id) })
		if ok {
			out = append(out, s.texts[i])
		}
	}
	return out, nil
}

func (s *shelf) Words(context.Context) (*rank.Vocabulary, error) { return s.words, nil }
