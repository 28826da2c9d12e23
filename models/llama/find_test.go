package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
	"github.com/solo-assistant/solo/models/llama/internal/gguftest"
)

// put writes a program that answers what is asked before a start, and returns its path.
func put(t *testing.T, path, devices string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for llama-server is a shell script")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\ncase $1 in\n--version) echo 'version: 5401 (abc)' >&2 ;;\n--help) printf '%s\\n' '-m, --model FNAME  model' '--port PORT  port' '--list-devices  list' ;;\n" +
		"--list-devices) cat <<'X'\nAvailable devices:\n" + devices + "\nX\n;;\n*) echo 'error: no real server' >&2; exit 1 ;;\nesac\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProgramIsFound(t *testing.T) {
	data, bin := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	t.Chdir(t.TempDir())
	c := Config{Data: data}
	expect := func(when, want string) {
		t.Helper()
		got, err := c.program()
		if got != want || (err == nil) != (want != "") || err != nil && (!errors.Is(err, models.ErrAbsent) || !strings.Contains(err.Error(), "get one with")) {
			t.Errorf("%s: %q, %v", when, got, err)
		}
	}
	put(t, "llama-server", "") // of the working folder: never
	expect("nothing", "")
	expect("unpacked release", put(t, filepath.Join(data, "llama-b6000", "build", "bin", "llama-server"), "")) // the argument is made first
	expect("in bin/", put(t, filepath.Join(data, "bin", "llama-server"), ""))
	expect("in PATH", put(t, filepath.Join(bin, "llama-server"), ""))
	c.Server = put(t, filepath.Join(t.TempDir(), "my-server"), "")
	expect("by the settings", c.Server)
	c.Server = filepath.Join(data, "none")
	if _, err := c.program(); !errors.Is(err, models.ErrAbsent) || !strings.Contains(err.Error(), "llama.server is "+c.Server+": no such file") {
		t.Error(err)
	}
}

func TestModelIsFound(t *testing.T) {
	c := Config{Data: t.TempDir()}
	if _, _, err := c.weights(); !errors.Is(err, models.ErrNoModel) || !strings.Contains(err.Error(), "no *.gguf in "+c.models()) {
		t.Error(err)
	}
	folder := filepath.Join(c.models(), "sub [1]")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name string, f gguftest.File) string {
		path := filepath.Join(c.models(), name)
		f.Write(t, path)
		return path
	}
	small := write("small.gguf", gguftest.Llama(2, 1<<20, 1<<20))
	expect := func(when, want string) {
		t.Helper()
		if got, _, err := c.weights(); got != want || err != nil {
			t.Errorf("%s: %s, %v", when, got, err)
		}
	}
	expect("the only one", small)
	large := write(filepath.Join("sub [1]", "large.gguf"), gguftest.Llama(2, 1<<30, 1<<20))
	write("embed.gguf", gguftest.Llama(2, 4<<30, 1<<20, gguftest.Pair{Key: "llama.pooling_type", Value: uint32(1)}))
	write("mmproj.gguf", gguftest.File{Pairs: []gguftest.Pair{{Key: "general.architecture", Value: "clip"}}, Tensors: []gguftest.Tensor{{Name: "v.x", Bytes: 8 << 30}}})
	write("big-00002-of-00002.gguf", gguftest.Llama(2, 8<<30, 1<<20))
	if err := os.WriteFile(filepath.Join(c.models(), "page.gguf"), []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("the largest that talks", large)
	c.DraftModel = large
	expect("the largest is the draft", small)
	c.DraftModel, c.Model = "", "small"
	expect("by name", small)
	c.Model = "small.gguf"
	expect("by file name", small)
	c.Model = large
	expect("by path", large)
	c.Model = "nowhere"
	if _, _, err := c.weights(); !errors.Is(err, models.ErrNoModel) || !strings.Contains(err.Error(), filepath.Join(c.models(), "nowhere.gguf")) {
		t.Error(err)
	}
	s, err := New(Config{Data: c.Data, Cards: noCards})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Models(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != "small" || list[1].Bytes < 2<<30 || list[0].Loaded {
		t.Errorf("%+v, %v", list, err)
	}
}

// A file is read again only when it has changed.
func TestHeadersAreRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	gguftest.Llama(2, 64, 64).Write(t, path)
	h := &headers{known: map[string]gguf.Model{}}
	for range 2 {
		if m, err := h.read(path); err != nil || m.Blocks != 2 || len(h.known) != 1 {
			t.Fatal(m, err, len(h.known))
		}
	}
	gguftest.Llama(3, 64, 64).Write(t, path)
	if m, err := h.read(path); err != nil || m.Blocks != 3 {
		t.Error(m, err)
	}
	os.Remove(path)
	if _, err := h.read(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestContextIsThatOfTheModel(t *testing.T) {
	m := gguf.Model{Context: 4096}
	for want, c := range map[int]Config{0: {}, 2048: {Settings: Settings{Context: 2048}}, 4096: {Settings: Settings{Context: 32768}},
		32768: {Settings: Settings{Context: 32768, Extra: []string{"--rope-scaling", "yarn"}}}} {
		if got := c.trained(m); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}

// What would be started is told without starting it.
func TestFind(t *testing.T) {
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "models"), 0o700); err != nil {
		t.Fatal(err)
	}
	gguftest.Llama(32, 130<<20, 281<<20).Write(t, filepath.Join(data, "models", "eight.gguf"))
	cuda := "  CUDA0: NVIDIA Test (24217 MiB, 23715 MiB free)"
	card := func(free int64) func(context.Context) ([]gpu.Card, error) {
		return func(context.Context) ([]gpu.Card, error) {
			return []gpu.Card{{Name: "NVIDIA Test", MemTotal: 24 << 30, MemFree: free, Processes: map[int]int64{}}}, nil
		}
	}
	for name, tt := range map[string]struct {
		devices string
		cards   func(context.Context) ([]gpu.Card, error)
		set     func(*Settings)
		layers  int
		context int
		trouble string
	}{
		"as the server says":       {cuda, noCards, nil, 33, 16384, ""},
		"as the driver says":       {cuda, card(5 << 30), nil, 23, 8192, ""}, // 5120-768-258-281 = 3813 MiB of 162 each
		"a card that is full":      {cuda, card(1 << 20), nil, 0, 8192, ""},
		"none by wish":             {cuda, card(20 << 30), func(s *Settings) { s.GPULayers = "0" }, 0, 8192, ""},
		"all by wish":              {cuda, card(1 << 30), func(s *Settings) { s.GPULayers = "all"; s.Context = 4096 }, 33, 4096, ""},
		"a server without CUDA":    {"  (none)", card(20 << 30), nil, 0, 8192, "there is a NVIDIA Test, but this llama-server cannot use it"},
		"neither card nor backend": {"  (none)", noCards, nil, 0, 8192, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := Config{Settings: Settings{Server: put(t, filepath.Join(t.TempDir(), "llama-server"), tt.devices)}, Data: data, Cards: tt.cards, Log: zerolog.Nop()}
			if tt.set != nil {
				tt.set(&c.Settings)
			}
			s := build4k(t, c)
			for range 2 { // the second asks the program nothing
				f, err := s.Find(t.Context())
				if err != nil || f.Layers != tt.layers || f.Context != tt.context || !strings.HasPrefix(f.Trouble, tt.trouble) || (f.Trouble == "") != (tt.trouble == "") ||
					f.ID != "eight" || f.Version != "5401 (abc)" || f.Blocks != 32 || len(f.Devices) != strings.Count(tt.devices, "CUDA") {
					t.Errorf("%+v, %v", f, err)
				}
			}
		})
	}
}

