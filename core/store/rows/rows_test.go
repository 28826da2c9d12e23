package rows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("SOLO_ROWS_CHILD"); path != "" {
		child(path)
	}
	goleak.VerifyTestMain(m)
}

// The same tests hold on PostgreSQL.
func TestOnPostgres(t *testing.T) { pgtest.Again(t) }

// at is the database of a path, on the engine that is tried.
func at(t testing.TB, path string) Config { return Config{Path: path, DSN: DSN(pgtest.At(t, path))} }

func fresh(t testing.TB) *DB {
	t.Helper()
	return reopen(t, filepath.Join(t.TempDir(), "solo.db"))
}

func reopen(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(context.Background(), at(t, path))
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

func owner(t testing.TB, db *DB) *Own {
	t.Helper()
	id, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return db.Of(id)
}

func keep(t testing.TB, o *Own, text string) Fact {
	t.Helper()
	f, err := o.PutFacts(t.Context(), Fact{Text: text, Source: "test", At: time.Now().UnixMilli()})
	if err != nil {
		t.Fatal(err)
	}
	return f[0]
}

func texts(t testing.TB, o *Own) []string {
	t.Helper()
	facts, err := o.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.Text)
	}
	slices.Sort(out)
	return out
}

func TestUsersDoNotSeeEachOther(t *testing.T) {
	db := fresh(t)
	a, err := db.User(t.Context(), "anna")
	if err != nil {
		t.Fatal(err)
	}
	b, err := db.User(t.Context(), "ben")
	if err != nil || a == b {
		t.Fatalf("users %d and %d, %v", a, b, err)
	}
	if again, err := db.User(t.Context(), "anna"); err != nil || again != a {
		t.Fatalf("anna is %d and then %d, %v", a, again, err)
	}
	hers := keep(t, db.Of(a), "anna's secret")
	his := keep(t, db.Of(b), "ben's secret")
	if hers.ID != his.ID {
		t.Fatalf("the test wants one ID for both, got %d and %d", hers.ID, his.ID)
	}
	if _, err := db.Of(b).RemoveFacts(t.Context(), his.ID); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, db.Of(a)); !slices.Equal(got, []string{"anna's secret"}) {
		t.Errorf("anna has %v", got)
	}
	if got := texts(t, db.Of(b)); len(got) != 0 {
		t.Errorf("ben has %v", got)
	}
}

func TestAnUnknownUserHasAndGetsNothing(t *testing.T) {
	o := fresh(t).Of(77)
	if got := texts(t, o); len(got) != 0 {
		t.Errorf("has %v", got)
	}
	if _, err := o.PutFacts(t.Context(), Fact{Text: "x"}); !errors.Is(err, ErrNoUser) {
		t.Errorf("storing for nobody: %v", err)
	}
	if _, err := o.PutFacts(t.Context(), Fact{ID: 3, Text: "x"}); err == nil {
		t.Error("stored for nobody")
	}
}

