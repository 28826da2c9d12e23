package rows

import (
	"context"
	"database/sql"
	"errors"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Engine is a database that can keep the rows.
type Engine string

const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// both is one statement in the words of both engines. $1 is the user; the statement's own arguments begin at $2.
type both struct{ sqlite, postgres string }

func (b both) of(e Engine) string {
	if e == Postgres {
		return b.postgres
	}
	return b.sqlite
}

// tx is one transaction of one user: the generated queries, and what is said in two dialects.
type tx struct {
	*gen.Queries
	own *Own
	sql gen.DBTX
}

// asker runs statements of one user: *Own reads beside all writing, *tx reads and writes in its transaction.
type asker interface {
	asks() (*Own, gen.DBTX)
}

func (o *Own) asks() (*Own, gen.DBTX) { return o, o.db.readers }
func (t *tx) asks() (*Own, gen.DBTX)  { return t.own, t.sql }

// scan puts the columns of one row where its arguments point.
type scan func(into ...any) error

// list reads all rows of a statement. It is done with the connection when it returns.
func list[T any](ctx context.Context, a asker, q both, read func(scan) (T, error), args ...any) (out []T, err error) {
	own, db := a.asks()
	rows, err := db.QueryContext(ctx, q.of(own.db.engine), own.bind(args)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		row, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// one reads the first row of a statement; it is sql.ErrNoRows, which fault calls ErrNone, where there is none.
func one[T any](ctx context.Context, a asker, q both, read func(scan) (T, error), args ...any) (T, error) {
	all, err := list(ctx, a, q, read, args...)
	if err == nil && len(all) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		var none T
		return none, err
	}
	return all[0], nil
}

// exec changes rows and tells how many.
func (t *tx) exec(ctx context.Context, q both, args ...any) (int64, error) {
	done, err := t.sql.ExecContext(ctx, q.of(t.own.db.engine), t.own.bind(args)...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// bind puts the user before the arguments of a statement.
func (o *Own) bind(args []any) []any { return append([]any{o.user}, args...) }
