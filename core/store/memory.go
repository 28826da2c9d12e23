package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/rank"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Memory is memory.Rows.
type Memory struct{ own *rows.Own }

var _ memory.Rows = Memory{}

// Memory lends the rows to package memory.
func (s *Store) Memory() Memory { return Memory{s.own} }

// Put stores items, all or none; one whose ID is 0 is new.
func (r Memory) Put(ctx context.Context, items ...memory.Item) ([]memory.Item, error) {
	list, err := r.own.PutMemories(ctx, rowsOf(items)...)
	return itemsOf(list), err
}

// Import stores items under their keys, all or none.
func (r Memory) Import(ctx context.Context, items ...memory.Item) (memory.Imported, error) {
	n, err := r.own.ImportMemories(ctx, rowsOf(items)...)
	return memory.Imported(n), err
}

// Replace stores an item in the place of an older one, which stays as history.
func (r Memory) Replace(ctx context.Context, old int64, item memory.Item) (memory.Item, error) {
	row, err := r.own.ReplaceMemory(ctx, old, rowOf(item))
	return itemOf(row), absent(err, memory.ErrUnknown)
}

// Erase removes items, and all that quotes them.
func (r Memory) Erase(ctx context.Context, topic string, ids ...int64) (memory.Erased, error) {
	said := rows.Quoting{
		Quotes:   func(m rows.Memory, text string) bool { return memory.Quotes(m.Text, text) },
		Mentions: func(text string) bool { return memory.Mentions(topic, text) },
	}
	gone, err := r.own.EraseMemories(ctx, said, ids...)
	return memory.Erased{Items: itemsOf(gone.Memories), Messages: gone.Messages, Talks: gone.Talks}, absent(err, memory.ErrUnknown)
}

// Withdraw removes an item; the value before it holds again.
func (r Memory) Withdraw(ctx context.Context, id int64) (memory.Item, error) {
	row, err := r.own.WithdrawMemory(ctx, id)
	return itemOf(row), absent(err, memory.ErrUnknown)
}

// Restore stores items under their IDs, all or none.
func (r Memory) Restore(ctx context.Context, items ...memory.Item) error {
	for _, it := range items {
		if it.ID <= 0 {
			return memory.ErrUnknown
		}
	}
	_, err := r.own.PutMemories(ctx, rowsOf(items)...)
	return err
}

// Latest lists the last n items that hold.
func (r Memory) Latest(ctx context.Context, kind memory.Kind, n int) ([]memory.Item, error) {
	list, err := r.own.LatestMemories(ctx, string(kind), count(n))
	return itemsOf(list), err
}

// Holds lists what holds of a subject.
func (r Memory) Holds(ctx context.Context, subject string) ([]memory.Item, error) {
	list, err := r.own.MemoriesAbout(ctx, subject)
	return itemsOf(list), err
}

// After lists n items by their IDs.
func (r Memory) After(ctx context.Context, id int64, n int) ([]memory.Item, error) {
	list, err := r.own.MemoriesAfter(ctx, id, count(n))
	return itemsOf(list), err
}

// Items gives items by their IDs.
func (r Memory) Items(ctx context.Context, ids []int64) ([]memory.Item, error) {
	list, err := r.own.TheseMemories(ctx, ids)
	return itemsOf(list), err
}

// OfKey gives the item that was imported under a key.
func (r Memory) OfKey(ctx context.Context, key string) (memory.Item, error) {
	row, err := r.own.MemoryOf(ctx, key)
	return itemOf(row), absent(err, memory.ErrUnknown)
}

// Span tells how many items there are.
func (r Memory) Span(ctx context.Context) (rank.Span, error) {
	s, err := r.own.CountMemories(ctx)
	return rank.Span(s), err
}

// Holding gives the IDs of the items with certain words.
func (r Memory) Holding(ctx context.Context, groups [][]string, limit int) ([]int64, error) {
	return r.own.HoldingMemories(ctx, groups, limit)
}

// PutVectors keeps vectors of items.
func (r Memory) PutVectors(ctx context.Context, model string, ids []int64, vectors [][]float32) error {
	list := make([]rows.Vector, len(ids))
	for i, id := range ids {
		list[i] = rows.Vector{ID: id, Vector: packed(vectors[i])}
	}
	return r.own.PutVectors(ctx, model, list...)
}

// Vectors lists n vectors by the IDs of their items.
func (r Memory) Vectors(ctx context.Context, model string, after int64, n int) ([]int64, [][]float32, error) {
	list, err := r.own.VectorsAfter(ctx, model, after, count(n))
	if err != nil {
		return nil, nil, err
	}
	ids, vectors := make([]int64, len(list)), make([][]float32, len(list))
	for i, v := range list {
		if len(v.Vector)%4 != 0 {
			return nil, nil, fmt.Errorf("the vector of memory %d is damaged", v.ID)
		}
		ids[i], vectors[i] = v.ID, unpacked(v.Vector)
	}
	return ids, vectors, nil
}

// Unread lists n items that have no vector of a model.
func (r Memory) Unread(ctx context.Context, model string, after int64, n int) ([]memory.Item, error) {
	list, err := r.own.Unread(ctx, model, after, count(n))
	out := make([]memory.Item, len(list))
	for i, u := range list {
		out[i] = memory.Item{ID: u.ID, Text: u.Text}
	}
	return out, err
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

func packed(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func unpacked(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func rowsOf(items []memory.Item) []rows.Memory {
	out := make([]rows.Memory, len(items))
	for i, it := range items {
		out[i] = rowOf(it)
	}
	return out
}

func rowOf(it memory.Item) rows.Memory {
	return rows.Memory{ID: it.ID, Key: it.Key, Kind: string(it.Kind), Subject: it.Subject, Text: it.Text, Near: it.Near, Session: it.Session,
		Turn: it.Turn, Source: it.Source, Confidence: it.Confidence, At: rows.Millis(it.At), Expires: rows.Millis(it.Expires),
		Supersedes: it.Supersedes, Replaced: rows.Millis(it.Replaced)}
}

func itemOf(row rows.Memory) memory.Item {
	return memory.Item{ID: row.ID, Key: row.Key, Kind: memory.Kind(row.Kind), Subject: row.Subject, Text: row.Text, Near: row.Near,
		Session: row.Session, Turn: row.Turn, Source: row.Source, Confidence: row.Confidence, At: rows.Time(row.At),
		Expires: rows.Time(row.Expires), Supersedes: row.Supersedes, Replaced: rows.Time(row.Replaced)}
}

func itemsOf(list []rows.Memory) []memory.Item {
	var out []memory.Item
	for _, row := range list {
		out = append(out, itemOf(row))
	}
	return out
}
