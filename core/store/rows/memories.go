package rows

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// PutMemories stores memories, all or none; one whose ID is 0 is new. Those of one session that come with nothing near
// learn what was said right before and after them.
func (o *Own) PutMemories(ctx context.Context, list ...Memory) ([]Memory, error) {
	var out []Memory
	err := o.change(ctx, "storing what to remember", func(q *gen.Queries) (err error) {
		out, err = o.putMemories(ctx, q, list)
		return err
	})
	return out, err
}

func (o *Own) putMemories(ctx context.Context, q *gen.Queries, list []Memory) ([]Memory, error) {
	list, err := o.made(ctx, q, list)
	if err != nil {
		return nil, err
	}
	for i, m := range list {
		stored, err := q.PutMemory(ctx, gen.PutMemoryParams(m))
		if err != nil {
			return nil, err
		}
		list[i] = stored
	}
	return list, nil
}

// made makes memories ready to be stored: clean, with IDs and what is near them.
func (o *Own) made(ctx context.Context, q *gen.Queries, list []Memory) ([]Memory, error) {
	list = slices.Clone(list)
	for i := range list {
		m := &list[i]
		m.UserID = o.user
		for _, text := range []*string{&m.Key, &m.Kind, &m.Subject, &m.Text, &m.Near, &m.Session, &m.Source} {
			*text = plain(*text)
		}
	}
	if err := o.identifyAll(ctx, q, list); err != nil {
		return nil, err
	}
	if err := o.join(ctx, q, list); err != nil {
		return nil, err
	}
	for _, m := range list {
		o.db.hushed.told(o.user, m.Text)
	}
	return list, nil
}

// identifyAll settles the IDs of many rows at once.
func (o *Own) identifyAll(ctx context.Context, q *gen.Queries, list []Memory) error {
	fresh := int64(0)
	for _, m := range list {
		if m.ID == 0 {
			fresh++
		} else if _, err := o.identify(ctx, q, m.ID); err != nil {
			return err
		} else if err := q.UnburyMemory(ctx, gen.UnburyMemoryParams{UserID: o.user, ID: m.ID}); err != nil {
			return err
		}
	}
	if fresh == 0 {
		return nil
	}
	last, err := q.NextIDs(ctx, gen.NextIDsParams{ID: o.user, LastID: fresh})
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNoUser
	}
	if err != nil {
		return err
	}
	next := last - fresh + 1
	for i := range list {
		if list[i].ID == 0 {
			list[i].ID = next
			next++
		}
	}
	return nil
}

// nearby is how much of a neighbour is kept beside a memory, in bytes.
const nearby = 400

