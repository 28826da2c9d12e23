package gpu

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// fake builds the stand-in for the driver's library.
func fake(t testing.TB, defines ...string) string {
	t.Helper()
	if lib := os.Getenv("SOLO_TEST_NVML"); lib != "" && len(defines) == 0 {
		return lib // built elsewhere, for a system without a compiler
	}
	if runtime.GOOS != "linux" || (runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64") {
		t.Skip("skipped: the stand-in for NVML is for Linux")
	}
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("skipped: no gcc to build a stand-in for NVML")
	}
	lib := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	args := []string{"-shared", "-fPIC", "-o", lib, "testdata/nvml.c"}
	if out, err := exec.Command(cc, append(args, defines...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return lib
}

const noSMI = "/nowhere/nvidia-smi"

func TestCardsByLibrary(t *testing.T) {
	r := New(Config{Library: fake(t), SMI: noSMI})
	defer r.Close()
	for range 3 { // the library stays open
		cards, err := r.Cards(t.Context())
		if err != nil || len(cards) != 2 {
			t.Fatal(cards, err)
		}
		one, two := cards[0], cards[1]
		if one.Index != 0 || one.Name != "NVIDIA Test 24G" || one.UUID != "GPU-one" || one.MemTotal != 24<<30 || one.MemFree != 22<<30 ||
			one.MemUsed != 2<<30 || one.Util != 41 || one.Temp != 61 || one.Power != 123.456 {
			t.Errorf("%+v", one)
		}
		if p := one.Processes; len(p) != 4 || p[1000] != 5<<20 || p[1001] != 2<<20 || p[1002] != 0 || p[7] != 9<<20 {
			t.Errorf("processes %v", p)
		}
		if two.Index != 1 || two.MemTotal != 8<<30 || len(two.Processes) != 101 {
			t.Errorf("%+v", two)
		}
	}
	r.Close()
	if cards, err := r.Cards(t.Context()); err != nil || len(cards) != 2 {
		t.Error("after Close:", cards, err)
	}
}

func TestLibraryThatIsOddOrFails(t *testing.T) {
	for name, tt := range map[string]struct {
		define []string
		want   string // in the error, "" for none
		none   bool   // the error is ErrNone
		cards  int
	}{
		"a missing symbol":    {[]string{"-DNOMEMORY"}, "the NVIDIA driver's library lacks nvmlDeviceGetMemoryInfo", false, 0},
		"an old driver":       {[]string{"-DOLD"}, "", false, 2},
		"tells only memory":   {[]string{"-DREST=3"}, "", false, 2},
		"shared memory":       {[]string{"-DMEMORY=3"}, "", false, 2},
		"no cards":            {[]string{"-DCARDS=0"}, "no NVIDIA GPU found", true, 0},
		"no driver":           {[]string{"-DINIT=9"}, "Driver Not Loaded", true, 0},
		"renewed driver":      {[]string{"-DINIT=18"}, "Driver/library version mismatch (NVML error 18)", false, 0},
		"a card falls off":    {[]string{"-DMEMORY=15"}, "reading the memory of card 0", false, 0},
		"another user's card": {[]string{"-DLOCKED=0"}, "", false, 1},
		"all another user's":  {[]string{"-DLOCKED=99"}, "opening card 1: Insufficient Permissions", false, 0},
		"a count beyond all":  {[]string{"-DCARDS=4000000000u"}, "", false, mostCards},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(Config{Library: fake(t, tt.define...), SMI: noSMI})
			defer r.Close()
			cards, err := r.Cards(t.Context())
			if len(cards) != tt.cards || errors.Is(err, ErrNone) != tt.none || (err == nil) != (tt.want == "") {
				t.Fatalf("%d cards, %v", len(cards), err)
			}
			if err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			for _, c := range cards {
				odd := strings.Contains(name, "memory")
				if name == "tells only memory" && (c.Util != -1 || c.Temp != -1 || c.Power != -1 || c.MemFree == 0 || len(c.Processes) != 0) ||
					name == "shared memory" && c.MemTotal != 0 || !odd && c.MemTotal == 0 || name == "an old driver" && c.Power != -1 {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// script is a stand-in for nvidia-smi: what it says of cards, what it says of programs, and its exit status.
func script(t *testing.T, cards, programs, status string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for nvidia-smi is a shell script")
	}
	path := filepath.Join(t.TempDir(), "nvidia-smi")
	text := "#!/bin/sh\ncase \"$*\" in\n--query-gpu=index,*noheader,nounits) cat <<'X'\n" + cards + "\nX\nexit " + status +
		" ;;\n--query-compute-apps=*) cat <<'X'\n" + programs + "\nX\n;;\n*) exit 9 ;;\nesac\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCardsBySMI(t *testing.T) {
	smi := script(t, "0, NVIDIA GeForce RTX 3060, GPU-a, 12288, 1024, 11264, 7, 44, 31.55\n1, Odd, GPU-b, 8192, [N/A], 8000, [N/A], [Not Supported], [N/A]",
		"GPU-a, 4321, 900\nGPU-a, 12, [N/A]\nGPU-z, 5, 5", "0")
	cards, err := New(Config{Library: "/nowhere/libnvidia-ml.so.1", SMI: smi}).Cards(t.Context())
	if err != nil || len(cards) != 2 {
		t.Fatal(cards, err)
	}
	if c := cards[0]; c.Name != "NVIDIA GeForce RTX 3060" || c.MemTotal != 12288<<20 || c.MemUsed != 1024<<20 || c.MemFree != 11264<<20 ||
		c.Util != 7 || c.Temp != 44 || c.Power < 31 || c.Processes[4321] != 900<<20 || len(c.Processes) != 2 {
		t.Errorf("%+v", c)
	}
	if c := cards[1]; c.Index != 1 || c.MemUsed != 0 || c.Util != -1 || c.Temp != -1 || c.Power != -1 || len(c.Processes) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestNoneAndFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		smi  func(t *testing.T) string
		want string
		none bool
	}{
		"nothing installed": {func(*testing.T) string { return noSMI }, "no NVIDIA GPU found: the NVIDIA driver is not installed", true},
		"no devices":        {func(t *testing.T) string { return script(t, "No devices were found", "", "6") }, "No devices were found", true},
		"fails":             {func(t *testing.T) string { return script(t, "Failed to initialize NVML: N/A", "", "255") }, "Failed to initialize NVML", false},
		"nonsense":          {func(t *testing.T) string { return script(t, "hello, world", "", "0") }, "nvidia-smi said", false},
		"no number":         {func(t *testing.T) string { return script(t, "x,a,b,1,1,1,1,1,1", "", "0") }, `counts a card as "x"`, false},
		"empty":             {func(t *testing.T) string { return script(t, "", "", "0") }, "no NVIDIA GPU found", true},
	} {
		t.Run(name, func(t *testing.T) {
			cards, err := New(Config{Library: "/nowhere/libnvidia-ml.so.1", SMI: tt.smi(t)}).Cards(t.Context())
			if err == nil || cards != nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatal(cards, err)
			}
			if tt.none && !errors.Is(err, ErrNone) {
				t.Errorf("%v is not ErrNone", err)
			}
		})
	}
}

// A library that fails is no last word while nvidia-smi has one; where both fail, both are told.
func TestSMIStandsInForTheLibrary(t *testing.T) {
	const card = "0, NVIDIA A2, GPU-a, 15356, 500, 14856, 3, 40, 9.5"
	for name, tt := range map[string]struct {
		define     []string
		cards, end string // of nvidia-smi
		found      int
		want       []string // in the error
		none       bool
	}{
		"the driver was renewed":     {[]string{"-DINIT=18"}, card, "0", 1, nil, false},
		"the library lacks a symbol": {[]string{"-DNOMEMORY"}, card, "0", 1, nil, false},
		"a card fell off":            {[]string{"-DMEMORY=15"}, card, "0", 1, nil, false},
		"the kernel half is absent":  {[]string{"-DINIT=9"}, card, "0", 1, nil, false},
		"neither":                    {[]string{"-DINIT=18"}, "Failed to initialize NVML: Driver/library version mismatch", "18", 0, []string{"NVML error 18", "Failed to initialize"}, false},
		"neither has a card":         {[]string{"-DINIT=9"}, "No devices were found", "6", 0, []string{"no NVIDIA GPU found"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(Config{Library: fake(t, tt.define...), SMI: script(t, tt.cards, "GPU-a, 77, 400", tt.end)})
			defer r.Close()
			cards, err := r.Cards(t.Context())
			if len(cards) != tt.found || (err == nil) != (tt.want == nil) || errors.Is(err, ErrNone) != tt.none {
				t.Fatalf("%+v, %v", cards, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not tell %q", err, want)
				}
			}
			if tt.found == 1 && (cards[0].Power != 9.5 || cards[0].Processes[77] != 400<<20) {
				t.Errorf("%+v", cards[0])
			}
		})
	}
}

func TestSMIEndsWithCtx(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no shell script can be run")
	}
	path := filepath.Join(t.TempDir(), "nvidia-smi")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := New(Config{Library: "/nowhere/x.so", SMI: path}).Cards(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 5*time.Second {
		t.Error(err, time.Since(began))
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	r := New(Config{Library: fake(t), SMI: noSMI})
	defer r.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if cards, err := r.Cards(context.Background()); err != nil || len(cards) != 2 {
					t.Error(cards, err)
				}
				if i == 0 {
					r.Close()
				}
			}
		})
	}
	wg.Wait()
}

