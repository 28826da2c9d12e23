package depot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// cutting serves b, but each answer ends after at most piece bytes. It counts the bytes that it sent.
type cutting struct {
	b     []byte
	etag  string
	piece int
	deaf  bool // it knows no ranges
	sent  atomic.Int64
	asked atomic.Int64
}

func (c *cutting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.asked.Add(1)
	if c.deaf {
		r.Header.Del("Range")
	}
	good(c.b, c.etag)(&cutter{w, c.piece, c}, r)
}

// cutter breaks the connection when its bytes are used up.
type cutter struct {
	http.ResponseWriter
	left int
	c    *cutting
}

func (c *cutter) Write(b []byte) (int, error) {
	take := min(len(b), c.left)
	n, err := c.ResponseWriter.Write(b[:take])
	c.left -= n
	c.c.sent.Add(int64(n))
	if c.left == 0 {
		if f, ok := c.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// A connection that is cut again and again costs no byte twice, whether the file is known or only its tag.
func TestCutConnectionsLoseNothing(t *testing.T) {
	b := bytesOf(3, 3_000_000)
	for name, tt := range map[string]struct{ etag, known string }{
		"known by hash":       {"", verified(b)},
		"known by tag":        {`"tag"`, ""},
		"known by both":       {`"tag"`, verified(b)},
		"size approximate":    {`"tag"`, "approximate = true"},
		"only a weak tag":     {`W/"tag"`, verified(b)},
		"stated by others":    {"", fmt.Sprintf("stated = %q\nstated_by = \"others\"", sum(b))},
		"approximate, weaker": {"", fmt.Sprintf("approximate = true\nstated = %q\nstated_by = \"others\"", sum(b))},
	} {
		t.Run(name, func(t *testing.T) {
			s := &cutting{b: b, etag: tt.etag, piece: 400_000}
			r := newRig(t, entry("ears", len(b), tt.known, serve(t, s.ServeHTTP)+"/w.bin"))
			out := r.pull("ears")
			r.holds("ears", b)
			if twice := s.sent.Load() - int64(len(b)); twice != 0 {
				t.Errorf("%d bytes came twice, in %d answers", twice, s.asked.Load())
			}
			if out.Saved == 0 || out.Saved >= int64(len(b)) {
				t.Errorf("saved %d bytes", out.Saved)
			}
		})
	}
}

// Without a hash and without a tag an old part is worth nothing: another file could follow it.
func TestUnknownPartsAreNotGoneOnWith(t *testing.T) {
	b := bytesOf(4, 700_000)
	s := &cutting{b: b, piece: 400_000}
	r := newRig(t, entry("ears", len(b), "", serve(t, s.ServeHTTP)+"/w.bin"), func(c *Config) { c.Tries = 3 })
	if _, err := r.Pull(t.Context(), r.order("ears")); err == nil || !strings.Contains(err.Error(), "cut") {
		t.Fatalf("it came, mixed: %v", err)
	}
	r.absent("ears")
}

func TestServersWithoutRanges(t *testing.T) {
	b := bytesOf(5, 600_000)
	first := &cutting{b: b, piece: 400_000, deaf: true, etag: `"x"`}
	var n atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			first.ServeHTTP(w, r)
		}
		r.Header.Del("Range")
		good(b, `"x"`)(w, r)
	})
	r := newRig(t, entry("ears", len(b), "", url+"/w.bin"))
	if out := r.pull("ears"); out.Saved != 0 {
		t.Errorf("saved %d", out.Saved)
	}
	r.holds("ears", b)
}

// The file on the server changes between two tries: the new one comes, whole.
func TestFileChangesBetweenTries(t *testing.T) {
	old, fresh := bytesOf(6, 900_000), bytesOf(7, 900_000)
	for name, obeys := range map[string]bool{"the server heeds If-Range": true, "it does not": false} {
		t.Run(name, func(t *testing.T) {
			s := &cutting{b: old, piece: 500_000, etag: `"old"`}
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if s.asked.Load() == 0 {
					s.ServeHTTP(w, r)
				}
				if !obeys {
					r.Header.Del("If-Range")
				}
				good(fresh, `"fresh"`)(w, r)
			})
			r := newRig(t, entry("ears", len(old), "", url+"/w.bin"))
			r.pull("ears")
			r.holds("ears", fresh)
		})
	}
}

