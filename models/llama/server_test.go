package llama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama/llamatest"
)

func TestStory(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	text, u, err := told(t.Context(), d.Server, story("Once upon a time"))
	if err != nil || text == "" || u.Engine != "llama" || u.Model != "stories260K-ctx4k" || u.Generated < 1 || u.Generated > 64 || u.Prompt < 5 || u.Reading == 0 {
		t.Fatalf("%q, %+v, %v", text, u, err)
	}
	list, err := d.Models(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != "stories260K-ctx4k" || !list[0].Loaded || list[0].Context != 2048 || list[0].Bytes != 1186304 || list[0].Cloud {
		t.Errorf("%+v, %v", list, err)
	}
	again := story("Once upon a time")
	again.Model = "stories260K-ctx4k"
	if same, _, err := told(t.Context(), d.Server, again); err != nil || same != text {
		t.Errorf("temperature 0 gave %q, then %q (%v)", text, same, err)
	}
	again.Model = "another"
	if _, _, err := told(t.Context(), d.Server, again); !errors.Is(err, models.ErrNoModel) || !strings.Contains(err.Error(), "llama.model") {
		t.Error(err)
	}
	if _, err := d.Embed(t.Context(), "", []string{"a"}); !errors.Is(err, models.ErrUnable) {
		t.Error(err)
	}
	pid := d.life().pid()
	d.stop()
	if !gone(pid) {
		t.Error("the server lives on")
	}
}

// An answer held by a JSON schema fits it, every time.
func TestJSON(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	for i := range 20 {
		r := story(fmt.Sprintf("Tell story number %d about a cat", i))
		r.Temperature = 1.2
		r.MaxTokens = 200
		r.Schema = json.RawMessage(`{"type":"object","properties":{"animal":{"enum":["cat","dog","bird"]},"age":{"type":"integer","minimum":1,"maximum":9}},"required":["animal","age"],"additionalProperties":false}`)
		text, _, err := told(t.Context(), d.Server, r)
		var got struct {
			Animal string
			Age    int
		}
		if err == nil {
			err = json.Unmarshal([]byte(text), &got)
		}
		if err != nil || !strings.Contains("cat dog bird", got.Animal) || got.Animal == "" || got.Age < 1 || got.Age > 9 {
			t.Errorf("%d: %q, %v", i, text, err)
		}
	}
}

func TestPromptCache(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	r := story("Once upon a time there was a little girl named Lily who loved to play outside in the sunshine.")
	if _, _, err := told(t.Context(), d.Server, r); err != nil {
		t.Fatal(err)
	}
	if _, u, err := told(t.Context(), d.Server, r); err != nil || u.Cached < u.Prompt/2 || u.Cached == 0 {
		t.Errorf("%+v, %v", u, err)
	}
}

// What every conversation begins with has been read when the server is ready.
func TestPrefixIsReadAhead(t *testing.T) {
	c := config4k(t)
	system := models.Message{Role: models.System, Text: strings.Repeat("You tell stories about animals that can talk. ", 12)}
	c.Prefix = func(context.Context) []models.Message { return []models.Message{system} }
	d := serve(t, build4k(t, c))
	r := models.Request{Messages: []models.Message{system, {Role: models.User, Text: "Go on"}}, MaxTokens: 4}
	if _, u, err := told(t.Context(), d.Server, r); err != nil || u.Cached < u.Prompt*3/4 {
		t.Errorf("%+v, %v", u, err)
	}
}

// A prefix that takes longer than allowed makes nobody wait.
func TestSlowPrefix(t *testing.T) {
	c := config4k(t)
	c.WarmLimit = 50 * time.Millisecond
	c.Prefix = func(ctx context.Context) []models.Message { <-ctx.Done(); return nil }
	d := serve(t, build4k(t, c))
	if _, _, err := told(t.Context(), d.Server, story("Hello")); err != nil {
		t.Error(err)
	}
}

// busy is how many of the server's slots are at work.
func busy(t *testing.T, v *life) (n int) {
	t.Helper()
	_, page, err := get(t.Context(), plainClient, v.url("/slots"), v.key)
	var slots []struct {
		Busy bool `json:"is_processing"`
	}
	if err == nil {
		err = json.Unmarshal(page, &slots)
	}
	if err != nil || len(slots) == 0 {
		t.Fatalf("%s, %v", page, err)
	}
	for _, s := range slots {
		if s.Busy {
			n++
		}
	}
	return n
}

func long() models.Request {
	r := story("Once upon a time")
	r.MaxTokens = 1900
	return r
}

// Breaking off, and the end of ctx, free the slot at once.
func TestCancelFreesTheSlot(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	for _, way := range []string{"break", "ctx"} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		var last error
		for delta, err := range d.Stream(ctx, long()) {
			if last = err; err != nil {
				break
			}
			if delta.Text != "" {
				n++
			}
			if n == 5 {
				if busy(t, d.life()) != 1 {
					t.Error(way, "the slot is idle in mid-answer")
				}
				if way == "break" {
					break
				}
				cancel()
			}
		}
		began := time.Now()
		for busy(t, d.life()) > 0 && time.Since(began) < time.Second {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(began); took > 200*time.Millisecond {
			t.Errorf("%s: the slot was busy for %v", way, took)
		}
		if way == "ctx" && (!errors.Is(last, context.Canceled) || n > 1000) {
			t.Errorf("%d pieces, %v", n, last)
		}
		cancel()
	}
}

func TestTooLong(t *testing.T) {
	c := config4k(t)
	c.Context = 256
	d := serve(t, build4k(t, c))
	_, _, err := told(t.Context(), d.Server, story(strings.Repeat("and then they went home ", 200)))
	if !errors.Is(err, models.ErrTooLong) {
		t.Error(err)
	}
	if _, _, err := told(t.Context(), d.Server, story("Hello")); err != nil {
		t.Error("after it:", err)
	}
}

// Killed in mid-answer the server is back well under a second later; the answer breaks off with its reason.
func TestKilledInMidAnswer(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	for round := 1; round <= 3; round++ {
		n, killed, pid := 0, time.Time{}, 0
		var last error
		for delta, err := range d.Stream(t.Context(), long()) {
			if last = err; err != nil {
				break
			}
			if delta.Text != "" {
				n++
			}
			if n == 3 && pid == 0 {
				pid, killed = d.kill(t), time.Now()
			}
		}
		if took := time.Since(killed); !errors.Is(last, models.ErrBroken) || !strings.Contains(last.Error(), "killed") || took > 3*time.Second {
			t.Fatalf("after %v and %d pieces: %v", took, n, last)
		}
		_, _, err := told(t.Context(), d.Server, story("Hello")) // waits for the next life
		back := time.Since(killed)
		if err != nil || back > 9*time.Second || !gone(pid) { // a busy machine; the soak measures
			t.Fatalf("the next answer after %v: %v", back, err)
		}
		up := d.waitUp(t, round+1).Sub(killed)
		t.Logf("round %d: ready again after %v, answered after %v", round, up.Round(time.Millisecond), back.Round(time.Millisecond))
	}
}

// A server that died before the first word of an answer costs the asker nothing but time.
func TestKilledBeforeTheQuestion(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	for range 3 {
		d.kill(t)
		if _, _, err := told(t.Context(), d.Server, story("Hello")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestQuestionsWaitForTheStart(t *testing.T) {
	s := build4k(t, config4k(t))
	d := begin(t, s) // not up yet
	if _, _, err := told(t.Context(), s, story("Hello")); err != nil {
		t.Error(err)
	}
	d.stop()
	s.wait = 30 * time.Millisecond
	if _, _, err := told(t.Context(), s, story("Hello")); !errors.Is(err, models.ErrUnreachable) {
		t.Error(err)
	}
	s.wait = 10 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := told(ctx, s, story("Hello")); !errors.Is(err, models.ErrLate) {
		t.Error(err)
	}
	gone, leave := context.WithCancelCause(t.Context())
	why := errors.New("the user spoke")
	leave(why)
	if _, _, err := told(gone, s, story("Hello")); !errors.Is(err, why) {
		t.Error(err)
	}
}

// Who asks a server that does not start hears why: after the bound, and at once when it failed often.
func TestServerThatNeverStarts(t *testing.T) {
	c := config4k(t)
	c.Extra = []string{"--no-such-thing"}
	s := build4k(t, c)
	s.wait = 700 * time.Millisecond
	begin(t, s)
	began := time.Now()
	_, _, err := told(t.Context(), s, story("Hello"))
	if took := time.Since(began); !errors.Is(err, models.ErrUnreachable) || !strings.Contains(err.Error(), "no-such-thing") || took < s.wait {
		t.Errorf("after %v: %v", took, err)
	}
	s.vain.Store(hopeless + 1)
	began = time.Now()
	if _, _, err := told(t.Context(), s, story("Hello")); !errors.Is(err, models.ErrUnreachable) || time.Since(began) > s.wait/2 {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// A model that comes later is found, and a question waits for it.
func TestModelComesLater(t *testing.T) {
	c := config4k(t)
	from := c.Model
	c.Model = ""
	s := build4k(t, c)
	d := begin(t, s)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if st := d.tree.States()[0]; st.Err != nil {
			break
		}
	}
	if _, _, err := told(t.Context(), s, story("Hello")); !errors.Is(err, models.ErrNoModel) {
		t.Error(err)
	}
	if err := os.MkdirAll(c.models(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(from, filepath.Join(c.models(), "late.gguf")); err != nil {
		t.Skip("skipped: no links on this system")
	}
	if err := d.tree.Restart("llama"); err != nil {
		t.Fatal(err)
	}
	d.waitUp(t, 1)
	if _, u, err := told(t.Context(), s, story("Hello")); err != nil || u.Model != "late" {
		t.Error(u, err)
	}
}

func TestEmbeddings(t *testing.T) {
	c := config4k(t)
	c.EmbeddingModel = c.Model
	s := build4k(t, c)
	serve(t, s.Embedder())
	vectors, err := s.Embed(t.Context(), "", []string{"a cat", "a cat", "the sun in the sky"})
	if err != nil || len(vectors) != 3 || len(vectors[0]) != 64 {
		t.Fatal(len(vectors), err)
	}
	if same, other := dot(vectors[0], vectors[1]), dot(vectors[0], vectors[2]); math.Abs(same-1) > 1e-3 || other >= same {
		t.Errorf("the same text %v, another %v", same, other)
	}
	long := strings.Repeat("they went home ", 2000)
	if _, err := s.Embed(t.Context(), "", []string{long}); err == nil {
		t.Error("a text beyond the context got a vector")
	} else if !errors.Is(err, models.ErrTooLong) {
		t.Error(err)
	}
	if _, _, err := told(t.Context(), s.Embedder(), story("Hello")); !errors.Is(err, models.ErrUnable) {
		t.Error(err)
	}
	if s.Embedder().Name() != "llama-embed" || s.Name() != "llama" {
		t.Error(s.Embedder().Name(), s.Name())
	}
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A Solo that is killed takes its server along, through whatever script started it.
func TestDiesWithSolo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: looks into /proc")
	}
	solo := exec.Command(os.Args[0])
	solo.Env = append(os.Environ(), playSolo+"="+llamatest.Program(t), playSolo+"_MODEL="+llamatest.Model(t))
	out, err := solo.StdoutPipe()
	if err == nil {
		err = solo.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	_, err = fmt.Fscanf(out, "pid %d\n", &pid)
	if err != nil || gone(pid) {
		t.Error(pid, err)
	}
	_ = solo.Process.Kill()
	_ = solo.Wait()
	for end := time.Now().Add(5 * time.Second); !gone(pid) && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if !gone(pid) {
		t.Error("the server lives on")
	}
}

// Two conversations at once, with a draft model that guesses ahead.
func TestSlotsAndDraft(t *testing.T) {
	c := config4k(t)
	c.Parallel, c.DraftModel, c.DraftMax = 2, c.Model, 4
	d := serve(t, build4k(t, c))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if text, u, err := told(t.Context(), d.Server, story("Once upon a time")); err != nil || text == "" || u.Generated == 0 {
				t.Error(text, u, err)
			}
		})
	}
	wg.Wait()
	if _, page, err := get(t.Context(), plainClient, d.life().url("/props"), d.life().key); err != nil || !strings.Contains(string(page), `"total_slots":2`) || !strings.Contains(string(page), `"n_ctx":2048`) {
		t.Errorf("%s, %v", page, err)
	}
	if _, page, err := get(t.Context(), plainClient, d.life().url("/metrics"), d.life().key); err != nil || !strings.Contains(string(page), "llamacpp:tokens_predicted_total") {
		t.Errorf("%.200s, %v", page, err)
	}
}
