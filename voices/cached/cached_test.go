package cached

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// counter speaks a thousand samples a word and counts how often it was asked.
type counter struct {
	mu    sync.Mutex
	asked int
	fail  error
}

func (c *counter) Voices() []voices.Voice         { return nil }
func (c *counter) Version(context.Context) string { return "1" }

func (c *counter) Synthesize(_ context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		c.mu.Lock()
		c.asked++
		c.mu.Unlock()
		for range strings.Fields(p.Text) {
			if !yield(audio.Clip{Format: audio.Mono16k, PCM: make([]int16, 1000)}, nil) {
				return
			}
		}
		if c.fail != nil {
			yield(audio.Clip{}, c.fail)
		}
	}
}

func engine(t *testing.T, c Config) (*Engine, *counter) {
	t.Helper()
	inner := &counter{}
	if c.Folder == "" {
		c.Folder = filepath.Join(t.TempDir(), "voices")
	}
	if c.Name == nil {
		c.Name = named("flite 2.2")
	}
	c.Fixed = func(text string) bool { return strings.HasPrefix(text, "Sorry") }
	return New(inner, c), inner
}

func named(name string) func() string { return func() string { return name } }

func say(t *testing.T, e *Engine, p voices.Phrase) (samples int, err error) {
	t.Helper()
	for c, err := range e.Synthesize(t.Context(), p) {
		if err != nil {
			return samples, err
		}
		samples += len(c.PCM)
	}
	return samples, nil
}

func files(t *testing.T, e *Engine) int {
	t.Helper()
	entries, err := os.ReadDir(e.conf.Folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestFixedPhrasesAreMadeOnce(t *testing.T) {
	e, inner := engine(t, Config{Name: named("one")})
	for i := range 3 {
		if n, err := say(t, e, voices.Phrase{Text: "Sorry about that."}); n != 3000 || err != nil {
			t.Errorf("%d: %d samples, %v", i, n, err)
		}
	}
	if inner.asked != 1 || files(t, e) != 1 {
		t.Errorf("asked %d times, %d files", inner.asked, files(t, e))
	}
	// Another voice, pace or engine is another sound; the pace of 0 is that of 1.
	for _, p := range []voices.Phrase{{Voice: "x"}, {Pace: 2}, {Pace: 1}} {
		p.Text = "Sorry about that."
		if _, err := say(t, e, p); err != nil {
			t.Error(err)
		}
	}
	other, otherInner := engine(t, Config{Name: named("two"), Folder: e.conf.Folder})
	if _, err := say(t, other, voices.Phrase{Text: "Sorry about that."}); err != nil || otherInner.asked != 1 || inner.asked != 3 || files(t, e) != 4 {
		t.Errorf("asked %d and %d, %d files, %v", inner.asked, otherInner.asked, files(t, e), err)
	}
}

// What is said to the user alone is not kept.
func TestOtherPhrasesLeaveNoTrace(t *testing.T) {
	e, inner := engine(t, Config{})
	for range 2 {
		if n, err := say(t, e, voices.Phrase{Text: "Your locker is number nine."}); n != 5000 || err != nil {
			t.Errorf("%d samples, %v", n, err)
		}
	}
	if inner.asked != 2 || files(t, e) != 0 {
		t.Errorf("asked %d times, %d files", inner.asked, files(t, e))
	}
}

// Half a sound, be it cut by an error, by who listens or by the disk, is not kept.
func TestHalfIsNotKept(t *testing.T) {
	e, inner := engine(t, Config{})
	inner.fail = errors.New("it broke")
	if _, err := say(t, e, voices.Phrase{Text: "Sorry about that."}); !errors.Is(err, inner.fail) || files(t, e) != 0 {
		t.Errorf("%v, %d files", err, files(t, e))
	}
	inner.fail = nil
	for range e.Synthesize(t.Context(), voices.Phrase{Text: "Sorry about that."}) {
		break
	}
	if files(t, e) != 0 {
		t.Errorf("%d files", files(t, e))
	}
	for range 2 {
		if n, err := say(t, e, voices.Phrase{Text: "Sorry about that."}); n != 3000 || err != nil {
			t.Errorf("%d samples, %v", n, err)
		}
		path := e.path(voices.Phrase{Text: "Sorry about that."})
		if err := os.Truncate(path, 1000); err != nil {
			t.Fatal(err)
		}
	}
	if inner.asked != 4 {
		t.Errorf("asked %d times", inner.asked)
	}
}

func TestOldestGo(t *testing.T) {
	e, inner := engine(t, Config{Bytes: 3 * (2000*2 + 44)})
	for i, text := range []string{"Sorry one.", "Sorry two.", "Sorry three.", "Sorry one.", "Sorry four."} {
		if _, err := say(t, e, voices.Phrase{Text: text}); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-100) * time.Minute) // in the order of use
		if err := os.Chtimes(e.path(voices.Phrase{Text: text}), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if files(t, e) != 3 || inner.asked != 4 {
		t.Errorf("%d files, asked %d times", files(t, e), inner.asked)
	}
	if _, err := os.Stat(e.path(voices.Phrase{Text: "Sorry two."})); err == nil {
		t.Error("the one that was not used for longest is kept")
	}
	half := filepath.Join(e.conf.Folder, "x.part")
	old := time.Now().Add(-2 * time.Hour)
	if err := errors.Join(os.WriteFile(half, nil, 0o600), os.Chtimes(half, old, old), e.prune()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("half a file is kept for ever")
	}
}

func TestNoFolderIsNoFault(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e, _ := engine(t, Config{Folder: taken})
	if n, err := say(t, e, voices.Phrase{Text: "Sorry about that."}); n != 3000 || err != nil {
		t.Errorf("%d samples, %v", n, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	for _, err := range e.Synthesize(ctx, voices.Phrase{Text: "Sorry about that."}) {
		if !errors.Is(err, over) {
			t.Errorf("got %v", err)
		}
	}
}
