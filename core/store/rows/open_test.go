package rows

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

func TestOpenMakesFolderAndPrivateFile(t *testing.T) {
	pgtest.OnlyFiles(t)
	for _, name := range []string{"plain", "with space", "100% #1?mode=ro&x", "Zürich", "quote'\""} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, `?"`) {
			continue
		}
		path := filepath.Join(t.TempDir(), name, "deep", "solo.db")
		o := owner(t, reopen(t, path))
		keep(t, o, "x")
		for file, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if info.Mode() != want && runtime.GOOS != "windows" {
				t.Errorf("%s: %s has mode %v, want %v", name, filepath.Base(file), info.Mode(), want)
			}
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	pgtest.OnlyFiles(t)
	write := func(t *testing.T, data string) string {
		path := filepath.Join(t.TempDir(), "solo.db")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, tt := range map[string]struct {
		path func(t *testing.T) string
		want error
		says string
	}{
		"no path":            {func(*testing.T) string { return "" }, nil, "no path is set"},
		"no database":        {func(t *testing.T) string { return write(t, strings.Repeat("not a database ", 500)) }, ErrCorrupt, "move it away"},
		"a torn header":      {func(t *testing.T) string { return write(t, "SQLite format 3\x00"+strings.Repeat("\xff", 4080)) }, ErrCorrupt, "move it away"},
		"a folder":           {func(t *testing.T) string { return t.TempDir() }, nil, "directory"},
		"a file as folder":   {func(t *testing.T) string { return filepath.Join(write(t, "x"), "solo.db") }, nil, "not a directory"},
		"a newer schema":     {newer, ErrNewer, "update Solo"},
		"a foreign database": {foreign, nil, "up to date"},
	} {
		t.Run(name, func(t *testing.T) {
			path := tt.path(t)
			db, err := Open(t.Context(), Config{Path: path})
			if err == nil {
				_ = db.Close()
				t.Fatal("opened")
			}
			if tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("said %v", err)
			}
			t.Log(err)
		})
	}
}

func newer(t *testing.T) string {
	db := fresh(t)
	if _, err := db.writer.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"); err != nil {
		t.Fatal(err)
	}
	return db.Path()
}

// foreign is a database of another program, with a table of the same name.
func foreign(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "solo.db")
	pool, err := connect(path, "full", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.ExecContext(t.Context(), "CREATE TABLE tasks (x)"); err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamageInsideIsFound(t *testing.T) {
	pgtest.OnlyFiles(t)
	path := filepath.Join(t.TempDir(), "solo.db")
	db, err := Open(t.Context(), Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	o := owner(t, db)
	for range 600 { // so that the second half holds nothing else
		keep(t, o, strings.Repeat("a long fact ", 100))
	}
	if err := db.Check(t.Context()); err != nil {
		t.Fatalf("a sound database: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(data) / 2; i < len(data); i++ {
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db = reopen(t, path)
	if err := db.Check(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("checking: %v", err)
	}
	if _, err := owner(t, db).Facts(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("reading: %v", err)
	}
}

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	pgtest.OnlyFiles(t)
	db := fresh(t)
	o := owner(t, db)
	keep(t, o, "before")
	var pages int
	if err := db.writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) { // SQLite answers a full disk and a reached page limit in the same way
		var got int
		if err := db.writer.QueryRowContext(t.Context(), "PRAGMA max_page_count = "+strconv.Itoa(n)).Scan(&got); err != nil || got != n {
			t.Fatalf("limit %d, %v", got, err)
		}
	}
	limit(pages)
	var err error
	for range 20 {
		if _, err = o.PutFacts(t.Context(), Fact{Text: strings.Repeat("x", 8000)}); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "free some space") {
		t.Fatalf("said %v", err)
	}
	had := len(texts(t, o))
	limit(1 << 20)
	keep(t, o, "after")
	if got := len(texts(t, o)); got != had+1 {
		t.Errorf("%d facts, want %d", got, had+1)
	}
}

func TestOpenedByManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			db, err := Open(context.Background(), at(t, path))
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := db.User(context.Background(), "owner"); err != nil {
				t.Error(err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
