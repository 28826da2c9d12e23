package store

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Memory is memory.Rows.
type Memory struct{ own *rows.Own }

var _ memory.Rows = Memory{}

// Memory lends the rows to package memory.
func (s *Store) Memory() Memory { return Memory{s.own} }

// InsertFact stores a new fact.
func (r Memory) InsertFact(ctx context.Context, f memory.Fact) (memory.Fact, error) {
	f.ID = 0
	kept, err := r.own.PutFacts(ctx, rowOf(f))
	if err != nil {
		return memory.Fact{}, err
	}
	return factOf(kept[0]), nil
}

// PutFacts stores facts under their IDs, all or none.
func (r Memory) PutFacts(ctx context.Context, facts ...memory.Fact) error {
	var list []rows.Fact
	for _, f := range facts {
		if f.ID <= 0 {
			return memory.ErrUnknown
		}
		list = append(list, rowOf(f))
	}
	_, err := r.own.PutFacts(ctx, list...)
	return err
}

// Facts lists all facts, the newest first.
func (r Memory) Facts(ctx context.Context) ([]memory.Fact, error) {
	list, err := r.own.Facts(ctx)
	return factsOf(list), err
}

// RemoveFacts takes facts away and returns them, all or none.
func (r Memory) RemoveFacts(ctx context.Context, ids ...int64) ([]memory.Fact, error) {
	gone, err := r.own.RemoveFacts(ctx, ids...)
	return factsOf(gone), absent(err, memory.ErrUnknown)
}

// SetPreference stores a value, over the old one of its key.
func (r Memory) SetPreference(ctx context.Context, key, value, source string, at time.Time) error {
	return r.own.PutPreference(ctx, rows.Preference{Key: key, Value: value, Source: source, At: rows.Millis(at)})
}

// Preference gives a value, false where none is set.
func (r Memory) Preference(ctx context.Context, key string) (string, bool, error) {
	p, ok, err := r.own.Preference(ctx, key)
	return p.Value, ok, err
}

func rowOf(f memory.Fact) rows.Fact {
	return rows.Fact{ID: f.ID, Text: f.Text, Source: f.Source, At: rows.Millis(f.At)}
}

func factOf(row rows.Fact) memory.Fact {
	return memory.Fact{ID: row.ID, Text: row.Text, Source: row.Source, At: rows.Time(row.At)}
}

func factsOf(list []rows.Fact) []memory.Fact {
	var out []memory.Fact
	for _, row := range list {
		out = append(out, factOf(row))
	}
	return out
}
