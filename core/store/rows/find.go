package rows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// holding are the memories with certain words, the newest first.
var holding = both{
	sqlite: "SELECT rowid - $1 * 1099511627776 FROM memories_fts WHERE memories_fts MATCH $2 " +
		"AND rowid BETWEEN $1 * 1099511627776 AND $1 * 1099511627776 + 1099511627775 ORDER BY rowid DESC LIMIT $3",
	postgres: "SELECT id FROM memories WHERE user_id = $1 AND words @@ to_tsquery('english', $2) ORDER BY id DESC LIMIT $3",
}

// HoldingMemories gives the IDs of memories that hold a word of each group, in their text or right beside it, the highest
// first, at most limit. Words are runs of letters and digits; others are left out.
func (o *Own) HoldingMemories(ctx context.Context, groups [][]string, limit int) ([]int64, error) {
	words := o.db.engine.words(groups)
	if words == "" {
		return nil, nil
	}
	ids, err := list(ctx, o, holding, func(row scan) (id int64, err error) { return id, row(&id) }, words, limit)
	return ids, fault("searching what is remembered", err)
}

// words asks an index of text for a word of each group, in the engine's language. Each word stands in quotes and holds
// letters and digits alone, so that none can be more than a word.
func (e Engine) words(groups [][]string) string {
	quote, or, and := `"`, " OR ", " AND "
	if e == Postgres {
		quote, or, and = "'", " | ", " & "
	}
	var all []string
	for _, g := range groups {
		var any []string
		for _, w := range g {
			if w != "" && !strings.ContainsFunc(w, notInWord) {
				any = append(any, quote+w+quote)
			}
		}
		if len(any) == 0 {
			return ""
		}
		all = append(all, "("+strings.Join(any, or)+")")
	}
	return strings.Join(all, and)
}

var theseMemories = both{
	sqlite: "SELECT user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced " +
		"FROM memories WHERE user_id = $1 AND id IN (SELECT value FROM json_each($2))",
	postgres: "SELECT user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced " +
		"FROM memories WHERE user_id = $1 AND id IN (SELECT jsonb_array_elements_text($2::jsonb)::bigint)",
}

func readMemory(row scan) (m Memory, err error) {
	return m, row(&m.UserID, &m.ID, &m.Key, &m.Kind, &m.Subject, &m.Text, &m.Near, &m.Session, &m.Turn, &m.Source, &m.Confidence,
		&m.At, &m.Expires, &m.Supersedes, &m.Replaced)
}

// TheseMemories reads memories by their IDs, in any order; those that are gone are left out.
func (o *Own) TheseMemories(ctx context.Context, ids []int64) ([]Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	m, err := list(ctx, o, theseMemories, readMemory, jsonOf(ids))
	return m, fault("reading what is remembered", err)
}

// CountMemories tells how many memories there are, and their lowest and highest ID.
func (o *Own) CountMemories(ctx context.Context) (Span, error) {
	s, err := o.db.read.CountMemories(ctx, o.user)
	return s, fault("counting what is remembered", err)
}

// jsonOf is a list as JSON.
func jsonOf[T any](list []T) string {
	if list == nil {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(fmt.Sprintf("numbers and strings always marshal: %v", err))
	}
	return string(text)
}

// Vector is the meaning of a memory.
type Vector struct {
	ID     int64
	Vector []byte // float32, little endian
}

// Unread is a memory without a vector.
type Unread = gen.MemoriesWithoutVectorRow

// PutVectors stores vectors of one model, all or none; those of memories that are gone are left out.
func (o *Own) PutVectors(ctx context.Context, model string, list ...Vector) error {
	return o.change(ctx, "storing vectors", func(q *gen.Queries) error {
		for _, v := range list {
			if _, err := q.GetMemory(ctx, gen.GetMemoryParams{UserID: o.user, ID: v.ID}); err != nil {
				if errors.Is(kindOf(err), ErrNone) {
					continue
				}
				return err
			}
			if err := q.PutVector(ctx, gen.PutVectorParams{UserID: o.user, ID: v.ID, Model: model, Vector: v.Vector}); err != nil {
				return err
			}
		}
		return nil
	})
}

// VectorsAfter lists n vectors of a model by their IDs, those after an ID.
func (o *Own) VectorsAfter(ctx context.Context, model string, id int64, n int32) ([]Vector, error) {
	list, err := o.db.read.VectorsAfter(ctx, gen.VectorsAfterParams{UserID: o.user, Model: model, ID: id, Limit: n})
	out := make([]Vector, len(list))
	for i, v := range list {
		out[i] = Vector(v)
	}
	return out, fault("reading vectors", err)
}

// Unread lists n memories after an ID that have no vector of a model.
func (o *Own) Unread(ctx context.Context, model string, id int64, n int32) ([]Unread, error) {
	list, err := o.db.read.MemoriesWithoutVector(ctx, gen.MemoriesWithoutVectorParams{UserID: o.user, ID: id, Model: model, Limit: n})
	return list, fault("looking for memories without a vector", err)
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