// lie answers 200 with a body of b and a length that need not be true; -1 tells none.
func lie(b []byte, length int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		head := "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n"
		if length >= 0 {
			head += "Content-Length: " + strconv.Itoa(length) + "\r\n"
		}
		_, _ = io.WriteString(conn, head+"\r\n") // who hung up does not want it
		_, _ = conn.Write(b)
	}
}

func answer(code int, head ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(head); i += 2 {
			w.Header().Set(head[i], head[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, "no")
	}
}

func page(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, "\n <!DOCTYPE html><html><body>Sign in to go on"+strings.Repeat(" please", 100_000))
	}
}

// Whatever the first server does, nothing half or wrong is put in place, the second is asked, and where there is no
// second the user learns why.
func TestFaultyServers(t *testing.T) {
	b := bytesOf(8, 700_000)
	wrong := bytesOf(9, 700_000)
	endless := bytes.Repeat(b, 5)
	for name, tt := range map[string]struct {
		h    http.HandlerFunc
		says string // of the error, where there is no other server
		is   error
	}{
		"not found":          {answer(404), "404 Not Found", nil},
		"gone":               {answer(410), "410 Gone", nil},
		"forbidden":          {answer(403), "licence accepted", nil},
		"unauthorized":       {answer(401), "who asks", nil},
		"overloaded":         {answer(503), "503 Service Unavailable, 3 times", nil},
		"broken":             {answer(500), "500 Internal", nil},
		"too many requests":  {answer(429, "Retry-After", "7"), "429 Too Many Requests, 3 times", nil},
		"come back tomorrow": {answer(429, "Retry-After", "86400"), "24h0m0s of patience", nil},
		"teapot":             {answer(418), "418", nil},
		"no content":         {answer(204), "204", nil},
		"a page":             {page("text/html; charset=utf-8"), "web page", nil},
		"a page in disguise": {page("application/octet-stream"), "", nil},
		"packed": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(b)
		}, "packed", nil},
		"length too long":           {lie(b, len(b)+1000), "catalogue says", ErrWrong},
		"length too short":          {lie(b, len(b)-1000), "catalogue says", ErrWrong},
		"length right, body short":  {lie(b[:500], len(b)), "cut after 500 bytes", nil},
		"length right, body wrong":  {lie(wrong, len(b)), sum(wrong), ErrWrong},
		"no length, body short":     {lie(b[:600_000], -1), "cut", nil},
		"no length, body long":      {lie(endless, -1), "does not end", ErrWrong},
		"no length, body wrong":     {lie(wrong, -1), sum(b), ErrWrong},
		"nothing":                   {lie(nil, -1), "cut", nil},
		"not HTTP":                  {garbage, "", nil},
		"hangs up":                  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "", nil},
		"a range nobody asked for":  {answer(206, "Content-Range", "bytes 5-9/10", "Content-Length", "2"), "another part", nil},
		"a range without meaning":   {answer(206, "Content-Range", "all of it"), "nobody understands", nil},
		"no such range":             {answer(416), "no such part", nil},
		"a pointer of Git":          {lie([]byte("version https://git-lfs.github.com/spec/v1\noid sha256:"+sum(b)+"\nsize 700000\n"), -1), "pointer", nil},
		"server names another hash": {func(w http.ResponseWriter, r *http.Request) { good(wrong, "")(w, r) }, "SHA-256", ErrWrong},
	} {
		t.Run(name, func(t *testing.T) {
			bad := serve(t, tt.h)
			few := func(c *Config) { c.Tries = 3 }
			r := newRig(t, entry("ears", len(b), verified(b), bad+"/w.bin"), few)
			_, err := r.Pull(t.Context(), r.order("ears"))
			if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error: %v", err)
			}
			r.absent("ears")
			r = newRig(t, entry("ears", len(b), verified(b), bad+"/w.bin", serve(t, good(b, ""))+"/w.bin"), few)
			r.pull("ears")
			r.holds("ears", b)
		})
	}
}

