package rows

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Erased says that a row was taken away for good. Kind is its table.
type Erased = gen.Erased

// bury remembers that rows of a table were erased, so that a restored backup forgets them as well. It belongs into the
// transaction that takes them away.
func (t *tx) bury(ctx context.Context, table string, ids ...int64) error {
	now := time.Now().UnixMilli()
	for _, id := range ids {
		if err := t.PutErased(ctx, gen.PutErasedParams{UserID: t.own.user, Kind: table, ID: id, At: now}); err != nil {
			return err
		}
	}
	return nil
}

// Erased lists what was taken away for good, the oldest first.
func (o *Own) Erased(ctx context.Context) ([]Erased, error) {
	list, err := o.db.read.ListErased(ctx, o.user)
	return list, fault("listing what was erased", err)
}

// Scrub makes sure that what was erased is no longer in the database's files: they are overwritten where it was, and the
// log of changes is emptied. A server does that by itself in time.
func (db *DB) Scrub(ctx context.Context) error {
	if db.engine == Postgres {
		return nil
	}
	var busy, pages, moved int
	err := db.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = ErrBusy
	}
	return fault("emptying the log of changes", err)
}
