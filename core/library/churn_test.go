package library_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// What happens to files while the library watches happens to the library.
func TestChangesAreFollowed(t *testing.T) {
	each(t, func(t *testing.T, db *rows.DB) {
		dir := t.TempDir()
		reads := make(chan string, 100)
		l := open(t, db, dir, func(c *library.Config) { c.Reader = plain{reads} })
		serve(t, l)
		until(t, l)
		path := write(t, dir, "one.txt", "The heron stands in the reeds.")
		until(t, l, "one.txt read")
		write(t, dir, "sub/deep/two.txt", "The otter swims in the brook.")
		until(t, l, "one.txt read", "sub/deep/two.txt read")
		if got := found(t, l, "otter"); !slices.Equal(got, []string{"sub/deep/two.txt:1"}) {
			t.Errorf("the otter is in %q", got)
		}
		write(t, dir, "one.txt", "The stork stands on the roof of the barn.")
		for end := time.Now().Add(10 * time.Second); len(found(t, l, "stork")) == 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		}
		if got := found(t, l, "heron stork"); !slices.Equal(got, []string{"one.txt:1"}) || len(found(t, l, "heron")) != 0 {
			t.Errorf("after the change: %q, heron %q", got, found(t, l, "heron"))
		}
		before := len(reads)
		if err := os.Rename(path, filepath.Join(dir, "uno.txt")); err != nil {
			t.Fatal(err)
		}
		until(t, l, "sub/deep/two.txt read", "uno.txt read")
		if got := found(t, l, "stork"); !slices.Equal(got, []string{"uno.txt:1"}) || len(reads) > before+1 {
			t.Errorf("after renaming: %q, read %d times more", got, len(reads)-before)
		}
		if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
			t.Fatal(err)
		}
		until(t, l, "uno.txt read")
		if got := found(t, l, "otter"); len(got) != 0 {
			t.Errorf("after deleting, the otter is in %q", got)
		}
	})
}

// A broken file is told and not tried again until it changes, also after a restart.
func TestABrokenFileIsTriedAgainWhenItChanges(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	dir := t.TempDir()
	path := write(t, dir, "bad.txt", "broken")
	for range 2 {
		reads := make(chan string, 10)
		l := open(t, db, dir, func(c *library.Config) { c.Reader = plain{reads} })
		stop := serve(t, l)
		until(t, l, "bad.txt broken")
		if err := l.Changed(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		until(t, l, "bad.txt broken")
		stop()
		reads <- "end"
		if first := <-reads; first == "bad.txt" && len(reads) > 1 {
			t.Error("it was read twice")
		}
	}
	l := open(t, db, dir)
	serve(t, l)
	write(t, dir, "bad.txt", "mended at last")
	until(t, l, "bad.txt read")
}

// Links lead nowhere, and what is too large is not opened.
func TestWhatIsLeftAlone(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	dir, outside := t.TempDir(), t.TempDir()
	secret := write(t, outside, "secret.txt", "the otter's secret")
	write(t, dir, "fine.txt", "fine words")
	write(t, dir, "huge.txt", strings.Repeat("otter ", 1<<18))
	write(t, dir, "half.txt.part", "otter")
	for name, to := range map[string]string{"link.txt": secret, "folder": outside, "loop": dir} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("skipped: no links here: %v", err)
		}
	}
	l := open(t, db, dir)
	serve(t, l)
	until(t, l, "fine.txt read", "huge.txt broken")
	if got := found(t, l, "otter"); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if items, err := l.List(t.Context()); err != nil || items[1].Why != "It is too large." {
		t.Errorf("%+v, %v", items, err)
	}
}