func garbage(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
		conn.Close()
	}
}

// Forty courses through servers that do something else each time: the file comes right or not at all.
func TestTorture(t *testing.T) {
	b := bytesOf(10, 600_000)
	wrong := bytesOf(11, len(b))
	for seed := range uint64(40) {
		dice := rand.New(rand.NewPCG(seed, 1))
		etag := []string{"", `"a"`, `W/"a"`}[dice.IntN(3)]
		moods := []http.HandlerFunc{
			good(b, etag), lie(b[:dice.IntN(len(b))], -1), lie(b[:dice.IntN(len(b))], len(b)), answer(503), answer(429, "Retry-After", "3"), answer(416),
			good(wrong, `"other"`), good(b, `"b"`), page("text/plain"), garbage, answer(206, "Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(b)-1, len(b))),
		}
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if dice.IntN(3) == 0 {
				(&cutting{b: b, etag: etag, piece: 1 + dice.IntN(len(b))}).ServeHTTP(w, r)
				return
			}
			moods[dice.IntN(len(moods))](w, r)
		})
		r := newRig(t, entry("ears", len(b), verified(b), url+"/1", url+"/2", url+"/3", url+"/4"), func(c *Config) { c.Tries = 4 })
		if _, err := r.Pull(t.Context(), r.order("ears")); err == nil {
			r.holds("ears", b)
		} else {
			r.absent("ears")
		}
	}
}

func TestRedirects(t *testing.T) {
	b := bytesOf(12, 100_000)
	plain := serve(t, good(b, ""))
	var tls *httptest.Server
	hops := 0
	tls = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			good(b, "")(w, r)
		case "/on":
			http.Redirect(w, r, "/good", http.StatusFound)
		case "/named":
			w.Header().Set("X-Linked-Etag", `"`+sum(b)+`"`)
			http.Redirect(w, r, "/good", http.StatusFound)
		case "/misnamed":
			w.Header().Set("X-Linked-Etag", `"`+sum([]byte("x"))+`"`)
			http.Redirect(w, r, "/good", http.StatusFound)
		case "/plain":
			http.Redirect(w, r, plain+"/w.bin", http.StatusMovedPermanently)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		default:
			hops++
			http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
		}
	}))
	t.Cleanup(tls.Close)
	trust := func(c *Config) { c.Transport = tls.Client().Transport }
	for path, says := range map[string]string{"/on": "", "/plain": "not encrypted", "/file": "not encrypted", "/loop": "more than 6 times", "/named": "", "/misnamed": "SHA-256"} {
		r := newRig(t, entry("ears", len(b), "", tls.URL+path), trust)
		out, err := r.Pull(t.Context(), r.order("ears"))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", path, err)
		}
		if err != nil {
			r.absent("ears")
		}
		if path == "/named" && !strings.Contains(strings.Join(out.Notes, ""), "its server names as well") {
			t.Errorf("notes: %q", out.Notes)
		}
	}
	if hops > 10 {
		t.Errorf("%d hops", hops)
	}
	// A server of this machine that is asked without encryption does not send us into the world without it.
	away := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://example.invalid/w.bin", http.StatusFound)
	})
	r := newRig(t, entry("ears", len(b), "", away+"/w.bin"))
	if _, err := r.Pull(t.Context(), r.order("ears")); err == nil || !strings.Contains(err.Error(), "not encrypted") {
		t.Errorf("away: %v", err)
	}
}

// scarce is a disk on which left bytes fit.
type scarce struct {
	sink
	left *int64
}

func (s scarce) Write(b []byte) (int, error) {
	n := min(int64(len(b)), *s.left)
	*s.left -= n
	if _, err := s.sink.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < int64(len(b)) {
		return int(n), syscall.ENOSPC
	}
	return int(n), nil
}

