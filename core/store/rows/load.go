package rows

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

var (
	ErrNotEmpty = errors.New("it already holds rows, which are left as they are: name an empty database")
	ErrTorn     = errors.New("it is cut off or damaged")
)

const longestLine = 256 << 20 // bytes of one row in a dump

// Load stores all rows of a dump in an empty database, and reads them back: all or none. Errors: ErrNotEmpty, ErrTorn,
// ErrNewer.
func (db *DB) Load(ctx context.Context, r io.Reader) (d Dump, err error) {
	defer func() { err = fault("reading rows into "+db.path, err) }()
	in := &lines{Reader: bufio.NewReaderSize(r, 1<<16), all: sha256.New()}
	var head dumpHead
	if err := into(in, &head); err != nil {
		return d, err
	}
	if head.Solo != "rows" {
		return d, fmt.Errorf("%w: it does not begin as rows do", ErrTorn)
	}
	have, known, err := db.Version(ctx)
	if err != nil {
		return d, err
	}
	if head.Format != dumpFormat || head.Version > known {
		return d, fmt.Errorf("%w: the rows have version %d, this Solo knows up to %d", ErrNewer, head.Version, known)
	}
	if err := db.empty(ctx); err != nil {
		return d, err
	}
	if d.Version = head.Version; have != head.Version {
		if err := db.MigrateTo(ctx, head.Version); err != nil {
			return d, err
		}
		defer func() { err = errors.Join(err, db.MigrateTo(context.WithoutCancel(ctx), known)) }()
	}
	open, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return d, err
	}
	if d.Tables, err = db.fill(ctx, open, in); err != nil {
		return d, errors.Join(err, rollback(open))
	}
	return d, open.Commit()
}

// empty is nil where the database has no rows.
func (db *DB) empty(ctx context.Context) error {
	shapes, err := db.shapes(ctx, db.writer)
	if err != nil {
		return err
	}
	for _, s := range shapes {
		var some bool
		if err := db.writer.QueryRowContext(ctx, fmt.Sprintf(`SELECT EXISTS (SELECT 1 FROM "%s")`, s.table)).Scan(&some); err != nil {
			return err
		}
		if some {
			return ErrNotEmpty
		}
	}
	return nil
}

// fill stores the tables of a dump in one transaction, in which they may name each other's rows before they are there.
func (db *DB) fill(ctx context.Context, open *sql.Tx, in *lines) (sums []Sum, err error) {
	done, err := db.defers(ctx, open)
	if err != nil {
		return nil, err
	}
	shapes, err := db.shapes(ctx, open)
	if err != nil {
		return nil, err
	}
	for {
		var next struct {
			dumpTable
			dumpEnd
		}
		if err := into(in, &next); err != nil {
			return nil, err
		}
		if next.Table == "" {
			if next.End != len(sums) || next.All != in.before {
				return nil, fmt.Errorf("%w: its lines do not add up", ErrTorn)
			}
			return sums, done()
		}
		i := slices.IndexFunc(shapes, func(s shape) bool { return s.table == next.Table })
		var s shape
		if i >= 0 {
			s = shapes[i]
		}
		got, err := s.fill(ctx, open, in, next.dumpTable)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", next.Table, err)
		}
		sums = append(sums, got)
	}
}

// fill stores the rows of one table and reads them back. A table or column that is not here is another engine's own.
func (s shape) fill(ctx context.Context, open *sql.Tx, in *lines, t dumpTable) (Sum, error) {
	from := make([]int, 0, len(s.columns)) // where in the dump's row the columns stand
	here := shape{table: s.table}
	for i, c := range s.columns {
		if at := slices.Index(t.Columns, c); at >= 0 {
			from, here.columns, here.kinds = append(from, at), append(here.columns, c), append(here.kinds, s.kinds[i])
		}
	}
	var put *sql.Stmt
	if len(from) > 0 {
		var err error
		if put, err = open.PrepareContext(ctx, here.insert()); err != nil {
			return Sum{}, err
		}
		defer put.Close()
	}
	var said, stored sum
	picked := make([]any, len(from))
	for {
		row, err := in.cut()
		if err != nil {
			return Sum{}, err
		}
		if row[0] == '{' {
			total := Sum{t.Table, said.rows, said.String()}
			var want Sum
			if err := json.Unmarshal(row, &want); err != nil || want != total {
				return Sum{}, fmt.Errorf("%w: its rows do not add up", ErrTorn)
			}
			return total, here.verify(ctx, open, stored)
		}
		said.add(row)
		all, err := values(row)
		if err != nil || len(all) != len(t.Columns) {
			return Sum{}, fmt.Errorf("%w: row %d cannot be read", ErrTorn, said.rows)
		}
		if put == nil {
			continue
		}
		for i, at := range from {
			picked[i] = here.kinds[i].settle(all[at])
		}
		again, err := line(nil, here.kinds, picked)
		if err != nil {
			return Sum{}, err
		}
		stored.add(again)
		if _, err := put.ExecContext(ctx, picked...); err != nil {
			return Sum{}, fmt.Errorf("row %d: %w", said.rows, err)
		}
	}
}

// verify reads the table back.
func (s shape) verify(ctx context.Context, on gen.DBTX, want sum) error {
	if len(s.columns) == 0 {
		return nil
	}
	var got sum
	var buf []byte
	err := s.read(ctx, on, func(values []any) (err error) {
		if buf, err = line(buf[:0], s.kinds, values); err == nil {
			got.add(buf)
		}
		return err
	})
	if err == nil && got != want {
		err = fmt.Errorf("it has kept %d rows instead of %d, or others", got.rows, want.rows)
	}
	return err
}

// defers puts off the checks of rows that name others until done is called.
func (db *DB) defers(ctx context.Context, open *sql.Tx) (done func() error, err error) {
	if db.engine == SQLite {
		_, err := open.ExecContext(ctx, "PRAGMA defer_foreign_keys = ON")
		return func() error { return nil }, err // committing checks them
	}
	changes, err := column(ctx, open, `SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I ', conrelid::regclass, conname)
		FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND NOT condeferrable`)
	if err != nil {
		return nil, err
	}
	all := func(end string) error {
		for _, c := range changes {
			if _, err := open.ExecContext(ctx, c+end); err != nil {
				return err
			}
		}
		return nil
	}
	return func() error {
		if _, err := open.ExecContext(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
			return err
		}
		return all("NOT DEFERRABLE")
	}, all("DEFERRABLE INITIALLY DEFERRED")
}

// lines reads a dump line by line.
type lines struct {
	*bufio.Reader
	all    hash.Hash
	before string // checksum of all lines before the last one that into read
}

// cut reads a line.
func (in *lines) cut() ([]byte, error) {
	var row []byte
	for {
		part, err := in.ReadSlice('\n')
		row = append(row, part...)
		if len(row) > longestLine {
			return nil, fmt.Errorf("%w: a line does not end", ErrTorn)
		}
		if err == nil {
			in.all.Write(row)
			return row, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return nil, errors.Join(ErrTorn, err)
		}
	}
}

// into reads a line that is no row.
func into(in *lines, v any) error {
	in.before = hex.EncodeToString(in.all.Sum(nil))
	row, err := in.cut()
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(row))
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%w: a line cannot be read", ErrTorn)
	}
	return nil
}
