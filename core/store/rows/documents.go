package rows

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// One row of each table of the library.
type (
	Shelf    = gen.Shelf
	Document = gen.Document
	Text     = gen.Text
	Chunk    = gen.Chunk
)

// Shelves lists the folders and files that the user gave, by their paths.
func (o *Own) Shelves(ctx context.Context) ([]Shelf, error) {
	all, err := o.db.read.ListShelves(ctx, o.user)
	return all, fault("listing shelves", err)
}

// PutShelf keeps a folder or file; one that is there already stays as it is.
func (o *Own) PutShelf(ctx context.Context, s Shelf) (Shelf, error) {
	s.UserID = o.user
	err := o.change(ctx, "storing a shelf", func(q *gen.Queries) (err error) {
		if s.ID, err = o.identify(ctx, q, 0); err == nil {
			s, err = q.PutShelf(ctx, gen.PutShelfParams(s))
		}
		return err
	})
	return s, err
}

// RemoveShelf takes one away, or says ErrNone.
func (o *Own) RemoveShelf(ctx context.Context, path string) error {
	return o.change(ctx, "removing a shelf", func(q *gen.Queries) error {
		return some(q.RemoveShelf(ctx, gen.RemoveShelfParams{UserID: o.user, Path: path}))
	})
}

// Documents lists all documents by their paths.
func (o *Own) Documents(ctx context.Context) ([]Document, error) {
	all, err := o.db.read.ListDocuments(ctx, o.user)
	return all, fault("listing documents", err)
}

// Texts lists what documents say, without the words.
func (o *Own) Texts(ctx context.Context) ([]Text, error) {
	all, err := o.db.read.ListTexts(ctx, o.user)
	return all, fault("listing texts", err)
}

