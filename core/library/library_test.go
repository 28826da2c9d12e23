package library_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plain reads files of text: a form feed ends a page, "# " begins a heading, and "broken" at the start cannot be read.
type plain struct {
	reads chan string // names that were read; nil for nobody
}

var errBroken = errors.New("broken")

func (plain) Fits(name string) bool {
	return strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md")
}
func (plain) Most() int64             { return 1 << 20 }
func (plain) Excuse(err error) string { return "I can't read it: " + err.Error() + "." }

func (p plain) Read(_ context.Context, name string, data []byte, told func(done, pages int)) (library.Paper, error) {
	if p.reads != nil {
		p.reads <- name
	}
	text := string(data)
	switch {
	case strings.HasPrefix(text, "broken"):
		return library.Paper{}, errBroken
	case strings.HasPrefix(text, "panic"):
		panic("a trap")
	}
	out := library.Paper{Kind: "text", Title: strings.TrimSuffix(name, filepath.Ext(name))}
	parts := strings.Split(text, "\f")
	for i, part := range parts {
		page := library.Page{Number: i + 1, Text: part}
		at := 0
		for row := range strings.SplitAfterSeq(part, "\n") {
			if head, ok := strings.CutPrefix(row, "# "); ok {
				page.Heads = append(page.Heads, library.Head{Level: 1, Text: strings.TrimSpace(head), At: at})
			}
			at += len(row)
		}
		out.Pages = append(out.Pages, page)
		told(i+1, len(parts))
	}
	out.Total = len(parts)
	return out, nil
}

// open makes a library over a database, whose own folder is dir.
func open(t testing.TB, db *rows.DB, dir string, change ...func(*library.Config)) *library.Library {
	t.Helper()
	c := library.Config{Own: dir, Rows: store.New(db, rowstest.Owner(t, db)).Library(), Reader: plain{}}
	c.Every = time.Hour
	for _, f := range change {
		f(&c)
	}
	return library.New(c)
}

// serve runs a library until the test ends or stop is called.
func serve(t testing.TB, l *library.Library) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Serve(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return stop
}

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// until waits for the list to be as wanted: "name state", sorted.
func until(t testing.TB, l *library.Library, want ...string) {
	t.Helper()
	var got []string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		got = nil
		items, err := l.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range items {
			got = append(got, i.Name+" "+string(i.State))
		}
		if slices.Equal(got, want) {
			return
		}
	}
	t.Fatalf("the library has %q, want %q", got, want)
}

// found gives the names of the documents that answer a question.
func found(t testing.TB, l *library.Library, question string) []string {
	t.Helper()
	hits, err := l.Search(t.Context(), question, 10)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s:%d", h.Document, h.Page))
	}
	return out
}

func each(t *testing.T, do func(t *testing.T, db *rows.DB)) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) { do(t, rowstest.Open(t, c)) })
}

func TestDocumentsAreFoundByWhatTheySay(t *testing.T) {
	each(t, func(t *testing.T, db *rows.DB) {
		dir := t.TempDir()
		write(t, dir, "contracts/flat.txt", "# Rent\nThe rent is 900 euros a month and is due on the third working day of it.\n# Notice\nThe tenant may give notice of three months to the end of a month, in writing.")
		write(t, dir, "bread.md", "# Sourdough\nKnead the dough for ten minutes.\fLet it prove overnight in the fridge, then bake it at 240 degrees.")
		write(t, dir, "copy of bread.md", "# Sourdough\nKnead the dough for ten minutes.\fLet it prove overnight in the fridge, then bake it at 240 degrees.")
		write(t, dir, "bad.txt", "broken all over")
		write(t, dir, "trap.txt", "panic now")
		write(t, dir, ".hidden.txt", "hidden dough")
		write(t, dir, ".git/notes.txt", "hidden dough")
		write(t, dir, "letter.txt~", "an old dough")
		write(t, dir, "~$flat.txt", "a lock of dough")
		write(t, dir, "photo.jpg", "dough")
		l := open(t, db, dir)
		serve(t, l)
		until(t, l, "bad.txt broken", "bread.md read", "contracts/flat.txt read", "copy of bread.md read", "trap.txt broken")
		if got := found(t, l, "how long is the notice period"); !slices.Equal(got, []string{"contracts/flat.txt:1"}) {
			t.Errorf("the notice stands in %q", got)
		}
		hits, err := l.Search(t.Context(), "baking temperature of the dough in the fridge", 1)
		if err != nil || len(hits) != 1 {
			t.Fatalf("found %v, %v", hits, err)
		}
		h := hits[0]
		if h.Document != "bread.md" || !slices.Equal(h.Same, []string{"copy of bread.md"}) || h.Page != 2 || h.Heading != "Sourdough" || h.Pages != 2 || h.Kind != "text" {
			t.Errorf("found %+v", h)
		}
		items, err := l.List(t.Context())
		if err != nil || items[0].Why != "I can't read it: broken." || !strings.Contains(items[4].Why, "broken in a way") {
			t.Errorf("why: %q, %q, %v", items[0].Why, items[4].Why, err)
		}
		if _, err := l.Search(t.Context(), " ?! ", 5); !errors.Is(err, library.ErrNothing) {
			t.Errorf("a question without words: %v", err)
		}
	})
}
