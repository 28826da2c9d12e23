package depot

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

const benched = 200 << 20 // bytes of a download that is measured

// BenchmarkFetch is a download with all that the depot does: sums, notes, sync, place, book.
func BenchmarkFetch(b *testing.B) {
	text := bytesOf(50, benched)
	s := httptest.NewServer(good(text, `"x"`))
	defer s.Close()
	b.SetBytes(benched)
	for i := range b.N {
		dir := b.TempDir()
		own := filepath.Join(dir, "models.toml")
		if err := os.WriteFile(own, []byte(entry("ears", benched, verified(text), s.URL+fmt.Sprintf("/%d", i))), 0o600); err != nil {
			b.Fatal(err)
		}
		d, err := New(Config{Data: filepath.Join(dir, "data"), Own: own})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := d.Pull(b.Context(), Order{Name: "ears"}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		_ = os.RemoveAll(dir) // the next has room
		b.StartTimer()
	}
}

// BenchmarkBareCopy is the same from the same server with net/http, a loop, and one sync.
func BenchmarkBareCopy(b *testing.B) {
	text := bytesOf(50, benched)
	s := httptest.NewServer(good(text, `"x"`))
	defer s.Close()
	b.SetBytes(benched)
	for range b.N {
		path := filepath.Join(b.TempDir(), "w.bin")
		r, err := http.Get(s.URL)
		if err != nil {
			b.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.CopyBuffer(onlyWriter{f}, r.Body, make([]byte, 256<<10)); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		f.Close()
		r.Body.Close()
		b.StopTimer()
		_ = os.Remove(path)
		b.StartTimer()
	}
}
