package modelstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

const freed = 200 * time.Millisecond // in which a server must see that nobody listens any more

// breakingOff ends the server's work, as a barge-in does.
func (s suite) breakingOff(t *testing.T) {
	srv, e := s.play(t, Turn{Text: strings.Repeat("on and on ", 500), Pace: 100})
	n := 0
	for d, err := range e.Stream(t.Context(), ask("Tell me everything.")) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Text != "" {
			n++
		}
		if n == 5 {
			break
		}
	}
	broke := time.Now()
	if took := srv.Left(0).Sub(broke); took > freed {
		t.Errorf("the server went on for %v", took)
	}
}

func (s suite) cancelAfter(t *testing.T, turn Turn, ready func(Request) bool) {
	srv, e := s.play(t, turn)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := make(chan Heard, 1)
	go func() { heard <- Hear(e.Stream(ctx, ask("Tell me everything."))) }()
	srv.Wait(0, ready)
	cancelled := time.Now()
	cancel()
	h := <-heard
	if took := time.Since(cancelled); took > freed || !errors.Is(h.Err, context.Canceled) {
		t.Errorf("after %v: %v", took, h.Err)
	}
	if took := srv.Left(0).Sub(cancelled); took > freed {
		t.Errorf("the server went on for %v", took)
	}
}

func (s suite) cancel(t *testing.T) {
	s.cancelAfter(t, Turn{Text: strings.Repeat("on and on ", 500), Pace: 100}, func(r Request) bool { return r.Sent > 3 })
}

func (s suite) cancelEarly(t *testing.T) {
	s.cancelAfter(t, Turn{Text: "Too late.", Delay: time.Minute}, func(Request) bool { return true })
}

func (s suite) cancelHung(t *testing.T) {
	s.cancelAfter(t, Turn{Hang: -1}, func(Request) bool { return true })
}

func (s suite) timeOut(t *testing.T) {
	for name, turn := range map[string]Turn{"status": {Hang: -1}, "first word": {Text: "x", Delay: time.Minute}, "middle": {Text: "one two three four", Hang: 2}} {
		srv, e := s.play(t, turn)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		h := Hear(e.Stream(ctx, ask("Hurry.")))
		cancel()
		if !errors.Is(h.Err, models.ErrLate) || !errors.Is(h.Err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, h.Err)
		}
		srv.Left(0)
	}
}

// cause: whoever cancels with a reason finds it in the error.
func (s suite) cause(t *testing.T) {
	reason := errors.New("the user spoke")
	srv, e := s.play(t, Turn{Text: "one two three four", Hang: 2})
	ctx, cancel := context.WithCancelCause(t.Context())
	heard := make(chan Heard, 1)
	go func() { heard <- Hear(e.Stream(ctx, ask("Talk."))) }()
	srv.Wait(0, func(r Request) bool { return r.Sent == 2 })
	cancel(reason)
	if h := <-heard; !errors.Is(h.Err, reason) || !errors.Is(h.Err, context.Canceled) {
		t.Errorf("ended with %v", h.Err)
	}
}

