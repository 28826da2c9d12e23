package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Salvaged tells what became of a damaged file.
type Salvaged struct {
	Aside string   `json:"aside"` // where it lies now
	Rows  int64    `json:"rows"`  // that could be read, and are in the new file
	Torn  []string `json:"torn"`  // tables of which rows are lost, or may be
}

// mark lies beside a file that was found damaged while it was in use.
const mark = ".damaged"

// Damaged tells whether Condemn was called for a file.
func Damaged(path string) bool {
	_, err := os.Stat(path + mark)
	return err == nil
}

// Condemn has a file salvaged at the next start.
func (db *DB) Condemn() error {
	return fault("marking the damaged database", os.WriteFile(db.path+mark, nil, 0o600))
}

// Salvage puts a damaged file aside and makes a new one in its place, with all rows that can still be read. No program may
// have the file open.
func Salvage(ctx context.Context, path string) (s Salvaged, err error) {
	defer func() { err = fault("saving what can be read of "+path, err) }()
	s.Aside = path + ".damaged-" + time.Now().UTC().Format("2006-01-02T150405Z")
	for _, end := range []string{"-wal", ""} { // what was last written belongs to it; -shm is made again
		if err := os.Rename(path+end, s.Aside+end); err != nil && (end == "" || !errors.Is(err, fs.ErrNotExist)) {
			return s, err
		}
	}
	for _, end := range []string{"-shm", mark} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
	}
	db, err := Open(ctx, Config{Path: path})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	old, err := connectDamaged(s.Aside)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	return s, db.rescue(ctx, old, &s)
}

// rescue fills an empty database from a damaged one.
func (db *DB) rescue(ctx context.Context, old *sql.DB, s *Salvaged) error {
	_, known, err := db.Version(ctx)
	if err != nil {
		return err
	}
	version := known
	var said sql.NullInt64
	if old.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&said) == nil && said.Int64 > 0 && said.Int64 < known {
		version = said.Int64
	}
	if err := db.MigrateTo(ctx, version); err != nil {
		return err
	}
	open, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := db.refill(ctx, open, old, s); err != nil {
		return errors.Join(err, rollback(open))
	}
	if err := open.Commit(); err != nil {
		return err
	}
	return db.MigrateTo(ctx, known)
}

// late is a row that names another which is not there yet.
type late struct {
	shape  shape
	values []any
}

func (db *DB) refill(ctx context.Context, open *sql.Tx, old *sql.DB, s *Salvaged) error {
	shapes, err := db.shapes(ctx, open)
	if err != nil {
		return err
	}
	var waiting []late
	torn := map[string]bool{}
	for _, sh := range shapes {
		whole, err := sh.scrape(ctx, old, func(values []any) {
			if _, err := open.ExecContext(ctx, sh.insert(), values...); err != nil {
				waiting = append(waiting, late{sh, values})
				return
			}
			s.Rows++
		})
		if err != nil {
			return err
		}
		torn[sh.table] = !whole
	}
	for again := true; again && len(waiting) > 0; {
		again = false
		var still []late
		for _, l := range waiting {
			if _, err := open.ExecContext(ctx, l.shape.insert(), l.values...); err != nil {
				still = append(still, l)
				continue
			}
			again = true
			s.Rows++
		}
		waiting = still
	}
	for _, l := range waiting {
		torn[l.shape.table] = true
	}
	for _, sh := range shapes {
		if torn[sh.table] {
			s.Torn = append(s.Torn, sh.table)
		}
	}
	return ctx.Err()
}

// scrape gives do all rows that can be read of a damaged table: from its beginning up to the damage, and from its end back
// to it. It tells whether that were all.
func (s shape) scrape(ctx context.Context, old *sql.DB, do func([]any)) (whole bool, err error) {
	var last int64
	seen := false
	pass := func(query string, args ...any) error {
		rows, err := old.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		return each(rows, func() error {
			values := make([]any, len(s.columns)+1)
			into := make([]any, len(values))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			at, ok := values[0].(int64)
			if !ok {
				return fmt.Errorf("a row has no number")
			}
			last, seen = at, true
			do(values[1:])
			return nil
		})
	}
	what := fmt.Sprintf(`SELECT rowid, %s FROM "%s"`, s.list(), s.table)
	up := pass(what + " ORDER BY rowid")
	if up == nil || ctx.Err() != nil {
		return true, ctx.Err()
	}
	if !seen {
		last = -1 << 63
	}
	_ = pass(what+" WHERE rowid > $1 ORDER BY rowid DESC", last) // it ends at the damage as well
	return false, ctx.Err()
}
