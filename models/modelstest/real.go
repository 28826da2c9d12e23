package modelstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

// RealKey is the key of the server that LlamaServer starts.
const RealKey = "sk-real-0123456789"

// LlamaServer starts a real llama-server on a free port, waits until it is healthy, and gives its address. The
// test's end stops it.
func LlamaServer(t testing.TB, program, model string, more ...string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	args := append([]string{"-m", model, "-c", "2048", "-np", "1", "-t", "1", "-tb", "1", "--host", "127.0.0.1", "--port", port, "--no-ui", "--jinja", "--slots", "--api-key", RealKey}, more...)
	var said words
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // one that has ended already is what we want
		_ = cmd.Wait()
	})
	url = "http://127.0.0.1:" + port
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		reply, err := http.Get(url + "/health")
		if err == nil {
			reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				return url
			}
		}
	}
	t.Fatalf("llama-server does not come up:\n%s", said.String())
	return ""
}

// words keeps what a child says.
type words struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// Real tests an engine on a real server with a small model whose words mean nothing: that it streams, counts,
// keeps to a schema, frees its slot, and serves one request after the other.
func Real(t *testing.T, e Engine) {
	story := func(text string) models.Request {
		return models.Request{MaxTokens: 48, Messages: []models.Message{{Role: models.System, Text: "You tell stories."}, {Role: models.User, Text: text}}}
	}
	t.Run("streams", func(t *testing.T) {
		h := good(t, e, story("Once upon a time"))
		if h.Text == "" || h.Deltas < 5 || h.Usage.Generated < 5 || h.Usage.Generated > 48 || h.Usage.Prompt < 5 {
			t.Errorf("%+v, %+v", h, h.Usage)
		}
		if again := good(t, e, story("Once upon a time")); again.Text != h.Text {
			t.Errorf("%q, then %q", h.Text, again.Text)
		}
	})
	t.Run("prompt only", func(t *testing.T) {
		r := story(strings.Repeat("The cat sat on the mat. ", 20))
		r.MaxTokens = -1
		if h := hear(t, e, r); h.Err != nil || h.Text != "" || h.Usage.Prompt < 50 {
			t.Fatalf("%+v, %+v", h, h.Usage)
		}
		r.MaxTokens = 4
		if h := good(t, e, r); h.Usage.Cached < 50 {
			t.Errorf("%+v: the prompt was read twice", h.Usage)
		}
	})
	t.Run("one after the other", func(t *testing.T) {
		for i := range 100 {
			r := story(fmt.Sprintf("Number %d", i))
			r.MaxTokens = 3
			if h := hear(t, e, r); h.Err != nil {
				t.Fatalf("%d: %v", i, h.Err)
			}
		}
	})
	t.Run("too long", func(t *testing.T) {
		if h := hear(t, e, story(strings.Repeat("The cat sat on the mat. ", 1000))); !errors.Is(h.Err, models.ErrTooLong) {
			t.Errorf("%v", h.Err)
		}
	})
	t.Run("cancel", func(t *testing.T) {
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			r := story("Tell me a long story")
			r.MaxTokens = 1500
			for d, err := range e.Stream(ctx, r) {
				if d.Text != "" {
					cancel()
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
			cancel()
			began := time.Now()
			r.MaxTokens = 1
			if h := hear(t, e, r); h.Err != nil || time.Since(began) > 10*freed {
				t.Errorf("the slot was free after %v: %v", time.Since(began), h.Err)
			}
		}
	})
	t.Run("tools", func(t *testing.T) {
		r := story("Set a timer")
		r.Tools = []models.Spec{setTimer}
		r.Messages = append(r.Messages, models.Message{Role: models.Assistant, Calls: []models.ToolCall{{ID: "call_1", Call: models.Call{Tool: "timers.set", Arguments: []byte(`{"duration":"PT5M"}`)}}}},
			models.Message{Role: models.Tool, For: "call_1", Text: "5 minutes, starting now."})
		if h := hear(t, e, r); h.Err != nil {
			t.Errorf("%+v", h)
		}
	})
}