func TestFullDisk(t *testing.T) {
	b := bytesOf(13, 2_000_000)
	s := &cutting{b: b, piece: 1 << 30, etag: `"x"`}
	r := newRig(t, entry("ears", len(b), "", serve(t, s.ServeHTTP)+"/w.bin"))
	left := int64(1_500_000)
	r.create = func(path string) (sink, error) {
		f, err := openSink(path)
		return scarce{f, &left}, err
	}
	_, err := r.Pull(t.Context(), r.order("ears"))
	if !errors.Is(err, ErrFull) {
		t.Fatalf("a full disk: %v", err)
	}
	r.absent("ears")
	left = 1 << 40
	if out := r.pull("ears"); out.Saved != 1_500_000 {
		t.Errorf("after room was made, %d bytes did not have to come again", out.Saved)
	}
	r.holds("ears", b)

	r = newRig(t, entry("ears", len(b), "", serve(t, s.ServeHTTP)+"/w.bin"))
	r.room = func(string) (int64, error) { return 1_000_000, nil }
	asked := s.asked.Load()
	if _, err := r.Pull(t.Context(), r.order("ears")); !errors.Is(err, ErrFull) || s.asked.Load() != asked {
		t.Errorf("too little room was not seen before: %v", err)
	}
}

func TestSmallMachine(t *testing.T) {
	b := bytesOf(14, 1000)
	text := strings.Replace(entry("ears", len(b), "", serve(t, good(b, ""))+"/w.bin"), "licence", "memory = 8_000_000_000\nlicence", 1)
	r := newRig(t, text)
	o := r.order("ears")
	o.Machine = Machine{RAM: 4 << 30}
	if _, err := r.Pull(t.Context(), o); !errors.Is(err, ErrSmall) {
		t.Errorf("it was fetched for a machine that cannot use it: %v", err)
	}
	o.Machine.Card = 6 << 30
	if _, err := r.Pull(t.Context(), o); err != nil {
		t.Errorf("card and memory together hold it: %v", err)
	}
	if _, err := r.Remove(t.Context(), "ears"); err != nil {
		t.Fatal(err)
	}
	o.Machine.Card, o.Anyway = 0, true
	if _, err := r.Pull(t.Context(), o); err != nil {
		t.Errorf("anyway: %v", err)
	}
}

// The waits double, half of them by chance, and a server's word counts.
func TestWaits(t *testing.T) {
	answers := []http.HandlerFunc{answer(503), answer(503), answer(503), answer(429, "Retry-After", "45"), answer(503, "Retry-After", time.Now().Add(100*time.Second).UTC().Format(http.TimeFormat))}
	b := bytesOf(15, 1000)
	n := 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n <= len(answers) {
			answers[n-1](w, r)
			return
		}
		good(b, "")(w, r)
	})
	r := newRig(t, entry("ears", len(b), verified(b), url+"/w.bin"))
	r.pull("ears")
	bounds := [][2]time.Duration{{500 * time.Millisecond, time.Second}, {time.Second, 2 * time.Second}, {2 * time.Second, 4 * time.Second}, {45 * time.Second, 45 * time.Second}, {80 * time.Second, 100 * time.Second}}
	if len(r.waits) != len(bounds) {
		t.Fatalf("waits: %v", r.waits)
	}
	for i, w := range r.waits {
		if w < bounds[i][0] || w > bounds[i][1] {
			t.Errorf("wait %d was %v, not %v", i+1, w, bounds[i])
		}
	}
	var notes []string
	for _, p := range r.told {
		if p.State == Waiting {
			notes = append(notes, p.Note)
		}
	}
	if len(notes) != 5 || !strings.HasPrefix(notes[3], "the server answers 429 Too Many Requests; the next try in 45s") {
		t.Errorf("the user was told %q", notes)
	}
	seen := map[time.Duration]bool{}
	for range 50 {
		seen[backOff(5)] = true
	}
	if len(seen) < 40 {
		t.Errorf("only %d different waits of 50", len(seen))
	}
}
