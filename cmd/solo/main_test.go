package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/flite"
)

// TestMain lets the test binary be the program itself, for tests that need a process of its own.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "whisper-server" {
		os.Exit(playWhisper(os.Args[1:]))
	}
	if os.Getenv("SOLO_TEST_MAIN") == "1" {
		os.Unsetenv("SOLO_TEST_MAIN")
		main()
		return
	}
	code := m.Run()
	_ = os.RemoveAll(built()) // the system's own folder for what is temporary
	os.Exit(code)
}

// built holds what homes build at their first start from nothing but the program: the recogniser's models and the
// machine code of the PDF engine. The tests' homes share it, because it takes seconds under the race detector.
var built = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "solo-built-")
	if err != nil {
		panic(err)
	}
	return dir
})

// furnish lends a home what is built already. Where a link cannot be made, the home builds its own.
func furnish(t *testing.T, home string) {
	t.Helper()
	for _, name := range []string{"sphinx", "pdf"} {
		target, link := filepath.Join(built(), name), filepath.Join(home, "cache", name)
		if err := errors.Join(os.MkdirAll(target, 0o700), os.MkdirAll(filepath.Dir(link), 0o700)); err != nil {
			t.Fatal(err)
		}
		_ = os.Symlink(target, link)
	}
}

// lineOf is a printed object.
type lineOf map[string]any

func (l lineOf) text(key string) string { s, _ := l[key].(string); return s }

// solo runs the program inside the test and returns its exit code and what it printed.
func solo(t *testing.T, home, stdin string, args ...string) (code int, lines []lineOf) {
	t.Helper()
	return soloOn(t, home, strings.NewReader(stdin), args...)
}

// soloOn is solo with an input that may take its time.
func soloOn(t *testing.T, home string, stdin io.Reader, args ...string) (code int, lines []lineOf) {
	t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	furnish(t, home)
	code = cli.Main(ctx, append([]string{"--json", "--home", home}, args...), about(), open, stdin, &out, &errs)
	if errs.Len() > 0 {
		t.Logf("stderr: %s", errs.String())
	}
	for l := range bytes.Lines(out.Bytes()) {
		var o lineOf
		if err := json.Unmarshal(l, &o); err != nil {
			t.Fatalf("%q is no object: %v", l, err)
		}
		lines = append(lines, o)
	}
	return code, lines
}

// only keeps the lines of one event.
func only(lines []lineOf, event string) (kept []lineOf) {
	for _, l := range lines {
		if l.text("event") == event {
			kept = append(kept, l)
		}
	}
	return kept
}

// process starts the program as a process of its own.
func process(t *testing.T, home string, args ...string) (*exec.Cmd, *lockedBuffer) {
	t.Helper()
	furnish(t, home)
	cmd := exec.Command(os.Args[0], append([]string{"--json", "--home", home}, args...)...)
	cmd.Env = append(os.Environ(), "SOLO_TEST_MAIN=1")
	out := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	return cmd, out
}

// lockedBuffer is read while a process writes it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// await waits until a process has printed what.
func await(t *testing.T, out *lockedBuffer, what string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(out.String(), what); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in\n%s", what, out.String())
		}
	}
}

// say makes speech with flite.
func say(t testing.TB, voice, text string) []int16 {
	t.Helper()
	e, err := flite.New()
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	var pcm []int16
	for c, err := range e.Synthesize(t.Context(), voices.Phrase{Text: text, Voice: voice}) {
		if err != nil {
			t.Fatal(err)
		}
		pcm = append(pcm, c.Mono16k().PCM...)
	}
	return pcm
}

func quiet(d time.Duration) []int16 { return make([]int16, audio.Samples(d, audio.Rate)) }

func join(parts ...[]int16) (pcm []int16) {
	for _, p := range parts {
		pcm = append(pcm, p...)
	}
	return pcm
}

// record writes a WAV into a folder of the test.
func record(t testing.TB, parts ...[]int16) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.wav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := audio.WriteWAV(f, audio.Clip{Format: audio.Mono16k, PCM: join(parts...)}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// listens skips a test where this build has no recogniser.
func listens(t *testing.T) {
	t.Helper()
	a := &app{home: home{cache: t.TempDir()}}
	e, err := a.newRecogniser()
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}
