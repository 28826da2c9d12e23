package whisper

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// half is a float32 as a float16, near enough for noise.
func half(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	exp := int(b>>23&0xff) - 127 + 15
	switch {
	case exp <= 0:
		return sign
	case exp >= 31:
		return sign | 0x7bff
	}
	return sign | uint16(exp)<<10 | uint16(b>>13&0x3ff)
}

// program is a real whisper-server; a test without one is skipped.
func program(t testing.TB) string {
	t.Helper()
	path := os.Getenv("SOLO_WHISPER_SERVER")
	if path == "" {
		_, here, _, _ := runtime.Caller(0)
		path = filepath.Join(filepath.Dir(here), "..", "..", "..", ".tools", "whisper", "whisper-server")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: no whisper-server (scripts/whisper.sh gets one)")
	}
	return path
}

func real(t testing.TB, s shape) Config {
	t.Helper()
	server, dir := program(t), t.TempDir()
	randomModel(t, dir, s)
	return Config{Settings: Settings{Server: server, Every: time.Second, Threads: 1, StartLimit: time.Minute}, Data: dir, Temp: dir,
		Log: zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel)}
}

// heardSomething is whether the server did its work: with weights that mean nothing, what it found does not matter.
func heardSomething(err error) bool { return err == nil || errors.Is(err, audio.ErrNoSpeech) }

// The real server takes what Solo sends it, gives what Solo reads, and comes back when it is killed or was asleep.
func TestRealServer(t *testing.T) {
	c := real(t, little)
	c.SleepIdle = time.Second
	e := serve(t, c)
	e.wait = time.Minute
	if _, err := hear(t, e, spoken(one)); !heardSomething(err) {
		t.Fatal(err)
	}
	l, err := e.answering(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.once(t.Context(), spoken(one), "Anna, Paris.")
	if err != nil || r.language != "english" {
		t.Errorf("language %q, %v", r.language, err)
	}
	for _, s := range r.segments {
		if s.end < s.start || s.sure < 0 || s.sure > 1 || s.silent < 0 || s.silent > 1 {
			t.Errorf("%+v", s)
		}
	}
	stranger(t, l)
	p, err := os.FindProcess(e.Pid())
	if err == nil {
		err = p.Signal(syscall.SIGKILL)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hear(t, e, spoken(two)); !heardSomething(err) {
		t.Errorf("after a kill: %v", err)
	}
	for until := time.Now().Add(30 * time.Second); e.Pid() != 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("it does not sleep")
		}
	}
	if _, err := hear(t, e, spoken(two)); !heardSomething(err) {
		t.Errorf("after a sleep: %v", err)
	}
}

// stranger asks without the secret path: there is nothing to find.
func stranger(t *testing.T, l *life) {
	t.Helper()
	door := l.base[:strings.LastIndexByte(l.base, '/')]
	for _, path := range []string{"/", "/health", "/inference", "/load", "/index.html", "/../../etc/passwd"} {
		reply, err := http.Get(door + path)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %d", path, reply.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// A reading that nobody wants any more is given up by the server too.
func TestRealServerGivesUp(t *testing.T) {
	e := serve(t, real(t, little))
	e.wait = time.Minute
	if _, err := hear(t, e, spoken(one)); !heardSomething(err) {
		t.Fatal(err)
	}
	long := make([]int16, 0, 100*audio.Rate)
	for len(long) < 90*audio.Rate {
		long = append(long, spoken(two)...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := e.once(ctx, long, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Skipf("skipped: it was done before it could be given up: %v", err)
	}
	began := time.Now()
	if _, err := e.once(t.Context(), spoken(one), ""); err != nil {
		t.Error(err)
	}
	t.Logf("the next reading took %v", time.Since(began))
}

// How long readings take in the shape of the smallest model, 1 thread. The text is noise.
func TestRealServerCost(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: SOLO_SOAK=1 measures")
	}
	e := serve(t, real(t, tiny))
	e.wait = time.Minute
	if _, err := hear(t, e, spoken(one)); !heardSomething(err) {
		t.Fatal(err)
	}
	for _, seconds := range []int{2, 5, 10, 20, 29} {
		pcm := make([]int16, 0, 30*audio.Rate)
		for len(pcm) < seconds*audio.Rate {
			pcm = append(pcm, spoken(two)...)
		}
		best := time.Hour
		for range 3 {
			began := time.Now()
			if _, err := e.once(t.Context(), pcm[:seconds*audio.Rate], ""); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(began))
		}
		t.Logf("%d s of sound, %d positions: %v", seconds, span(seconds*audio.Rate), best)
	}
}
