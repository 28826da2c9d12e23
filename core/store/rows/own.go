package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Own is the rows of one user. Its methods set UserID themselves.
type Own struct {
	db   *DB
	user int64
}

// One row of each table.
type (
	Preference = gen.Preference
	Fact       = gen.Fact
	Task       = gen.Task
	Timer      = gen.Timer
	Reminder   = gen.Reminder
	Plan       = gen.Plan
	Receipt    = gen.Receipt
	Turn       = gen.Turn
	Tally      = gen.TallyRow
	Session    = gen.Session
	Message    = gen.Message
	Job        = gen.Job
	Approval   = gen.Approval
	Permission = gen.Permission
	Entry      = gen.Ledger
	Memory     = gen.Memory
	Span       = gen.CountMemoriesRow // how many, and their lowest and highest ID
)

// change runs do in one transaction, which is on the disk when change returns nil, and has left no trace otherwise.
func (o *Own) change(ctx context.Context, doing string, do func(q *gen.Queries) error) error {
	return o.within(ctx, doing, func(t *tx) error { return do(t.Queries) })
}

// within is change for statements in two dialects.
func (o *Own) within(ctx context.Context, doing string, do func(t *tx) error) error {
	open, err := o.db.writer.BeginTx(ctx, nil)
	if err != nil {
		return fault(doing, err)
	}
	if o.db.engine == Postgres {
		err = turn(ctx, open)
	}
	if err == nil {
		err = do(&tx{Queries: gen.New(open), own: o, sql: open})
	}
	if err != nil {
		return errors.Join(fault(doing, err), rollback(open))
	}
	return fault(doing, open.Commit())
}

func rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return fmt.Errorf("taking a change back: %w", err)
	}
	return nil
}

// identify settles the ID of a row to store: a fresh one for 0; an old one is kept and never given out again.
func (o *Own) identify(ctx context.Context, q *gen.Queries, id int64) (int64, error) {
	if id < 0 {
		return 0, ErrNone
	}
	if id > 0 {
		return id, q.ReserveID(ctx, gen.ReserveIDParams{ID: o.user, LastID: id})
	}
	id, err := q.NextID(ctx, o.user)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoUser
	}
	return id, err
}

// plain makes text fit to be kept and shown anywhere: valid UTF-8 without control characters, lines and tabs apart.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Millis is how a time is kept; the zero time is 0.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time reads what Millis made, in UTC.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Maybe is how a time is kept where there may be none.
func Maybe(t time.Time) sql.NullInt64 { return sql.NullInt64{Int64: Millis(t), Valid: !t.IsZero()} }
