package store

import (
	"context"
	"encoding/binary"
	"math"
	"time"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Library is library.Rows.
type Library struct{ own *rows.Own }

var _ library.Rows = Library{}

// Library lends the rows to package library.
func (s *Store) Library() Library { return Library{s.own} }

// Shelves lists the paths that the user gave.
func (r Library) Shelves(ctx context.Context) ([]string, error) {
	all, err := r.own.Shelves(ctx)
	var out []string
	for _, s := range all {
		out = append(out, s.Path)
	}
	return out, err
}

// AddShelf keeps a path.
func (r Library) AddShelf(ctx context.Context, path string, at time.Time) error {
	_, err := r.own.PutShelf(ctx, rows.Shelf{Path: path, Added: rows.Millis(at)})
	return err
}

// RemoveShelf takes a path away, or says library.ErrUnknown.
func (r Library) RemoveShelf(ctx context.Context, path string) error {
	return absent(r.own.RemoveShelf(ctx, path), library.ErrUnknown)
}

// Documents lists all documents.
func (r Library) Documents(ctx context.Context) ([]library.Document, error) {
	all, err := r.own.Documents(ctx)
	return plainly(all, documentOf), err
}

// Texts lists what they say, without the words.
func (r Library) Texts(ctx context.Context) ([]library.Text, error) {
	all, err := r.own.Texts(ctx)
	return plainly(all, textOf), err
}

// PutDocuments stores documents under their paths, all or none.
func (r Library) PutDocuments(ctx context.Context, docs ...library.Document) ([]library.Document, error) {
	all, err := r.own.PutDocuments(ctx, plainly(docs, documentRow)...)
	return plainly(all, documentOf), err
}

// PutReadings stores documents with their texts and passages, all or none.
func (r Library) PutReadings(ctx context.Context, all ...library.Reading) ([]library.Reading, error) {
	list, err := r.own.PutReadings(ctx, plainly(all, func(x library.Reading) rows.Reading {
		t := x.Text
		return rows.Reading{Document: documentRow(x.Document), Chunks: plainly(x.Chunks, chunkRow),
			Text: rows.Text{ID: t.ID, Hash: t.Hash, Kind: t.Kind, Title: t.Title, Pages: int64(t.Pages), Chunks: int64(t.Chunks), Partial: t.Partial,
				Why: t.Why, Version: int64(t.Version), At: rows.Millis(t.At)}}
	})...)
	if err != nil {
		return nil, err
	}
	return plainly(list, func(x rows.Reading) library.Reading {
		return library.Reading{Document: documentOf(x.Document), Text: textOf(x.Text), Chunks: plainly(x.Chunks, chunkOf)}
	}), nil
}

// RemoveDocuments takes documents away, and what nobody names any more.
func (r Library) RemoveDocuments(ctx context.Context, paths ...string) error {
	return r.own.RemoveDocuments(ctx, paths...)
}

// DropIdleTexts takes texts away that no document names.
func (r Library) DropIdleTexts(ctx context.Context) error { return r.own.DropIdleTexts(ctx) }

// Span tells how many passages there are, and the lowest and the highest ID.
func (r Library) Span(ctx context.Context) (count, low, high int64, err error) {
	return r.own.SpanChunks(ctx)
}

// Holding gives passages that hold a word of each group.
func (r Library) Holding(ctx context.Context, groups [][]string, n int) ([]int64, error) {
	return r.own.ChunksHolding(ctx, groups, count(n))
}

// Frequency counts the passages with any of some words.
func (r Library) Frequency(ctx context.Context, words []string, most int) (n int, last int64, err error) {
	return r.own.CountChunksHolding(ctx, words, count(most))
}

// Best gives passages that hold a word of each group, the best first.
func (r Library) Best(ctx context.Context, groups [][]string, n int) ([]int64, error) {
	return r.own.BestChunks(ctx, groups, count(n))
}

// ChunksOf lists the passages of a text.
func (r Library) ChunksOf(ctx context.Context, text int64) ([]library.Chunk, error) {
	all, err := r.own.ChunksOf(ctx, text)
	return plainly(all, chunkOf), err
}

// Chunks gives those of some IDs that are there.
func (r Library) Chunks(ctx context.Context, ids ...int64) ([]library.Chunk, error) {
	all, err := r.own.SomeChunks(ctx, ids...)
	return plainly(all, chunkOf), err
}

// PutVectors keeps vectors of passages that are still there.
func (r Library) PutVectors(ctx context.Context, model string, vectors map[int64][]float32) error {
	packed := map[int64][]byte{}
	for id, v := range vectors {
		packed[id] = pack(v)
	}
	return r.own.PutChunkVectors(ctx, model, packed)
}

// Vectors gives at most n vectors of a model, of the passages behind one, and the last of those.
func (r Library) Vectors(ctx context.Context, model string, after int64, n int) (map[int64][]float32, int64, error) {
	all, err := r.own.ChunkVectors(ctx, model, after, count(n))
	out := map[int64][]float32{}
	for _, v := range all {
		out[v.ChunkID], after = unpack(v.Vector), v.ChunkID
	}
	return out, after, err
}

// Bare lists at most n passages behind one that have no vector of a model.
func (r Library) Bare(ctx context.Context, model string, after int64, n int) ([]library.Chunk, error) {
	all, err := r.own.BareChunks(ctx, model, after, count(n))
	return plainly(all, chunkOf), err
}

// plainly turns values into others where nothing can go wrong.
func plainly[A, B any](list []A, to func(A) B) []B {
	var out []B
	for _, a := range list {
		out = append(out, to(a))
	}
	return out
}

func documentRow(d library.Document) rows.Document {
	return rows.Document{ID: d.ID, Path: d.Path, Bytes: d.Bytes, Modified: d.Modified.UnixMicro(), TextID: d.TextID, Why: d.Why, Away: d.Away, Added: rows.Millis(d.Added)}
}

func documentOf(d rows.Document) library.Document {
	return library.Document{ID: d.ID, Path: d.Path, Bytes: d.Bytes, Modified: time.UnixMicro(d.Modified), TextID: d.TextID, Why: d.Why, Away: d.Away, Added: rows.Time(d.Added)}
}

func textOf(t rows.Text) library.Text {
	return library.Text{ID: t.ID, Hash: t.Hash, Kind: t.Kind, Title: t.Title, Pages: int(t.Pages), Chunks: int(t.Chunks), Partial: t.Partial,
		Why: t.Why, Version: int(t.Version), At: rows.Time(t.At)}
}

func chunkRow(c library.Chunk) rows.Chunk {
	return rows.Chunk{ID: c.ID, TextID: c.TextID, Page: int64(c.Page), Heading: c.Heading, Title: c.Title, Begins: int64(c.Begins), Ends: int64(c.Ends), Text: c.Text}
}

func chunkOf(c rows.Chunk) library.Chunk {
	return library.Chunk{ID: c.ID, TextID: c.TextID, Page: int(c.Page), Heading: c.Heading, Title: c.Title, Begins: int(c.Begins), Ends: int(c.Ends), Text: c.Text}
}

// pack writes a vector as 32-bit floats, little-endian.
func pack(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func unpack(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
