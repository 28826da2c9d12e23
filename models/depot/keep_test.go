package depot

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Verify names what has changed, Items show it, pull mends it, and rm takes it away.
func TestShelf(t *testing.T) {
	one, two := bytesOf(30, 10_000), bytesOf(31, 20_000)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/one" {
			good(one, "")(w, r)
			return
		}
		good(two, "")(w, r)
	})
	r := newRig(t, entry("one", len(one), verified(one), url+"/one")+entry("two", len(two), "", url+"/two")+entry("three", 5, "", url+"/three"))
	r.pull("one")
	r.pull("two")
	check := func(names ...string) (wrong []string) {
		t.Helper()
		n := 0
		err := r.Verify(t.Context(), names, func(f Finding) {
			if n++; f.Trouble != "" {
				wrong = append(wrong, f.Model+": "+f.Trouble)
			}
		})
		if err != nil || n == 0 {
			t.Fatalf("%d findings, %v", n, err)
		}
		return wrong
	}
	if wrong := check(); len(wrong) > 0 {
		t.Errorf("wrong: %q", wrong)
	}
	path, err := r.Path("one", "weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	spoilt := slices.Clone(one)
	spoilt[5000] ^= 1
	if err := os.WriteFile(path, spoilt, 0o600); err != nil {
		t.Fatal(err)
	}
	if wrong := check("one"); len(wrong) != 1 || !strings.Contains(wrong[0], sum(spoilt)) {
		t.Errorf("wrong: %q", wrong)
	}
	if err := os.WriteFile(path, one[:7], 0o600); err != nil {
		t.Fatal(err)
	}
	if wrong := check("one", "two"); len(wrong) != 1 || !strings.Contains(wrong[0], "7 bytes") {
		t.Errorf("wrong: %q", wrong)
	}
	if _, err := r.Path("one", ""); !errors.Is(err, ErrAbsent) {
		t.Errorf("a damaged file is given: %v", err)
	}
	items, err := r.Items()
	if err != nil {
		t.Fatal(err)
	}
	states := ""
	for _, i := range items[:3] {
		states += fmt.Sprintf("%s here=%v hurt=%v known=%s; ", i.Name, i.Here, i.Hurt, i.Known)
	}
	if states != "one here=false hurt=true known=verified; two here=true hurt=false known=pinned; three here=false hurt=false known=; " {
		t.Errorf("%s", states)
	}
	r.pull("one")
	if wrong := check(); len(wrong) > 0 {
		t.Errorf("wrong: %q", wrong)
	}
	if freed, err := r.Remove(t.Context(), "two"); err != nil || freed != int64(len(two)) {
		t.Errorf("freed %d, %v", freed, err)
	}
	if _, err := os.Stat(filepath.Join(r.models(), "two")); err == nil {
		t.Error("its folder is left")
	}
	for _, name := range []string{"two", "nothing", "../../etc", ""} {
		if _, err := r.Remove(t.Context(), name); !errors.Is(err, ErrAbsent) {
			t.Errorf("removing %q: %v", name, err)
		}
	}
	if err := r.Verify(t.Context(), []string{"two"}, func(Finding) {}); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

func TestLitter(t *testing.T) {
	b := bytesOf(32, 100_000)
	s := &cutting{b: b, piece: 40_000, etag: `"x"`}
	url := serve(t, s.ServeHTTP)
	r := newRig(t, entry("ears", len(b), "", url+"/w.bin")+entry("old", len(b), "", serve(t, good(b, ""))+"/w.bin"), func(c *Config) { c.Tries = 1 })
	r.pull("old")
	if _, err := r.Pull(t.Context(), r.order("ears")); err == nil {
		t.Fatal("it came")
	}
	if err := os.MkdirAll(filepath.Join(r.conf.Data, ".depot-piper", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.conf.Own, []byte(entry("ears", len(b), "", url+"/w.bin")), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.catalogue, err = loadAll(r.conf.Own); err != nil {
		t.Fatal(err)
	}
	list, err := r.Litter()
	if err != nil || fmt.Sprint(list) != "[{model old 100000} {part ears--weights.bin.part 40000} {leftover .depot-piper 0}]" {
		t.Fatalf("%v, %v", list, err)
	}
	// What another Solo is at stays.
	unlock, err := r.lock(t.Context(), "ears", nil)
	if err != nil {
		t.Fatal(err)
	}
	if freed, err := r.Prune(t.Context(), list[1]); freed != 0 || err != nil {
		t.Errorf("freed %d, %v", freed, err)
	}
	unlock()
	var freed int64
	for _, l := range list {
		n, err := r.Prune(t.Context(), l)
		if err != nil {
			t.Error(err)
		}
		freed += n
	}
	if left, _ := r.Litter(); freed != 140_000 || len(left) > 0 || len(r.left()) > 0 {
		t.Errorf("freed %d, left %v %v", freed, left, r.left())
	}
}

// A file that lies there already is taken as it is where it is the right one, and never written over where it is not.
func TestFilesOfTheUser(t *testing.T) {
	b := bytesOf(33, 10_000)
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	for name, tt := range map[string]struct {
		known string
		there []byte
		is    error
	}{
		"right":        {verified(b), b, nil},
		"unknown":      {"", b, nil},
		"wrong":        {verified(b), bytesOf(34, 10_000), ErrTaken},
		"another size": {"", b[:5], ErrTaken},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, entry("ears", len(b), tt.known, url+"/w.bin"))
			path := filepath.Join(r.models(), "ears", "weights.bin")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, tt.there, 0o600)); err != nil {
				t.Fatal(err)
			}
			_, err := r.Pull(t.Context(), r.order("ears"))
			if !errors.Is(err, tt.is) {
				t.Errorf("%v", err)
			}
			if now, _ := os.ReadFile(path); sum(now) != sum(tt.there) {
				t.Error("the user's file was changed")
			}
		})
	}
}

