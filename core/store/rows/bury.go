package rows

import (
	"context"
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Tombstones lists what every user has erased.
func (db *DB) Tombstones(ctx context.Context) (out []Erased, err error) {
	rows, err := db.readers.QueryContext(ctx, "SELECT user_id, kind, id, at FROM erased ORDER BY user_id, kind, id")
	if err == nil {
		err = each(rows, func() error {
			var e Erased
			err := rows.Scan(&e.UserID, &e.Kind, &e.ID, &e.At)
			out = append(out, e)
			return err
		})
	}
	return out, fault("listing what was erased", err)
}

// Bury erases once more what was erased after these rows were copied, and tells how many rows that were. Their IDs are
// never given out again. Users and tables that are not here are passed over.
func (db *DB) Bury(ctx context.Context, list []Erased) (gone int64, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	open, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return 0, fault("erasing again", err)
	}
	if gone, err = db.bury(ctx, open, list); err != nil {
		_ = rollback(open)
		return 0, fault("erasing again", err)
	}
	return gone, fault("erasing again", open.Commit())
}

func (db *DB) bury(ctx context.Context, on gen.DBTX, list []Erased) (gone int64, err error) {
	shapes, err := db.shapes(ctx, on)
	if err != nil {
		return 0, err
	}
	owned := map[string]bool{} // tables whose rows have a user and a number
	for _, s := range shapes {
		owned[s.table] = slices.Contains(s.columns, "user_id") && slices.Contains(s.columns, "id")
	}
	q := newQueries(on)
	for _, e := range list {
		var here bool
		if err := on.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM users WHERE id = $1)", e.UserID).Scan(&here); err != nil {
			return 0, err
		}
		if !here {
			continue
		}
		if owned[e.Kind] {
			done, err := on.ExecContext(ctx, fmt.Sprintf(`DELETE FROM "%s" WHERE user_id = $1 AND id = $2`, e.Kind), e.UserID, e.ID)
			if err != nil {
				return 0, err
			}
			n, err := done.RowsAffected()
			if err != nil {
				return 0, err
			}
			gone += n
		}
		if err := q.ReserveID(ctx, gen.ReserveIDParams{ID: e.UserID, LastID: e.ID}); err != nil {
			return 0, err
		}
		if err := q.PutErased(ctx, gen.PutErasedParams(e)); err != nil {
			return 0, err
		}
	}
	return gone, nil
}

// Counts tells how many rows each table has.
func (db *DB) Counts(ctx context.Context) (map[string]int64, error) {
	shapes, err := db.shapes(ctx, db.readers)
	if err != nil {
		return nil, fault("counting rows", err)
	}
	out := map[string]int64{}
	for _, s := range shapes {
		var n int64
		if err := db.readers.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM "%s"`, s.table)).Scan(&n); err != nil {
			return nil, fault("counting rows", err)
		}
		out[s.table] = n
	}
	return out, nil
}