// A driver that fails while the cards are asked for leaves the processor, and is asked again.
func TestCardsCannotBeAskedFor(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "llama-server"), "  CUDA0: A (8000 MiB, 7000 MiB free)")
	sick := strings.Replace(mustRead(t, path), "--list-devices)", "--list-devices) [ -e '"+path+".well' ] || exit 139;", 1)
	if err := os.WriteFile(path, []byte(sick), 0o755); err != nil {
		t.Fatal(err)
	}
	var bs builds
	if b, err := bs.of(t.Context(), path); err != nil || len(b.devices) != 0 || b.version == "" {
		t.Fatalf("%+v, %v", b, err)
	}
	if err := os.WriteFile(path+".well", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := bs.of(t.Context(), path); err != nil || len(b.devices) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A build too old to tell its cards is taken to be one for those that the driver knows.
func TestOldBuildsCards(t *testing.T) {
	s := build4k(t, Config{Cards: func(context.Context) ([]gpu.Card, error) {
		return []gpu.Card{{Index: 0, Name: "A", MemTotal: 8 << 30, MemFree: 5 << 30}, {Index: 1, Name: "A", MemTotal: 8 << 30, MemFree: 6 << 30}}, nil
	}})
	if got := s.free(t.Context(), build{}); len(got) != 2 || got[0].id != "CUDA0" || got[0].free != 5<<30 {
		t.Errorf("%+v", got)
	}
	if got := s.free(t.Context(), everything()); len(got) != 0 {
		t.Errorf("a build without a card's backend has %+v", got)
	}
}

// A start that fails for want of memory on the card takes less the next time.
func TestShy(t *testing.T) {
	s := build4k(t, Config{})
	l := &launch{id: "m", devices: everythingOnOneCard()}
	l.plan.Layers = 10
	err := s.word(l, exit("ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory"))
	if !errors.Is(err, models.ErrTooLarge) || s.shy.Load() != 1<<30 {
		t.Errorf("%v, shy of %d", err, s.shy.Load())
	}
	if err := s.word(l, exit("terminate called")); !errors.Is(err, models.ErrUnreachable) || s.shy.Load() != 1<<30 {
		t.Error(err)
	}
	if err := s.word(l, nil); err != nil {
		t.Error(err)
	}
}

// What cannot start is tried ever more seldom, and who asks is told why at once.
func TestNoTightLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := build4k(t, Config{Settings: Settings{Server: "/nowhere/llama-server"}, Cards: noCards})
		tree := supervise.New(supervise.Config{}, s.Keep())
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- tree.Serve(ctx) }()
		time.Sleep(5 * time.Minute)
		began := time.Now()
		if _, _, err := told(t.Context(), s, story("Hello")); !errors.Is(err, models.ErrAbsent) || time.Since(began) > time.Second {
			t.Error(err)
		}
		if st := tree.States()[0]; st.Restarts < 10 || st.Restarts > 25 || fmt.Sprint(st.Err) == "" {
			t.Errorf("%d starts in 5 minutes: %v", st.Restarts, st.Err)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
