package rows

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
)

const dumpFormat = 1

// Sum is how many rows a table has, and a checksum of them in whatever order.
type Sum struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Sum   string `json:"sum"`
}

// Dump tells what a dump holds. A dump is lines of JSON: a head, and for each table its columns, its rows and their Sum,
// and an end.
type Dump struct {
	Version int64 // of the tables
	Tables  []Sum
}

// The lines of a dump that are no rows.
type (
	dumpHead struct {
		Solo    string `json:"solo"` // "rows"
		Format  int    `json:"format"`
		Version int64  `json:"version"`
		Engine  Engine `json:"engine"`
	}
	dumpTable struct {
		Table   string   `json:"table"`
		Columns []string `json:"columns"`
	}
	dumpEnd struct {
		End int    `json:"end"` // how many tables there were
		All string `json:"all"` // SHA-256 of all lines before
	}
)

// snapshot is a transaction that sees one moment and changes nothing.
func (db *DB) snapshot(ctx context.Context) (*sql.Tx, error) {
	if db.engine == Postgres {
		return db.readers.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	}
	return db.readers.BeginTx(ctx, nil) // a reader's transaction in WAL sees one moment
}

// Dump writes all rows of one moment. Other programs go on reading and writing meanwhile.
func (db *DB) Dump(ctx context.Context, w io.Writer) (d Dump, err error) {
	if d.Version, _, err = db.Version(ctx); err != nil {
		return d, err
	}
	open, err := db.snapshot(ctx)
	if err != nil {
		return d, fault("writing all rows out", err)
	}
	defer func() { err = errors.Join(fault("writing all rows out", err), rollback(open)) }()
	all := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, all), 1<<16)
	lines := json.NewEncoder(out)
	if err := lines.Encode(dumpHead{"rows", dumpFormat, d.Version, db.engine}); err != nil {
		return d, err
	}
	shapes, err := db.shapes(ctx, open)
	if err != nil {
		return d, err
	}
	for _, s := range shapes {
		if err := lines.Encode(dumpTable{s.table, s.columns}); err != nil {
			return d, err
		}
		var total sum
		var buf []byte
		err := s.read(ctx, open, func(values []any) (err error) {
			if buf, err = line(buf[:0], s.kinds, values); err != nil {
				return err
			}
			total.add(buf)
			_, err = out.Write(buf)
			return err
		})
		if err != nil {
			return d, err
		}
		d.Tables = append(d.Tables, Sum{s.table, total.rows, total.String()})
		if err := lines.Encode(d.Tables[len(d.Tables)-1]); err != nil {
			return d, err
		}
	}
	if err := out.Flush(); err != nil {
		return d, err
	}
	if err := lines.Encode(dumpEnd{len(shapes), hex.EncodeToString(all.Sum(nil))}); err != nil {
		return d, err
	}
	return d, out.Flush()
}
