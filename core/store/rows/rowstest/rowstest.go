// Package rowstest opens databases for tests, on every engine that this machine has.
//
//	func TestNotes(t *testing.T) {
//		rowstest.Each(t, func(t *testing.T, c rows.Config) {
//			db := rowstest.Open(t, c)
//			...
//		})
//	}
//
// A PostgreSQL is started by the first test of a program that wants one, and ends with that program.
package rowstest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// Each runs a test on both engines, each with an empty database of its own. The half on PostgreSQL is skipped where there
// is none.
func Each(t *testing.T, do func(t *testing.T, c rows.Config)) {
	t.Helper()
	for _, e := range []rows.Engine{rows.SQLite, rows.Postgres} {
		t.Run(string(e), func(t *testing.T) { do(t, Config(t, e)) })
	}
}

// Config names a new, empty database. The test is skipped where the engine is missing.
func Config(t testing.TB, e rows.Engine) rows.Config {
	t.Helper()
	if e == rows.Postgres {
		return rows.Config{DSN: rows.DSN(pgtest.Shared(t).Database(t))}
	}
	return rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")}
}

// Open opens a database until the end of the test.
func Open(t testing.TB, c rows.Config) *rows.DB {
	t.Helper()
	db, err := rows.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// At names the database of a path: a file, or in the second run that pgtest.Again makes a database that stands for it.
func At(t testing.TB, path string) rows.Config {
	return rows.Config{Path: path, DSN: rows.DSN(pgtest.At(t, path))}
}

// Owner gives the first user's ID, made where there is none.
func Owner(t testing.TB, db *rows.DB) rows.UserID {
	t.Helper()
	user, err := db.User(context.Background(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return user
}
