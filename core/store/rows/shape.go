package rows

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// kind is what a column holds, whatever an engine calls it.
type kind byte

const (
	anything kind = iota
	number
	fraction
	truth
	text
	octets
)

// kindOfColumn reads a declared type as SQLite does, which fits PostgreSQL's names as well.
func kindOfColumn(declared string) kind {
	d := strings.ToLower(declared)
	for _, k := range []struct {
		part string
		kind kind
	}{{"bool", truth}, {"int", number}, {"char", text}, {"text", text}, {"double", fraction}, {"real", fraction}, {"float", fraction}, {"bytea", octets}, {"blob", octets}} {
		if strings.Contains(d, k.part) {
			return k.kind
		}
	}
	return anything
}

// shape is one table that is copied: all columns that are no engine's own reckoning, by their names.
type shape struct {
	table   string
	columns []string
	kinds   []kind
}

// shapes lists the tables that are copied, the users first. What an engine keeps for searching is not among them.
func (db *DB) shapes(ctx context.Context, on gen.DBTX) ([]shape, error) {
	names, columns := "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'goose_db_version' ORDER BY name",
		"SELECT name, type FROM pragma_table_xinfo($1) WHERE hidden = 0 ORDER BY name"
	if db.engine == Postgres {
		names = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'goose_db_version' ORDER BY table_name"
		columns = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY column_name"
	}
	tables, err := column(ctx, on, names)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(tables, func(a, b string) int { return first(b) - first(a) })
	var out []shape
	for _, table := range tables {
		s := shape{table: table}
		rows, err := on.QueryContext(ctx, columns, table)
		if err != nil {
			return nil, err
		}
		err = each(rows, func() error {
			var name, declared string
			err := rows.Scan(&name, &declared)
			s.columns, s.kinds = append(s.columns, name), append(s.kinds, kindOfColumn(declared))
			return err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func first(table string) int {
	if table == "users" {
		return 1
	}
	return 0
}

// column reads texts.
func column(ctx context.Context, on gen.DBTX, query string, args ...any) (out []string, err error) {
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return out, each(rows, func() error {
		var s string
		err := rows.Scan(&s)
		out = append(out, s)
		return err
	})
}

// each does something with every row, and closes them.
func each(rows *sql.Rows, do func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := do(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// list names the columns in SQL.
func (s shape) list() string { return `"` + strings.Join(s.columns, `", "`) + `"` }

// read gives each row's values to do, which must not keep them.
func (s shape) read(ctx context.Context, on gen.DBTX, do func([]any) error) error {
	rows, err := on.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM "%s"`, s.list(), s.table))
	if err != nil {
		return err
	}
	values, into := make([]any, len(s.columns)), make([]any, len(s.columns))
	for i := range values {
		into[i] = &values[i]
	}
	return each(rows, func() error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		return do(values)
	})
}

// insert is the statement that stores one row.
func (s shape) insert() string {
	places := make([]string, len(s.columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf(`INSERT INTO "%s" (%s) VALUES (%s)`, s.table, s.list(), strings.Join(places, ", "))
}