// join tells the memories of a session what was said right before and after them.
func (o *Own) join(ctx context.Context, q *gen.Queries, list []Memory) error {
	var order []int
	for i, m := range list {
		if m.Session != "" && m.Near == "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(min(max(list[a].At-list[b].At, -1), 1)) })
	last := map[string]*Memory{}
	for _, i := range order {
		m := &list[i]
		before, seen := last[m.Session]
		last[m.Session] = m
		if seen {
			m.Near = beside(m.Near, before.Text)
			before.Near = beside(before.Near, m.Text)
			continue
		}
		kept, err := q.LastOfSession(ctx, gen.LastOfSessionParams{UserID: o.user, Session: m.Session, At: m.At})
		if err != nil {
			return err
		}
		if len(kept) == 0 || kept[0].ID == m.ID {
			continue
		}
		m.Near = beside(m.Near, kept[0].Text)
		if err := q.SetNear(ctx, gen.SetNearParams{UserID: o.user, ID: kept[0].ID, Near: beside(kept[0].Near, m.Text)}); err != nil {
			return err
		}
	}
	return nil
}

func beside(near, text string) string {
	if len(text) > nearby {
		end := nearby
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	if near == "" {
		return text
	}
	return near + "\n" + text
}

// Imported counts what came of an import.
type Imported struct{ Added, Changed, Same int }

// keyed are the IDs of the memories of some keys.
var keyed = both{
	sqlite:   "SELECT id FROM memories WHERE user_id = $1 AND key IN (SELECT value FROM json_each($2))",
	postgres: "SELECT id FROM memories WHERE user_id = $1 AND key IN (SELECT jsonb_array_elements_text($2::jsonb))",
}

// ImportMemories stores memories under their keys, all or none: one whose key is known changes that memory, and one that
// is there already, word for word, is left alone.
func (o *Own) ImportMemories(ctx context.Context, list ...Memory) (Imported, error) {
	var n Imported
	err := o.within(ctx, "importing what to remember", func(t *tx) error {
		known, err := o.ofKeys(ctx, t, list)
		if err != nil {
			return err
		}
		var put []Memory
		now := time.Now().UnixMilli()
		place := map[string]int{} // in put, of a key that comes twice
		for _, m := range list {
			m.Text, m.Key = plain(m.Text), plain(m.Key)
			old, there := known[m.Key]
			if there && m.Key != "" {
				if old.Text == m.Text && old.Kind == m.Kind && old.Session == plain(m.Session) && (old.At == m.At || m.At == 0) {
					n.Same++
					continue
				}
				m.ID = old.ID
				if m.At == 0 {
					m.At = old.At
				}
				n.Changed++
			} else if i, twice := place[m.Key]; twice && m.Key != "" {
				m.At = max(m.At, put[i].At)
				put[i] = m
				n.Same++
				continue
			} else {
				n.Added++
			}
			if m.At == 0 {
				m.At = now
			}
			place[m.Key] = len(put)
			put = append(put, m)
		}
		return o.pour(ctx, t, put)
	})
	return n, err
}

// pour stores many memories: new ones by one statement that is prepared once.
func (o *Own) pour(ctx context.Context, t *tx, list []Memory) error {
	var fresh, known []Memory
	for _, m := range list {
		if m.ID == 0 {
			fresh = append(fresh, m)
		} else {
			known = append(known, m)
		}
	}
	if _, err := o.putMemories(ctx, t.Queries, known); err != nil {
		return err
	}
	fresh, err := o.made(ctx, t.Queries, fresh)
	if err != nil || len(fresh) == 0 {
		return err
	}
	insert, err := t.sql.PrepareContext(ctx, insertMemory.of(o.db.engine))
	if err != nil {
		return err
	}
	for _, m := range fresh {
		if _, err := insert.ExecContext(ctx, o.user, m.ID, m.Key, m.Kind, m.Subject, m.Text, m.Near, m.Session, m.Turn, m.Source, m.Confidence,
			m.At, m.Expires, m.Supersedes, m.Replaced); err != nil {
			return errors.Join(err, insert.Close())
		}
	}
	return insert.Close()
}

var insertMemory = both{
	sqlite: "INSERT INTO memories (user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced) " +
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
	postgres: "INSERT INTO memories (user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced) " +
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
}

func (o *Own) ofKeys(ctx context.Context, t *tx, in []Memory) (map[string]Memory, error) {
	keys := make([]string, 0, len(in))
	for _, m := range in {
		if m.Key != "" {
			keys = append(keys, plain(m.Key))
		}
	}
	ids, err := list(ctx, t, keyed, func(row scan) (id int64, err error) { return id, row(&id) }, jsonOf(keys))
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, t, theseMemories, readMemory, jsonOf(ids))
	known := map[string]Memory{}
	for _, m := range all {
		known[m.Key] = m
	}
	return known, err
}

// Memory gives one memory, or ErrNone.
func (o *Own) Memory(ctx context.Context, id int64) (Memory, error) {
	m, err := o.db.read.GetMemory(ctx, gen.GetMemoryParams{UserID: o.user, ID: id})
	return m, fault("reading what is remembered", err)
}

// MemoryOf gives the memory that was imported under a key, or ErrNone.
func (o *Own) MemoryOf(ctx context.Context, key string) (Memory, error) {
	m, err := o.db.read.FindMemory(ctx, gen.FindMemoryParams{UserID: o.user, Key: plain(key)})
	return m, fault("reading what is remembered", err)
}

// MemoriesAfter lists n memories by their IDs, those after an ID, what is replaced among them.
func (o *Own) MemoriesAfter(ctx context.Context, id int64, n int32) ([]Memory, error) {
	m, err := o.db.read.MemoriesAfter(ctx, gen.MemoriesAfterParams{UserID: o.user, ID: id, Limit: n})
	return m, fault("reading what is remembered", err)
}

// LatestMemories lists the last n memories that hold, of one kind or, for "", of all, the newest first.
func (o *Own) LatestMemories(ctx context.Context, kind string, n int32) (m []Memory, err error) {
	if kind == "" {
		m, err = o.db.read.LatestMemories(ctx, gen.LatestMemoriesParams{UserID: o.user, Limit: n})
	} else {
		m, err = o.db.read.LatestOfKind(ctx, gen.LatestOfKindParams{UserID: o.user, Kind: kind, Limit: n})
	}
	return m, fault("reading what is remembered", err)
}

// MemoriesAbout lists what holds of a subject, the newest first.
func (o *Own) MemoriesAbout(ctx context.Context, subject string) ([]Memory, error) {
	m, err := o.db.read.MemoriesAbout(ctx, gen.MemoriesAboutParams{UserID: o.user, Subject: plain(subject)})
	return m, fault("reading what is remembered", err)
}

// ReplaceMemory stores a memory in the place of an older one, which stays as history. ErrNone where that is missing.
func (o *Own) ReplaceMemory(ctx context.Context, old int64, m Memory) (Memory, error) {
	err := o.change(ctx, "replacing what is remembered", func(q *gen.Queries) error {
		m.Supersedes = old
		out, err := o.putMemories(ctx, q, []Memory{m})
		if err != nil {
			return err
		}
		m = out[0]
		return some(q.ReplaceMemory(ctx, gen.ReplaceMemoryParams{Replaced: max(m.At, 1), UserID: o.user, ID: old}))
	})
	return m, err
}