func TestAnIDIsNeverUsedTwice(t *testing.T) {
	o := owner(t, fresh(t))
	a := keep(t, o, "a")
	if _, err := o.RemoveFacts(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	b := keep(t, o, "b")
	if b.ID <= a.ID {
		t.Fatalf("%d after %d", b.ID, a.ID)
	}
	if _, err := o.PutFacts(t.Context(), a, Fact{ID: 1000, Text: "far"}); err != nil {
		t.Fatal(err)
	}
	if c := keep(t, o, "c"); c.ID != 1001 {
		t.Errorf("after 1000 came %d", c.ID)
	}
	if got := texts(t, o); !slices.Equal(got, []string{"a", "b", "c", "far"}) {
		t.Errorf("has %v", got)
	}
}

func TestAChangeIsWholeOrNotAtAll(t *testing.T) {
	o := owner(t, fresh(t))
	a := keep(t, o, "a")
	if _, err := o.RemoveFacts(t.Context(), a.ID, 999); !errors.Is(err, ErrNone) {
		t.Errorf("removing what never was: %v", err)
	}
	if _, err := o.PutFacts(t.Context(), Fact{Text: "b"}, Fact{ID: -1}); !errors.Is(err, ErrNone) {
		t.Errorf("a negative ID: %v", err)
	}
	if got := texts(t, o); !slices.Equal(got, []string{"a"}) {
		t.Errorf("half a change stayed: %v", got)
	}
}

func TestTextIsMadePlain(t *testing.T) {
	o := owner(t, fresh(t))
	for text, want := range map[string]string{
		"line\nand\ttab":                         "line\nand\ttab",
		"nul\x00bell\x07\x1b[31mred\u0085\u009b": "nulbell[31mred",
		"bro\xffken":                             "bro\uFFFDken",
		"'); DROP TABLE facts; --":               "'); DROP TABLE facts; --",
		"日本語 🙂 עברית":                            "日本語 🙂 עברית",
	} {
		if got := keep(t, o, text).Text; got != want {
			t.Errorf("%q was kept as %q", text, got)
		}
	}
	if got := texts(t, o); len(got) != 5 {
		t.Errorf("has %q", got)
	}
}

func TestOneConnectionWritesWhileOthersRead(t *testing.T) {
	db := fresh(t)
	o := owner(t, db)
	var wg sync.WaitGroup
	const writers, each = 4, 25
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				keep(t, o, fmt.Sprintf("%d/%d", w, i))
			}
		})
	}
	for range 4 {
		wg.Go(func() {
			for last := 0; last < writers*each/2; {
				facts, err := o.Facts(t.Context())
				if err != nil || len(facts) < last {
					t.Errorf("%d facts after %d, %v", len(facts), last, err)
					return
				}
				last = len(facts)
			}
		})
	}
	wg.Wait()
	ids := map[int64]bool{}
	facts, err := o.Facts(t.Context())
	for _, f := range facts {
		ids[f.ID] = true
	}
	if err != nil || len(ids) != writers*each {
		t.Errorf("%d different IDs, %v", len(ids), err)
	}
}

func TestReadersCannotWrite(t *testing.T) {
	db := fresh(t)
	if _, err := db.readers.ExecContext(t.Context(), "DELETE FROM users"); err == nil {
		t.Error("a reader wrote")
	}
	var mode, sync string
	if db.engine == Postgres {
		if err := db.writer.QueryRowContext(t.Context(), "SHOW synchronous_commit").Scan(&sync); err != nil || sync != "on" {
			t.Errorf("synchronous_commit %s, %v", sync, err)
		}
		return
	}
	if err := db.writer.QueryRowContext(t.Context(), "SELECT * FROM pragma_journal_mode, pragma_synchronous").Scan(&mode, &sync); err != nil || mode != "wal" || sync != "2" {
		t.Errorf("journal %s, synchronous %s (2 is full), %v", mode, sync, err)
	}
}

func TestPreferences(t *testing.T) {
	o := owner(t, fresh(t))
	for _, v := range []string{"Jo", "Johanna"} {
		if err := o.PutPreference(t.Context(), Preference{Key: "name", Value: v, Source: "voice", At: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if p, ok, err := o.Preference(t.Context(), "name"); err != nil || !ok || p.Value != "Johanna" {
		t.Errorf("got %+v, %v, %v", p, ok, err)
	}
	if _, ok, err := o.Preference(t.Context(), "zone"); ok || err != nil {
		t.Errorf("an unset one: %v, %v", ok, err)
	}
	if all, err := o.Preferences(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestAnEndedContextIsSaid(t *testing.T) {
	o := owner(t, fresh(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.PutFacts(ctx, Fact{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("writing: %v", err)
	}
	if _, err := o.Facts(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}
	if got := texts(t, o); len(got) != 0 {
		t.Errorf("kept %v", got)
	}
}

func TestUseAfterCloseIsAnError(t *testing.T) {
	db, err := Open(t.Context(), at(t, filepath.Join(t.TempDir(), "solo.db")))
	if err != nil {
		t.Fatal(err)
	}
	o := owner(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Facts(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("reading: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func BenchmarkPut(b *testing.B) {
	o := owner(b, fresh(b))
	for b.Loop() {
		keep(b, o, "the spare key is under the blue pot")
	}
}

func BenchmarkGet(b *testing.B) {
	o := owner(b, fresh(b))
	task, err := o.PutTask(b.Context(), Task{Description: "x", Tags: "[]", Status: "open"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := o.Task(b.Context(), task.ID); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "solo.db")
	reopen(b, path)
	for b.Loop() {
		db, err := Open(b.Context(), Config{Path: path})
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