// A folder that is not there, as on a drive that was pulled out, keeps its documents.
func TestAFolderThatWentKeepsItsDocuments(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	base := t.TempDir()
	drive := filepath.Join(base, "drive")
	write(t, drive, "one.txt", "The heron stands in the reeds.")
	l := open(t, db, filepath.Join(base, "own"))
	serve(t, l)
	if _, err := l.Add(t.Context(), drive); err != nil {
		t.Fatal(err)
	}
	until(t, l, "one.txt read")
	if err := os.Rename(drive, drive+".away"); err != nil {
		t.Fatal(err)
	}
	if err := l.Changed(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	until(t, l, "one.txt read")
	s, err := l.Status(t.Context())
	if err != nil || !slices.ContainsFunc(s.Folders, func(f library.Folder) bool { return f.Path == drive && f.Missing && f.Given }) {
		t.Errorf("status %+v, %v", s, err)
	}
	if gone, err := l.Remove(t.Context(), drive); err != nil || len(gone) != 1 {
		t.Errorf("removed %q, %v", gone, err)
	}
	until(t, l)
}

// Erasing a document takes its passages, its index and its vectors with it; under another name they stay.
func TestErasingLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, db *rows.DB) {
		dir := t.TempDir()
		write(t, dir, "a.txt", "The zyzzyva is a weevil.")
		write(t, dir, "b.txt", "The zyzzyva is a weevil.")
		l := open(t, db, dir, func(c *library.Config) { c.Embedder = letters{} })
		serve(t, l)
		until(t, l, "a.txt read", "b.txt read")
		keep := store.New(db, rowstest.Owner(t, db)).Library()
		vectors := func() int {
			v, _, err := keep.Vectors(t.Context(), "letters", 0, 10)
			if err != nil {
				t.Fatal(err)
			}
			return len(v)
		}
		if err := keep.PutVectors(t.Context(), "letters", map[int64][]float32{only(t, keep): {1, 2}}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Remove(t.Context(), "a.txt"); err != nil {
			t.Fatal(err)
		}
		if got := found(t, l, "zyzzyva"); !slices.Equal(got, []string{"b.txt:1"}) || vectors() != 1 {
			t.Errorf("one name is left, found %q, %d vectors", got, vectors())
		}
		if _, err := l.Remove(t.Context(), "b.txt"); err != nil {
			t.Fatal(err)
		}
		ids, err := keep.Holding(t.Context(), [][]string{{"zyzzyva"}}, 10)
		n, _, _, err2 := keep.Span(t.Context())
		if err != nil || err2 != nil || len(ids) != 0 || n != 0 || vectors() != 0 {
			t.Errorf("left: %v in the index, %d passages, %d vectors, %v, %v", ids, n, vectors(), err, err2)
		}
		if texts, err := keep.Texts(t.Context()); err != nil || len(texts) != 0 {
			t.Errorf("left: %+v, %v", texts, err)
		}
		if err := l.Changed(t.Context(), ""); err != nil { // the files still lie there
			t.Fatal(err)
		}
		until(t, l)
		if _, err := l.Add(t.Context(), filepath.Join(dir, "a.txt")); err != nil {
			t.Fatal(err)
		}
		until(t, l, "a.txt read")
	})
}

func only(t *testing.T, keep store.Library) int64 {
	t.Helper()
	_, low, high, err := keep.Span(t.Context())
	if err != nil || low != high {
		t.Fatalf("passages %d to %d, %v", low, high, err)
	}
	return low
}

// A thousand files that come, change, move and go end as they lie.
func TestAThousandFilesWithChurn(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: SOLO_SOAK is not set")
	}
	each(t, func(t *testing.T, db *rows.DB) {
		dir, r := t.TempDir(), rand.New(rand.NewPCG(3, 4))
		l := open(t, db, dir, func(c *library.Config) { c.Readers = 2; c.Every = 5 * time.Second })
		serve(t, l)
		lies := map[string]string{}
		var names []string
		for i := range 1000 {
			name := fmt.Sprintf("%c/%d.txt", 'a'+i%17, i)
			lies[name] = fmt.Sprintf("word%d of file %d", i, i)
			write(t, dir, name, lies[name])
			names = append(names, name)
		}
		for i := range 3000 {
			at := r.IntN(len(names))
			name := names[at]
			text, here := lies[name]
			path := filepath.Join(dir, filepath.FromSlash(name))
			switch r.IntN(4) {
			case 0:
				lies[name] = fmt.Sprintf("change%d of a file", i)
				write(t, dir, name, lies[name])
			case 1:
				if here {
					delete(lies, name)
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
			case 2:
				if next := fmt.Sprintf("moved/%d.txt", i); here {
					write(t, dir, "moved/keep.txt", "keep the folder")
					lies["moved/keep.txt"] = "keep the folder"
					if err := os.Rename(path, filepath.Join(dir, filepath.FromSlash(next))); err != nil {
						t.Fatal(err)
					}
					delete(lies, name)
					lies[next] = text
					names[at] = next
				}
			default:
				time.Sleep(time.Millisecond)
			}
		}
		var want []string
		for name := range lies {
			want = append(want, name+" read")
		}
		slices.Sort(want)
		until(t, l, want...)
		for name, text := range lies {
			word, _, _ := strings.Cut(text, " ")
			if name != "moved/keep.txt" && !slices.Contains(found(t, l, word), name+":1") {
				t.Fatalf("%s says %q and is not found by it", name, text)
			}
		}
	})
}
