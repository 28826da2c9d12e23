package rows

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
)

// schema is all that the database is made of, goose's own table apart.
func schema(t *testing.T, db *DB) []string {
	t.Helper()
	if db.engine == Postgres {
		return serverSchema(t, db)
	}
	rows, err := db.writer.QueryContext(t.Context(), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '%goose%' AND name NOT LIKE 'sqlite%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	return readTexts(t, rows)
}

// serverSchema is schema on PostgreSQL.
func serverSchema(t *testing.T, db *DB) []string {
	t.Helper()
	rows, err := db.writer.QueryContext(t.Context(), `
		SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || COALESCE(generation_expression, '')
		FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE 'goose%'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename NOT LIKE 'goose%'
		UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
			WHERE connamespace = current_schema()::regnamespace AND conrelid::regclass::text NOT LIKE 'goose%'
		ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	return readTexts(t, rows)
}

// readTexts reads a column of texts.
func readTexts(t *testing.T, rows *sql.Rows) (out []string) {
	t.Helper()
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Every step down undoes its step up, and up again gives the same tables.
func TestMigrationsGoBothWays(t *testing.T) {
	db := fresh(t)
	have, known, err := db.Version(t.Context())
	if err != nil || have != known || known < 1 {
		t.Fatalf("version %d of %d, %v", have, known, err)
	}
	full := schema(t, db)
	steps := map[int64][]string{known: full}
	for v := known - 1; v >= 0; v-- {
		if err := db.MigrateTo(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		steps[v] = schema(t, db)
	}
	if len(steps[0]) != 0 {
		t.Errorf("version 0 still has %v", steps[0])
	}
	for v := int64(1); v <= known; v++ {
		if err := db.MigrateTo(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		if got := schema(t, db); !slices.Equal(got, steps[v]) {
			t.Errorf("version %d is\n%v after coming down and\n%v after going up", v, steps[v], got)
		}
	}
	keep(t, owner(t, db), "works")
}

func TestOpenBringsAnOldDatabaseUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	db := reopen(t, path)
	if err := db.MigrateTo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	keep(t, owner(t, reopen(t, path)), "works")
}
