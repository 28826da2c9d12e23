package whisper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/stttest"
	"github.com/solo-assistant/solo/core/supervise"
)

func config(t testing.TB, behaviour string) Config {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	dir := t.TempDir()
	model(t, dir)
	return Config{Settings: Settings{Server: newFake(t, behaviour), Every: 200 * time.Millisecond}, Data: dir, Temp: dir, Log: zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel)}
}

// serve keeps an engine running until the test ends.
func serve(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	tree := supervise.New(supervise.Config{}, e.Keep())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tree.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if pid := e.Pid(); pid != 0 {
			t.Errorf("process %d is left", pid)
		}
	})
	return e
}

func open(t testing.TB, e *Engine) *Stream {
	t.Helper()
	s, err := e.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func hear(t testing.TB, e *Engine, pcm []int16) (audio.Transcript, error) {
	t.Helper()
	s := open(t, e)
	if err := s.Feed(pcm); err != nil {
		t.Fatal(err)
	}
	return s.Finish(t.Context())
}

const (
	one = "Set a timer for ten minutes"
	two = "What is the weather in Paris tomorrow"
)

// The suite feeds faster than real time: a fake without delay answers fast enough for partial results.
func TestSuite(t *testing.T) {
	e := serve(t, config(t, "plain"))
	if _, err := hear(t, e, spoken(one)); err != nil { // it is up
		t.Fatal(err)
	}
	stttest.Run(t, func(ctx context.Context) (stttest.Stream, error) {
		s, err := e.Open(ctx)
		if err != nil {
			return nil, err
		}
		return &patient{s}, nil
	}, stttest.Utterance{PCM: spoken(one), Text: one + "."}, stttest.Utterance{PCM: spoken(two), Text: two + "."})
}

// patient waits for the reading under way before it takes more sound, as time would.
type patient struct{ *Stream }

func (p *patient) Feed(pcm []int16) error {
	if p.look != nil {
		<-p.look.done
	}
	return p.Stream.Feed(pcm)
}

func TestOddServers(t *testing.T) {
	for _, behaviour := range []string{"old", "slow", "dies", "lazy"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			e := serve(t, config(t, behaviour))
			for range 3 {
				if got, err := hear(t, e, spoken(one)); err != nil || got.Text != one+"." {
					t.Errorf("heard %q, %v", got.Text, err)
				}
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for behaviour, want := range map[string]string{"refuses": "failed to process audio", "garbage": "cannot be read", "broken": "failed to initialize"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			e := serve(t, config(t, behaviour))
			e.wait = 2 * time.Second
			if got, err := hear(t, e, spoken(one)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("heard %q, %v", got.Text, err)
			}
		})
	}
}

// A build for a graphics card that does not work is used without it.
func TestCardThatDoesNotWork(t *testing.T) {
	c := config(t, "nogpu")
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.Server), "libggml-cuda.so"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// The link leads to the test binary; the library lies beside the link.
	self, err := os.ReadFile(c.Server)
	if err == nil {
		err = errors.Join(os.Remove(c.Server), os.WriteFile(c.Server, self, 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	e := serve(t, c)
	if f, err := e.Find(t.Context()); err != nil || len(f.Backends) != 1 || f.Backends[0] != "cuda" || f.Bytes == 0 {
		t.Errorf("%+v, %v", f, err)
	}
	if got, err := hear(t, e, spoken(one)); err != nil || got.Text != one+"." {
		t.Errorf("heard %q, %v", got.Text, err)
	}
}

func TestKilledServerIsStartedAgain(t *testing.T) {
	e := serve(t, config(t, "plain"))
	for range 3 {
		if got, err := hear(t, e, spoken(two)); err != nil || got.Text != two+"." {
			t.Fatalf("heard %q, %v", got.Text, err)
		}
		p, err := os.FindProcess(e.Pid())
		if err == nil {
			err = p.Signal(syscall.SIGKILL)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What is said while the model loads is heard when it is loaded.
func TestSpeechWaitsForTheServer(t *testing.T) {
	e := serve(t, config(t, "slow"))
	var wg sync.WaitGroup
	for _, text := range []string{one, two, one} {
		wg.Go(func() {
			if got, err := hear(t, e, spoken(text)); err != nil || got.Text != text+"." {
				t.Errorf("heard %q, %v", got.Text, err)
			}
		})
	}
	wg.Wait()
	e.wait = time.Millisecond
	other, err := New(config(t, "plain")) // never served
	if err != nil {
		t.Fatal(err)
	}
	other.wait = 10 * time.Millisecond
	if _, err := hear(t, other, spoken(one)); !errors.Is(err, ErrLate) {
		t.Errorf("got %v", err)
	}
}

// Who speaks again does not wait for what nobody wants to hear any more.
func TestCancelledWhileItDecodes(t *testing.T) {
	e := serve(t, config(t, "hangs"))
	s := open(t, e)
	if err := s.Feed(spoken(one)); err != nil {
		t.Fatal(err)
	}
	why := errors.New("the user spoke again")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
	if _, err := s.Finish(ctx); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Silence never reaches the server; of noise that does, what Whisper makes of it is not believed.
func TestPhantoms(t *testing.T) {
	e := serve(t, config(t, "phantom"))
	noise := make([]int16, 2*audio.Rate)
	for i := range noise { // clicks now and then, which a VAD may take for speech
		if i%12000 < 200 {
			noise[i] = int16(7000 * (i%3 - 1))
		}
	}
	if got, err := hear(t, e, noise); !errors.Is(err, audio.ErrNoSpeech) {
		t.Errorf("heard %q, %v", got.Text, err)
	}
	e = serve(t, config(t, "plain"))
	if got, err := hear(t, e, spoken("Thank you")); err != nil || got.Text != "Thank you." {
		t.Errorf("who says it clearly is believed: %q, %v", got.Text, err)
	}
}

// The model's memory comes back, and the server too when somebody speaks.
func TestSleep(t *testing.T) {
	c := config(t, "plain")
	c.SleepIdle = 50 * time.Millisecond
	e := serve(t, c)
	for range 3 {
		if got, err := hear(t, e, spoken(one)); err != nil || got.Text != one+"." {
			t.Fatalf("heard %q, %v", got.Text, err)
		}
		for until := time.Now().Add(10 * time.Second); e.Pid() != 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("it keeps the memory for ever")
			}
		}
		time.Sleep(20 * time.Millisecond) // the process's own end
	}
}

// Partial results of a long utterance come from a window that slides; its words fit together.
func TestLongUtterance(t *testing.T) {
	e := serve(t, config(t, "plain"))
	text := strings.TrimSpace(strings.Repeat(one+" "+two+" ", 6)) // 31 s
	pcm := spoken(text)
	s := open(t, e)
	p := &patient{s}
	longest := ""
	for chunk := range slices.Chunk(pcm, audio.FrameLen) {
		if err := p.Feed(chunk); err != nil {
			t.Fatal(err)
		}
		if now := p.Partial(); len(now) > len(longest) {
			if !strings.HasPrefix(bare(now), bare(longest)) {
				t.Fatalf("%q became %q", longest, now)
			}
			longest = now
		}
	}
	if n := len(strings.Fields(longest)); n < 60 || !strings.HasPrefix(bare(text), bare(longest)) {
		t.Errorf("the partial result reached %d words of %d: %q", n, len(strings.Fields(text)), longest)
	}
	got, err := p.Finish(t.Context())
	if err != nil || bare(got.Text) != bare(text) || len(got.Words) != len(strings.Fields(text)) {
		t.Errorf("heard %q with %d words, %v", got.Text, len(got.Words), err)
	}
}

func TestWordsThatAreLikely(t *testing.T) {
	c := config(t, "prompted")
	c.Words = func() []string {
		return []string{"Set a timer", "Paris", "paris", "", "line\nbreak", strings.Repeat("x", 100)}
	}
	e := serve(t, c)
	if got, err := hear(t, e, spoken(one)); err != nil || got.Text != "Set a timer, Paris, line break.." {
		t.Errorf("the prompt was %q, %v", got.Text, err)
	}
}

func TestAbsent(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	if _, err := New(Config{Data: dir}); !errors.Is(err, ErrAbsent) {
		t.Errorf("no program: %v", err)
	}
	c := config(t, "plain")
	c.Data = dir
	if _, err := New(c); !errors.Is(err, ErrNoModel) {
		t.Errorf("no model: %v", err)
	}
	model(t, dir)
	for _, name := range []string{"", "ggml-fake.en.bin", "whisper-fake.en", filepath.Join(dir, "models", "whisper", "ggml-fake.en.bin")} {
		c.Model = name
		if _, err := New(c); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	c.Model, c.Language = "", "de"
	if _, err := New(c); !errors.Is(err, ErrNoModel) {
		t.Errorf("an English model for German: %v", err)
	}
	for _, bad := range []Settings{{Language: "en; rm"}, {Extra: []string{"--host", "0.0.0.0"}}, {Extra: []string{"--convert"}}} {
		bad.Server = c.Server
		if _, err := New(Config{Settings: bad, Data: dir}); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestBuildsAreRanked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, library := range map[string]string{"whisper-cublas": "libggml-cuda.so", "whisper-plain": "libggml-base.so", "whisper-vk": "libggml-vulkan.so"} {
		at := filepath.Join(dir, name, "bin")
		err := errors.Join(os.MkdirAll(at, 0o700), os.WriteFile(filepath.Join(at, library), nil, 0o600))
		text, readErr := os.ReadFile(self)
		if err = errors.Join(err, readErr, os.WriteFile(filepath.Join(at, "whisper-server"), text, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for nvidia, want := range map[bool]string{true: "cublas vk plain", false: "vk plain cublas"} {
		c := Config{Data: dir, NVIDIA: func() bool { return nvidia }}
		got, err := c.programs()
		var order []string
		for _, path := range got {
			if rest, ok := strings.CutPrefix(path, filepath.Join(dir, "whisper-")); ok {
				order = append(order, strings.Split(rest, string(filepath.Separator))[0])
			}
		}
		if strings.Join(order, " ") != want || err != nil {
			t.Errorf("card %v: %v, %v", nvidia, order, err)
		}
	}
}
