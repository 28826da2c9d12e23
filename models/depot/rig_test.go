package depot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("DEPOT_TEST_CHILD") != "" {
		child()
		return
	}
	log.SetOutput(io.Discard) // what the standard library says of servers that lie
	goleak.VerifyTestMain(m)
}

// bytesOf are n bytes that no other seed gives.
func bytesOf(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	_, _ = r.Read(b) // never fails
	b[0] = 0xff      // no text
	return b
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// entry is a model of a test's catalogue.
func entry(name string, size int, more string, urls ...string) string {
	return fmt.Sprintf("[[model]]\nname = %q\ntask = \"stt\"\nlicence = \"MIT\"\n[[model.file]]\npath = %q\nsize = %d\n%s\nurls = [%s]\n\n",
		name, name+"/weights.bin", size, more, quoted(urls))
}

func quoted(urls []string) string {
	var q []string
	for _, u := range urls {
		q = append(q, fmt.Sprintf("%q", u))
	}
	return strings.Join(q, ", ")
}

func verified(b []byte) string { return fmt.Sprintf("sha256 = %q", sum(b)) }

// rig is a depot in a folder of the test, with waits that are noted and not waited.
type rig struct {
	*Depot
	t     *testing.T
	waits []time.Duration
	mu    sync.Mutex
	told  []Progress
}

func newRig(t *testing.T, catalogue string, change ...func(*Config)) *rig {
	t.Helper()
	dir := t.TempDir()
	own := filepath.Join(dir, "models.toml")
	if err := os.WriteFile(own, []byte(catalogue), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Config{Data: filepath.Join(dir, "data"), Own: own, Transport: &http.Transport{}}
	for _, do := range change {
		do(&c)
	}
	d, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if tr, ok := c.Transport.(*http.Transport); ok {
		t.Cleanup(tr.CloseIdleConnections)
	}
	r := &rig{Depot: d, t: t}
	d.pause = func(ctx context.Context, w time.Duration) {
		r.mu.Lock()
		r.waits = append(r.waits, w)
		r.mu.Unlock()
	}
	return r
}

func (r *rig) order(name string) Order {
	return Order{Name: name, Report: func(p Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.told = append(r.told, p)
	}}
}

// pull fetches a model that must come.
func (r *rig) pull(name string) Outcome {
	r.t.Helper()
	out, err := r.Pull(r.t.Context(), r.order(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// holds fails the test where a model's only file is not want, or anything half lies about.
func (r *rig) holds(name string, want []byte) {
	r.t.Helper()
	path, err := r.Path(name, "")
	if err != nil {
		r.t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		r.t.Fatalf("%s has %d bytes with the sum %s, not %d with %s (%v)", path, len(got), sum(got), len(want), sum(want), err)
	}
	if left := r.left(); len(left) > 0 {
		r.t.Errorf("left over: %v", left)
	}
}

// left are the files in the folder of parts.
func (r *rig) left() (names []string) {
	list, _ := os.ReadDir(r.parts())
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// absent fails the test where anything lies in a model's place.
func (r *rig) absent(name string) {
	r.t.Helper()
	if _, err := os.Stat(filepath.Join(r.models(), name, "weights.bin")); err == nil {
		r.t.Errorf("something lies in the place of %s", name)
	}
}

// serve starts a server that is closed with the test.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// good serves b as a well-behaved server does.
func good(b []byte, etag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if etag != "" {
			w.Header().Set("ETag", etag)
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}
}
