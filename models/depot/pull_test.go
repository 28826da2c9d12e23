package depot

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPull(t *testing.T) {
	b := bytesOf(1, 300_000)
	url := serve(t, good(b, `"one"`))
	r := newRig(t, entry("ears", len(b), verified(b), url+"/w.bin"))
	out := r.pull("ears")
	if out.Already || out.Fetched != int64(len(b)) || len(out.Notes) != 0 || len(out.Places) != 1 {
		t.Errorf("%+v", out)
	}
	r.holds("ears", b)
	if again := r.pull("ears"); !again.Already {
		t.Errorf("fetched twice: %+v", again)
	}
	last := r.told[len(r.told)-1]
	if last.State != Done || last.Done != int64(len(b)) {
		t.Errorf("at last: %+v", last)
	}
}

// What nobody has seen is taken once as it comes, with a word about it, and held to that from then on.
func TestPin(t *testing.T) {
	b, other := bytesOf(1, 50_000), bytesOf(2, 50_000)
	now := b
	url := serve(t, func(w http.ResponseWriter, q *http.Request) { good(now, "")(w, q) })
	r := newRig(t, entry("ears", len(b), "", url+"/w.bin"))
	out := r.pull("ears")
	if len(out.Notes) != 1 || !strings.Contains(out.Notes[0], sum(b)) || !strings.Contains(out.Notes[0], "unverified") {
		t.Errorf("notes: %q", out.Notes)
	}
	if _, err := r.Remove(t.Context(), "ears"); err != nil {
		t.Fatal(err)
	}
	now = other
	_, err := r.Pull(t.Context(), r.order("ears"))
	if !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), "--renew") || !strings.Contains(err.Error(), "pinned") {
		t.Errorf("another file came in: %v", err)
	}
	r.absent("ears")
	o := r.order("ears")
	o.Renew = true
	if _, err := r.Pull(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	r.holds("ears", other)
	if _, err := os.Stat(filepath.Join(r.models(), "ears")); err != nil {
		t.Error(err)
	}
}

func TestBuiltIn(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64"} {
		d, err := New(Config{Data: t.TempDir(), Platform: platform})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Models()) < 20 {
			t.Errorf("%s: only %d models", platform, len(d.Models()))
		}
	}
}

// Where nothing but a date tells whether the file is the same, another date is another file.
func TestDates(t *testing.T) {
	old, fresh := bytesOf(60, 600_000), bytesOf(61, 600_000)
	asked := 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		b, day := fresh, time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
		if asked == 1 {
			b, day = old, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
			w = &cutter{w, 400_000, &cutting{}}
		}
		r.Header.Del("If-Range")
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", day, bytes.NewReader(b))
	})
	r := newRig(t, entry("ears", len(old), "", url+"/w.bin"))
	r.pull("ears")
	r.holds("ears", fresh)
}