// The machine's own cards, where it has some.
func TestThisMachine(t *testing.T) {
	r := New(Config{})
	defer r.Close()
	cards, err := r.Cards(t.Context())
	if errors.Is(err, ErrNone) {
		t.Skip("skipped: " + err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cards {
		if c.Name == "" || c.MemFree > c.MemTotal || c.Util > 100 {
			t.Errorf("%+v", c)
		}
	}
}

func FuzzSMI(f *testing.F) {
	f.Add("0, NVIDIA GeForce RTX 3060, GPU-a, 12288, 1024, 11264, 7, 44, 31.55", "GPU-a, 4321, 900")
	f.Add("0, \"a\", , NaN, 1e400, -5, [N/A], Inf, x", "GPU-a, -1, NaN")
	f.Add("No devices were found", "")
	f.Fuzz(func(t *testing.T, cards, programs string) {
		got, err := parseCards(cards)
		if err != nil {
			return
		}
		addProcesses(got, programs)
		for _, c := range got {
			if c.MemTotal < 0 || c.MemFree < 0 || c.Util < -1 || c.Temp < -1 || c.Power != c.Power || c.Index < 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}

func BenchmarkCards(b *testing.B) {
	r := New(Config{Library: fake(b), SMI: noSMI})
	defer r.Close()
	for b.Loop() {
		if _, err := r.Cards(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