func (s suite) refusals(t *testing.T) {
	for name, tt := range map[string]struct {
		turn Turn
		want error
	}{
		"key":             {status(401, "invalid key"), models.ErrKey},
		"forbidden":       {status(403, "not for you"), models.ErrKey},
		"model":           {status(404, "model 'x' not found"), models.ErrNoModel},
		"busy":            {status(429, "slow down"), models.ErrBusy},
		"loading":         {status(503, "Loading model"), models.ErrBusy},
		"too long":        {status(400, "prompt is too long: 9000 tokens > 8192 maximum"), models.ErrTooLong},
		"too long llama":  {status(400, `{"error":{"code":400,"message":"request (28 tokens) exceeds the available size","type":"exceed_context_size_error","n_prompt_tokens":28,"n_ctx":16}}`), models.ErrTooLong},
		"too long code":   {status(400, `{"error":{"message":"Please reduce the length","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`), models.ErrTooLong},
		"too long inside": {status(400, `{"error":"{\"error\":{\"code\":400,\"message\":\"request (8889 tokens) is too much\",\"type\":\"exceed_context_size_error\"}}"}`), models.ErrTooLong},
		"too large":       {status(413, "request_too_large"), models.ErrTooLong},
		"no money":        {status(402, "pay first"), models.ErrKey},
		"quota":           {status(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`), models.ErrKey},
		"balance":         {status(400, "Your credit balance is too low"), models.ErrKey},
		"overloaded":      {status(529, "Overloaded"), models.ErrBusy},
		"not understood":  {status(400, "tools[0] is bad"), models.ErrUnable},
		"unable":          {status(501, "This server does not support this"), models.ErrUnable},
		"gateway":         {status(502, "<html>bad gateway</html>"), models.ErrUnreachable},
		"server":          {status(500, "something failed"), models.ErrBroken},
		"memory":          {status(500, "model requires more system memory (9 GiB) than is available"), models.ErrTooLarge},
		"empty":           {status(500, "{}"), models.ErrBroken},
		"huge page":       {status(500, "<"+strings.Repeat("failure\n", 1<<17)), models.ErrBroken},
	} {
		t.Run(name, func(t *testing.T) {
			_, e := s.play(t, tt.turn)
			h := hear(t, e, ask("Hello."))
			if !errors.Is(h.Err, tt.want) {
				t.Fatalf("%v, want %v", h.Err, tt.want)
			}
			if text := h.Err.Error(); len(text) > 500 || strings.ContainsAny(text, "\n\r") || !strings.Contains(text, e.Name()) {
				t.Errorf("error of %d bytes: %q", len(text), text)
			}
			if words := tt.turn.Body; !strings.ContainsAny(words, "{<") && !strings.Contains(h.Err.Error(), words) {
				t.Errorf("%q does not have the server's words %q", h.Err, words)
			}
		})
	}
}

// retry: a short wait that the server asks for is kept, once; a long one is not.
func (s suite) retry(t *testing.T) {
	for name, tt := range map[string]struct {
		after    []string
		requests int
		want     error
	}{
		"once":  {[]string{"0", "answer"}, 2, nil},
		"twice": {[]string{"0.01", "0"}, 2, models.ErrBusy},
		"long":  {[]string{"60"}, 1, models.ErrBusy},
		"date":  {[]string{"Wed, 21 Oct 2026 07:28:00 GMT"}, 1, models.ErrBusy},
		"minus": {[]string{"-5"}, 1, models.ErrBusy},
		"none":  {[]string{""}, 1, models.ErrBusy},
	} {
		t.Run(name, func(t *testing.T) {
			var turns []Turn
			for _, a := range tt.after {
				turn := status(http.StatusTooManyRequests, "slow down")
				if turn.Header.Set("Retry-After", a); a == "answer" {
					turn = Turn{Text: "There."}
				}
				turns = append(turns, turn)
			}
			srv, e := s.play(t, turns...)
			if h := hear(t, e, ask("Hello.")); !errors.Is(h.Err, tt.want) || len(srv.Requests()) != tt.requests {
				t.Errorf("%v after %d requests, want %v after %d", h.Err, len(srv.Requests()), tt.want, tt.requests)
			}
		})
	}
}

// broken streams give what came, then one error.
func (s suite) broken(t *testing.T) {
	for name, turn := range map[string]Turn{
		"cut":          {Text: strings.Repeat("words ", 100), Cut: 3000},
		"cut at once":  {Text: "words", Cut: 1},
		"ended early":  {Text: strings.Repeat("words ", 100), Break: 3000},
		"no end mark":  {Text: "All of the words but no end.", Open: true},
		"nothing":      {Open: true},
		"cut in calls": {Calls: []models.Call{{Tool: "timers_set", Arguments: []byte(`{"duration":"PT5M","note":"` + strings.Repeat("long ", 200) + `"}`)}}, Cut: 700},
	} {
		t.Run(name, func(t *testing.T) {
			_, e := s.play(t, turn)
			h := hear(t, e, ask("Hello."))
			if !errors.Is(h.Err, models.ErrBroken) || h.Usage != nil || len(h.Calls) != 0 || !strings.HasPrefix(turn.Text, h.Text) {
				t.Errorf("heard %q, %v, %v, %v", h.Text, h.Calls, h.Usage, h.Err)
			}
		})
	}
}

// everyBreak ends a stream after each of its bytes: what was heard is always a beginning of the answer, and only
// the whole answer comes without an error.
func (s suite) everyBreak(t *testing.T) {
	const text = "Short."
	for _, rude := range []bool{false, true} {
		turn := Turn{Text: text, Calls: []models.Call{{Tool: "timers_set", Arguments: []byte(`{"duration":"PT5M"}`)}}}
		whole := 0
		for n := 1; n < 4000 && whole < 3; n += 7 {
			if turn.Break = n; rude {
				turn.Break, turn.Cut = 0, n
			}
			_, e := s.play(t, turn)
			h := hear(t, e, ask("Hello."))
			if h.Err == nil {
				whole++
			}
			if !strings.HasPrefix(text, h.Text) || h.Err == nil && (h.Text != text || len(h.Calls) != 1 || h.Usage == nil) ||
				h.Err != nil && !errors.Is(h.Err, models.ErrBroken) && !errors.Is(h.Err, models.ErrNonsense) {
				t.Fatalf("after %d bytes (cut %v): %+v", n, rude, h)
			}
		}
		if whole == 0 {
			t.Error("the answer never became whole")
		}
	}
}

func (s suite) nonsense(t *testing.T) {
	for name, turn := range map[string]Turn{
		"no JSON":     {Text: "one two three", Garbage: 2},
		"a long line": {Text: "x", Huge: 5 << 20},
		"a page":      {Whole: true, Status: 200, Body: "<html>Please log in to the hotel's network</html>"},
	} {
		t.Run(name, func(t *testing.T) {
			_, e := s.play(t, turn)
			h := hear(t, e, ask("Hello."))
			if !errors.Is(h.Err, models.ErrNonsense) || len(h.Err.Error()) > 500 {
				t.Errorf("heard %q, %v", h.Text, h.Err)
			}
		})
	}
}

func (s suite) faultInStream(t *testing.T) {
	_, e := s.play(t, Turn{Text: "So far so", Fault: "the GPU fell off"})
	h := hear(t, e, ask("Hello."))
	if !errors.Is(h.Err, models.ErrBroken) || !strings.Contains(h.Err.Error(), "fell off") || h.Text != "So far so" {
		t.Errorf("heard %q, %v", h.Text, h.Err)
	}
}

func (s suite) unreachable(t *testing.T) {
	srv, e := s.play(t)
	srv.http.Close()
	if h := hear(t, e, ask("Hello?")); !errors.Is(h.Err, models.ErrUnreachable) {
		t.Errorf("ended with %v", h.Err)
	}
	if _, err := e.Models(t.Context()); !errors.Is(err, models.ErrUnreachable) {
		t.Errorf("models: %v", err)
	}
}

// redirect: the conversation and the key stay with the host that the user chose.
func (s suite) redirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another host was asked for %s with %v", r.URL.Path, r.Header)
	}))
	t.Cleanup(other.Close)
	for _, code := range []int{301, 302, 307, 308} {
		turn := status(code, "elsewhere")
		turn.Header.Set("Location", other.URL+"/steal")
		_, e := s.play(t, turn)
		if h := hear(t, e, ask("Hello.")); !errors.Is(h.Err, models.ErrPrivate) {
			t.Errorf("%d: %v", code, h.Err)
		}
	}
}

// secret: a key is in no error, whatever the server says.
func (s suite) secret(t *testing.T) {
	for _, turn := range []Turn{
		status(401, "Incorrect API key provided: "+secret), status(500, "<p>"+secret), status(400, fmt.Sprintf(`{"error":"%s"}`, secret)),
		{Text: "x", Fault: "your key " + secret + " is old"}, {Whole: true, Status: 200, Body: "<" + secret},
	} {
		_, e := s.play(t, turn)
		h := hear(t, e, ask("Hello."))
		printed := fmt.Sprintf("%v %+v %#v %v", h.Err, e, e, e)
		if h.Err == nil || strings.Contains(h.Err.Error(), secret) || strings.Contains(printed, secret) {
			t.Errorf("%+v: %v", turn, h.Err)
		}
	}
}

// Played is the bytes of a turn's whole stream in a protocol ("openai", "anthropic" or "ollama"), as seeds of fuzz tests.
func Played(protocol string, turn Turn) []byte {
	d := dialectOf(protocol)
	finish := turn.Finish
	if finish == "" {
		finish = "stop"
	}
	frames := d.start()
	for _, p := range Pieces(turn.Thinking, turn.Piece) {
		frames = append(frames, d.think(p)...)
	}
	for _, p := range Pieces(turn.Text, turn.Piece) {
		frames = append(frames, d.text(p)...)
	}
	for i, c := range turn.Calls {
		frames = append(frames, d.call(i, c)...)
	}
	frames = slices.Concat(frames, d.end(finish, &models.Usage{Prompt: 3, Generated: 2}))
	return bytes.Join(asBytes(frames), nil)
}

func asBytes(frames []string) [][]byte {
	list := make([][]byte, len(frames))
	for i, f := range frames {
		list[i] = []byte(f)
	}
	return list
}

func dialectOf(protocol string) dialect {
	switch protocol {
	case "ollama":
		return ollamaDialect{model: "test-model"}
	case "anthropic":
		return &anthropicDialect{model: "test-model"}
	}
	return openaiDialect{model: "test-model", usage: true, timings: true}
}
