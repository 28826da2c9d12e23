package rowstest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/pgtest"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// Each gives two databases that keep what they are given, and nothing of each other.
func TestEach(t *testing.T) {
	seen := map[rows.Engine]bool{}
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db := rowstest.Open(t, c)
		own := db.Of(rowstest.Owner(t, db))
		if _, err := own.PutFacts(t.Context(), rows.Fact{Text: "one", At: time.Now().UnixMilli()}); err != nil {
			t.Fatal(err)
		}
		again := rowstest.Open(t, c)
		if f, err := again.Of(rowstest.Owner(t, again)).Facts(t.Context()); err != nil || len(f) != 1 || f[0].Text != "one" {
			t.Errorf("has %v, %v", f, err)
		}
		seen[db.Engine()] = true
	})
	if !seen[rows.SQLite] {
		t.Error("SQLite was not tried")
	}
}

// A server can be stopped and started again, and has what it had.
func TestAServerComesBack(t *testing.T) {
	s := pgtest.NewServer(t)
	c := rows.Config{DSN: rows.DSN(s.Database(t))}
	db := rowstest.Open(t, c)
	own := db.Of(rowstest.Owner(t, db))
	if _, err := own.PutFacts(t.Context(), rows.Fact{Text: "one"}); err != nil {
		t.Fatal(err)
	}
	s.Stop(t)
	if _, err := rows.Open(t.Context(), c); !errors.Is(err, rows.ErrDown) {
		t.Errorf("opening: %v", err)
	}
	s.Start(t)
	again := rowstest.Open(t, c)
	if f, err := again.Of(rowstest.Owner(t, again)).Facts(t.Context()); err != nil || len(f) != 1 {
		t.Errorf("has %v, %v", f, err)
	}
}