// PutDocuments stores documents under their paths, all or none, and drops the texts that nobody names any more.
func (o *Own) PutDocuments(ctx context.Context, docs ...Document) ([]Document, error) {
	var out []Document
	err := o.within(ctx, "storing documents", func(t *tx) error {
		for _, d := range docs {
			kept, err := o.putDocument(ctx, t, d)
			if err != nil {
				return err
			}
			out = append(out, kept)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (o *Own) putDocument(ctx context.Context, t *tx, d Document) (_ Document, err error) {
	d.UserID, d.Why = o.user, plain(d.Why)
	if d.ID, err = o.identify(ctx, t.Queries, d.ID); err != nil {
		return d, err
	}
	return t.PutDocument(ctx, gen.PutDocumentParams(d))
}

// RemoveDocuments takes documents away, and the texts that nobody names any more.
func (o *Own) RemoveDocuments(ctx context.Context, paths ...string) error {
	return o.within(ctx, "removing documents", func(t *tx) error {
		for _, path := range paths {
			if _, err := t.RemoveDocument(ctx, gen.RemoveDocumentParams{UserID: o.user, Path: path}); err != nil {
				return err
			}
		}
		return o.dropIdle(ctx, t)
	})
}

// DropIdleTexts takes texts away that no document names.
func (o *Own) DropIdleTexts(ctx context.Context) error {
	return o.within(ctx, "removing texts", func(t *tx) error { return o.dropIdle(ctx, t) })
}

func (o *Own) dropIdle(ctx context.Context, t *tx) error {
	idle, err := t.IdleTexts(ctx, o.user)
	if err != nil {
		return err
	}
	for _, id := range idle {
		if _, err := t.RemoveChunks(ctx, gen.RemoveChunksParams{UserID: o.user, TextID: id}); err != nil {
			return err
		}
		if _, err := t.RemoveText(ctx, gen.RemoveTextParams{UserID: o.user, ID: id}); err != nil {
			return err
		}
	}
	return t.bury(ctx, "texts", idle...)
}

// Reading is a text with its chunks, and the document that it was read for.
type Reading struct {
	Text     Text
	Chunks   []Chunk
	Document Document
}

// PutReadings stores what was read, all or none. The text of a hash that is there already is used where it is of the same
// version, else it is replaced for all documents that name it. It gives them back with their IDs.
func (o *Own) PutReadings(ctx context.Context, all ...Reading) ([]Reading, error) {
	err := o.within(ctx, "storing documents", func(t *tx) error {
		for i := range all {
			if err := o.putReading(ctx, t, &all[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

func (o *Own) putReading(ctx context.Context, t *tx, r *Reading) error {
	known, err := t.FindText(ctx, gen.FindTextParams{UserID: o.user, Hash: r.Text.Hash})
	switch {
	case err == nil && known.Version == r.Text.Version:
		r.Text = known
	case err == nil || errors.Is(err, sql.ErrNoRows):
		if err == nil {
			r.Text.ID = known.ID
			if _, err := t.RemoveChunks(ctx, gen.RemoveChunksParams{UserID: o.user, TextID: known.ID}); err != nil {
				return err
			}
			if _, err := t.RemoveText(ctx, gen.RemoveTextParams{UserID: o.user, ID: known.ID}); err != nil {
				return err
			}
		}
		if err := o.putText(ctx, t, r); err != nil {
			return err
		}
	default:
		return err
	}
	r.Document.TextID = r.Text.ID
	r.Document, err = o.putDocument(ctx, t, r.Document)
	return err
}

// putText stores a text and its chunks, whose IDs follow each other.
func (o *Own) putText(ctx context.Context, t *tx, r *Reading) (err error) {
	x := &r.Text
	x.UserID, x.Title, x.Why, x.Chunks = o.user, plain(x.Title), plain(x.Why), int64(len(r.Chunks))
	if x.ID, err = o.identify(ctx, t.Queries, x.ID); err != nil {
		return err
	}
	if *x, err = t.PutText(ctx, gen.PutTextParams(*x)); err != nil || len(r.Chunks) == 0 {
		return err
	}
	first, err := o.identify(ctx, t.Queries, 0)
	if err != nil {
		return err
	}
	if _, err := o.identify(ctx, t.Queries, first+int64(len(r.Chunks))-1); err != nil {
		return err
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		c.UserID, c.ID, c.TextID = o.user, first+int64(i), x.ID
		c.Heading, c.Title, c.Text = plain(c.Heading), x.Title, plain(c.Text)
		if err := t.AddChunk(ctx, gen.AddChunkParams(*c)); err != nil {
			return err
		}
	}
	return nil
}

// TextOf gives the text of a hash, or ErrNone.
func (o *Own) TextOf(ctx context.Context, hash string) (Text, error) {
	x, err := o.db.read.FindText(ctx, gen.FindTextParams{UserID: o.user, Hash: hash})
	return x, fault("looking up a text", err)
}

// ChunksOf lists the chunks of a text in their order.
func (o *Own) ChunksOf(ctx context.Context, text int64) ([]Chunk, error) {
	all, err := o.db.read.ChunksOf(ctx, gen.ChunksOfParams{UserID: o.user, TextID: text})
	return all, fault("reading a document's passages", err)
}

// Chunk gives one chunk, or ErrNone.
func (o *Own) Chunk(ctx context.Context, id int64) (Chunk, error) {
	c, err := o.db.read.GetChunk(ctx, gen.GetChunkParams{UserID: o.user, ID: id})
	return c, fault("reading a passage", err)
}

// CountChunks tells how many passages can be searched.
func (o *Own) CountChunks(ctx context.Context) (int64, error) {
	n, err := o.db.read.CountChunks(ctx, o.user)
	return n, fault("counting passages", err)
}

var spanChunks = both{
	sqlite:   "SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM chunks WHERE user_id = $1",
	postgres: "SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM chunks WHERE user_id = $1",
}

// SpanChunks tells how many passages there are, and their lowest and highest ID.
func (o *Own) SpanChunks(ctx context.Context) (count, low, high int64, err error) {
	_, err = one(ctx, o, spanChunks, func(row scan) (int, error) { return 0, row(&count, &low, &high) })
	return count, low, high, fault("counting passages", err)
}

var holdingChunks = both{
	sqlite: `SELECT rowid - ($1 << 40) FROM chunks_fts WHERE chunks_fts MATCH $2
	AND rowid BETWEEN ($1 << 40) AND ($1 << 40) + 1099511627775 ORDER BY rowid DESC LIMIT $3`,
	postgres: "SELECT id FROM chunks WHERE user_id = $1 AND words @@ to_tsquery('english', $2) ORDER BY id DESC LIMIT $3",
}

// ChunksHolding gives at most n passages that hold a word of each group, the highest ID first. Words are letters and
// digits alone; what else is in them parts them.
func (o *Own) ChunksHolding(ctx context.Context, groups [][]string, n int32) ([]int64, error) {
	asked := o.allOf(groups)
	if asked == "" {
		return nil, nil
	}
	ids, err := list(ctx, o, holdingChunks, readID, asked, n)
	return ids, fault("searching passages", err)
}

var countHolding = both{
	sqlite: `WITH held AS (SELECT rowid - ($1 << 40) AS id FROM chunks_fts WHERE chunks_fts MATCH $2
	AND rowid BETWEEN ($1 << 40) AND ($1 << 40) + 1099511627775 ORDER BY rowid DESC LIMIT $3) SELECT count(*), coalesce(min(id), 0) FROM held`,
	postgres: `WITH held AS (SELECT id FROM chunks WHERE user_id = $1 AND words @@ to_tsquery('english', $2) ORDER BY id DESC LIMIT $3)
SELECT count(*), coalesce(min(id), 0) FROM held`,
}

// CountChunksHolding counts the passages with any of some words, up to most of them from the highest ID down, and tells the
// last that was counted.
func (o *Own) CountChunksHolding(ctx context.Context, words []string, most int32) (n int, last int64, err error) {
	asked := o.anyOf(words)
	if asked == "" {
		return 0, 0, nil
	}
	_, err = one(ctx, o, countHolding, func(row scan) (int, error) { return 0, row(&n, &last) }, asked, most)
	return n, last, fault("searching passages", err)
}

func readID(row scan) (id int64, err error) { return id, row(&id) }

var bestChunks = both{
	sqlite: `SELECT rowid - ($1 << 40) FROM chunks_fts WHERE chunks_fts MATCH $2 AND rank MATCH 'bm25(1.0, 1.0)'
	AND rowid BETWEEN ($1 << 40) AND ($1 << 40) + 1099511627775 ORDER BY rank LIMIT $3`,
	// ts_rank of one word saturates and is weighed with how rare the word is, which comes near to BM25.
	postgres: `WITH asked AS (SELECT to_tsquery('english', word) AS q FROM unnest(string_to_array($4, '|')) AS word),
known AS (SELECT a.q, (SELECT count(*) FROM chunks WHERE chunks.user_id = $1 AND chunks.words @@ a.q) AS n FROM asked a WHERE numnode(a.q) > 0),
whole AS (SELECT count(*) AS n FROM chunks WHERE chunks.user_id = $1)
SELECT c.id FROM known k JOIN chunks c ON c.user_id = $1 AND c.words @@ k.q AND c.words @@ to_tsquery('english', $2) JOIN whole w ON true GROUP BY c.id
ORDER BY sum(ln(1 + (w.n - k.n + 0.5) / (k.n + 0.5)) * ts_rank('{0.1, 0.15, 0.15, 0.1}', c.words, k.q, 1)) DESC, c.id LIMIT $3`,
}

// BestChunks gives at most n passages that hold a word of each group, the best first.
func (o *Own) BestChunks(ctx context.Context, groups [][]string, n int32) ([]int64, error) {
	asked := o.allOf(groups)
	if asked == "" {
		return nil, nil
	}
	args := []any{asked, n}
	if o.db.engine == Postgres {
		args = append(args, o.anyOf(slices.Concat(groups...)))
	}
	ids, err := list(ctx, o, bestChunks, readID, args...)
	return ids, fault("searching passages", err)
}

var someChunks = both{
	sqlite: `SELECT id, text_id, page, heading, title, begins, ends, text FROM chunks
	WHERE user_id = $1 AND id IN (SELECT value FROM json_each('[' || $2 || ']'))`,
	postgres: `SELECT id, text_id, page, heading, title, begins, ends, text FROM chunks
	WHERE user_id = $1 AND id = ANY (string_to_array($2, ',')::bigint[])`,
}

// SomeChunks gives those of some passages that are there, in any order.
func (o *Own) SomeChunks(ctx context.Context, ids ...int64) ([]Chunk, error) {
	var asked []string
	for _, id := range ids {
		asked = append(asked, strconv.FormatInt(id, 10))
	}
	if len(asked) == 0 {
		return nil, nil
	}
	all, err := list(ctx, o, someChunks, func(row scan) (c Chunk, err error) {
		c.UserID = o.user
		return c, row(&c.ID, &c.TextID, &c.Page, &c.Heading, &c.Title, &c.Begins, &c.Ends, &c.Text)
	}, strings.Join(asked, ","))
	return all, fault("reading passages", err)
}

// allOf writes groups of words in the words of an engine's full text: one of each group.
func (o *Own) allOf(groups [][]string) string {
	and := " AND "
	if o.db.engine == Postgres {
		and = " & "
	}
	var out []string
	for _, g := range groups {
		if any := o.anyOf(g); any != "" {
			out = append(out, "("+any+")")
		}
	}
	return strings.Join(out, and)
}

// anyOf writes words in the words of an engine's full text. Words that belong together stay so.
func (o *Own) anyOf(words []string) string {
	var out []string
	for _, w := range words {
		fields := strings.FieldsFunc(w, func(r rune) bool { return !wordy(r) })
		switch {
		case len(fields) == 0:
		case o.db.engine == Postgres:
			out = append(out, strings.Join(fields, " <-> "))
		default:
			out = append(out, `"`+strings.Join(fields, " ")+`"`)
		}
	}
	if o.db.engine == Postgres {
		return strings.Join(out, "|")
	}
	return strings.Join(out, " OR ")
}

// wordy tells whether a character is part of a word, for both engines' full text.
func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// PutChunkVectors keeps the vectors of passages, all or none. Those of passages that are gone meanwhile are left out.
func (o *Own) PutChunkVectors(ctx context.Context, model string, vectors map[int64][]byte) error {
	return o.within(ctx, "storing vectors", func(t *tx) error {
		for id, v := range vectors {
			_, err := t.GetChunk(ctx, gen.GetChunkParams{UserID: o.user, ID: id})
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err == nil {
				err = t.PutChunkVector(ctx, gen.PutChunkVectorParams{UserID: o.user, ChunkID: id, Model: model, Vector: v})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ChunkVector is the vector of one passage.
type ChunkVector = gen.ChunkVectorsRow

// ChunkVectors lists at most n vectors of a model, of passages behind the one of an ID.
func (o *Own) ChunkVectors(ctx context.Context, model string, after int64, n int32) ([]ChunkVector, error) {
	all, err := o.db.read.ChunkVectors(ctx, gen.ChunkVectorsParams{UserID: o.user, Model: model, ChunkID: after, Limit: n})
	return all, fault("reading vectors", err)
}

// BareChunks lists at most n passages that have no vector of a model, behind the one of an ID.
func (o *Own) BareChunks(ctx context.Context, model string, after int64, n int32) ([]Chunk, error) {
	all, err := o.db.read.BareChunks(ctx, gen.BareChunksParams{UserID: o.user, Model: model, ID: after, Limit: n})
	return all, fault("reading passages without vectors", err)
}