func TestDamagedBook(t *testing.T) {
	b := bytesOf(35, 1000)
	r := newRig(t, entry("ears", len(b), verified(b), serve(t, good(b, ""))+"/w.bin"))
	r.pull("ears")
	for _, text := range []string{"{", `{"version":9}`, `{"version":1,"models":{"ears":{"files":[{"path":"../../etc/passwd"}]}}}`, `{"version":1,"models":{"ears":{"folder":"../x"}}}`} {
		if err := os.WriteFile(r.book(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Items(); err == nil {
			t.Errorf("%s was taken for a book", text)
		}
		if _, err := r.Remove(t.Context(), "ears"); err == nil {
			t.Errorf("with %s something was removed", text)
		}
	}
	if err := os.Remove(r.book()); err != nil {
		t.Fatal(err)
	}
	r.pull("ears")
	r.holds("ears", b)
}

func TestFolder(t *testing.T) {
	b := bytesOf(36, 500_000)
	web := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the internet was asked") })
	for _, name := range []string{"ears/weights.bin", "weights.bin", "w-1.0.bin"} {
		dir := t.TempDir()
		r := newRig(t, entry("ears", len(b), verified(b), web+"/w-1.0.bin?download=true"), func(c *Config) { c.Folder = dir })
		if _, err := r.Pull(t.Context(), r.order("ears")); !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), dir) {
			t.Errorf("an empty folder: %v", err)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		put := func(b []byte) {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, b, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		for _, bad := range [][]byte{b[:9], bytesOf(37, len(b)), {}} {
			put(bad)
			if _, err := r.Pull(t.Context(), r.order("ears")); err == nil {
				t.Error("a wrong file was taken")
			}
			r.absent("ears")
		}
		put(b)
		r.pull("ears")
		r.holds("ears", b)
	}
}

func TestMirror(t *testing.T) {
	b := bytesOf(38, 1000)
	for name, path := range map[string]string{
		"of several servers": "/pub/models.example/a/b/w.bin",
		"of one":             "/pub/a/b/w.bin",
		"of names":           "/pub/w.bin",
		"of places":          "/pub/ears/weights.bin",
	} {
		t.Run(name, func(t *testing.T) {
			mirror := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != path {
					http.NotFound(w, r)
					return
				}
				good(b, "")(w, r)
			})
			r := newRig(t, entry("ears", len(b), verified(b), "https://models.example/a/b/w.bin"), func(c *Config) { c.Mirror = mirror + "/pub" })
			r.pull("ears")
			r.holds("ears", b)
		})
	}
	for _, bad := range []string{"models.example", "ftp://models.example", "https://me:secret@models.example", "https://models.example/?q=1", "://"} {
		if _, err := New(Config{Data: t.TempDir(), Settings: Settings{Mirror: bad}}); err == nil || !strings.Contains(err.Error(), "depot.mirror") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// The proxy gets to see the address, and passes the file on.
func TestProxy(t *testing.T) {
	b := bytesOf(39, 1000)
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		good(b, "")(w, r)
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(u)}
	r := newRig(t, entry("ears", len(b), verified(b), "https://models.example/w.bin"), func(c *Config) {
		c.Transport, c.Mirror = tr, "http://mirror.invalid/x"
	})
	r.pull("ears")
	if len(asked) != 1 || asked[0] != "http://mirror.invalid/x/models.example/w.bin" {
		t.Errorf("the proxy was asked for %q", asked)
	}
	own := newClient(nil, nil).Transport.(*http.Transport)
	if own.Proxy == nil {
		t.Error("without a transport of its own the depot passes the environment's proxy by")
	}
}

// Each machine gets what its card holds with room to spare.
func TestPropose(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "windows/amd64"} {
		d, err := New(Config{Data: t.TempDir(), Platform: platform})
		if err != nil {
			t.Fatal(err)
		}
		for card, llm := range map[int64]string{0: "qwen3-4b", 4: "qwen3-4b", 6: "qwen3-4b", 8: "qwen3-4b-q8", 10: "qwen3-4b-q8", 12: "qwen3-8b-q6", 16: "gpt-oss-20b", 24: "qwen3-30b-a3b", 80: "qwen3-30b-a3b"} {
			m := Machine{RAM: 16 << 30, Card: card*GiB - 64<<20, NVIDIA: card > 0}
			if card == 0 {
				m.Card = 0
			}
			p := d.Propose(m, "en", nil)
			var names []string
			var on int64
			for _, c := range p.Models {
				names = append(names, c.Name)
				if c.Task == LLM || c.Task == STT {
					on += c.Memory
				}
			}
			if !slices.Contains(names, llm) || len(p.Lacks) > 0 {
				t.Errorf("%s, %d GB: %v, lacks %v", platform, card, names, p.Lacks)
			}
			if card >= 6 && on > m.Card-768<<20 {
				t.Errorf("%d GB: %d bytes are wanted on the card", card, on)
			}
			if cuda := slices.Contains(names, "llama-server-cuda"); cuda != (card > 0) {
				t.Errorf("%d GB: %v", card, names)
			}
		}
		for ram, llm := range map[int64]string{4: "", 8: "qwen3-1.7b", 16: "qwen3-4b"} {
			p := d.Propose(Machine{RAM: ram*GiB - 300<<20}, "de", map[string]bool{"llama-server": true, "piper": true})
			text := ""
			for _, c := range p.Models {
				text += c.Name + " "
				if !c.Speaks("de") || strings.HasPrefix(c.Name, "piper") && c.Task == Tool || strings.HasPrefix(c.Name, "llama") {
					t.Errorf("%s is proposed", c.Name)
				}
			}
			if llm != "" && !strings.Contains(text, llm) || llm == "" && len(p.Lacks) == 0 || !strings.Contains(text, "piper-de-thorsten") {
				t.Errorf("%d GB of memory: %s, lacks %v", ram, text, p.Lacks)
			}
		}
		if p := d.Propose(Machine{RAM: 16 << 30}, "xx", nil); len(p.Lacks) == 0 {
			t.Error("a voice for a language that nobody speaks")
		}
	}
	d, err := New(Config{Data: t.TempDir(), Platform: "darwin/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	if p := d.Propose(Machine{RAM: 16 << 30}, "en", nil); len(p.Lacks) != 3 {
		t.Errorf("no programs are known for this system, but: %q", p.Lacks)
	}
}
