package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// parrot is an assistant that repeats what it is told, sentence by sentence, and keeps what it was asked.
type parrot struct {
	mu    sync.Mutex
	asked []string
	left  chan string // told when an answer was broken off, and why
}

func (p *parrot) Ask(ctx context.Context, text string, tell func(web.Piece)) (web.Reply, error) {
	o := models.OriginOf(ctx)
	p.mu.Lock()
	p.asked = append(p.asked, o.Channel+"/"+o.Session+"/"+o.Speaker+": "+text)
	turn := uint64(len(p.asked))
	p.mu.Unlock()
	switch text {
	case "wait":
		tell(web.Piece{Sentence: "Well."})
		<-ctx.Done()
		p.left <- ctx.Err().Error()
		return web.Reply{}, fmt.Errorf("ask: %w", ctx.Err())
	case "flood":
		for ctx.Err() == nil {
			tell(web.Piece{Sentence: strings.Repeat("on and on ", 1000)})
		}
		p.left <- ctx.Err().Error()
		return web.Reply{}, ctx.Err()
	case "panic":
		panic("the parrot fell off")
	case "late":
		return web.Reply{}, fmt.Errorf("think: %w", models.ErrLate)
	case "odd":
		return web.Reply{}, errors.New("secret words of the user")
	case "private":
		return web.Reply{}, models.ErrPrivate
	}
	tell(web.Piece{Action: &web.Action{Tool: "clock.now", Arguments: json.RawMessage(`{"zone":"UTC"}`), Status: "ok"}})
	tell(web.Piece{Sentence: text})
	tell(web.Piece{Sentence: "Really?"})
	return web.Reply{Text: text + " Really?", Turn: turn, Asks: true}, nil
}

func (p *parrot) Call(ctx context.Context, c models.Call) (models.Result, error) {
	o := models.OriginOf(ctx)
	switch c.Tool {
	case "echo":
		return models.Result{Say: o.Channel + " " + o.Session, Data: c.Arguments, Undo: &models.Call{Tool: "echo.undo"}}, nil
	case "send":
		return models.Result{Say: "Send it?", Ask: &models.Ask{Call: models.Call{Tool: "consent.grant"}, Approval: "abc"}}, nil
	case "broken":
		return models.Result{Say: "That did not work."}, errors.New("no wire")
	case "forbidden":
		return models.Result{}, fmt.Errorf("%w: not from here", tool.ErrDenied)
	case "picky":
		return models.Result{}, &tool.ArgumentError{Problems: []string{"minutes is missing"}}
	}
	return models.Result{}, fmt.Errorf("%w: %q", tool.ErrUnknown, c.Tool)
}

func talking(t testing.TB) (*home, *parrot) {
	p := &parrot{left: make(chan string, 8)}
	return openDoor(t, func(c *web.Config) { c.Assistant, c.User = p, "anna" }), p
}

func TestChat(t *testing.T) {
	h, p := talking(t)
	var got web.ChatOut
	text := h.wants(200, "", "POST", "/chat", `{"message":"Hello there.","session_id":"s.1"}`, nil)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Reply != "Hello there. Really?" || got.Turn != 1 || got.Session != "s.1" || !got.Asks || len(got.Actions) != 1 || got.Actions[0].Tool != "clock.now" {
		t.Errorf("got %s", text)
	}
	h.wants(200, "", "POST", "/chat", `{"message":"a","user_id":"anna"}`, header{"Content-Type": "application/json; charset=utf-8"})
	h.wants(403, "other_user", "POST", "/chat", `{"message":"b","user_id":"bob"}`, nil)
	h.wants(403, "other_user", "POST", "/command", `{"tool":"echo","user_id":"bob"}`, nil)
	h.wants(504, "too_late", "POST", "/chat", `{"message":"late"}`, nil)
	h.wants(403, "private", "POST", "/chat", `{"message":"private"}`, nil)
	if text := h.wants(500, "internal", "POST", "/chat", `{"message":"odd"}`, nil); strings.Contains(text, "secret") {
		t.Error("the user's words are in an error")
	}
	h.wants(500, "internal", "POST", "/chat", `{"message":"panic"}`, nil)
	h.wants(200, "", "POST", "/chat", `{"message":"c"}`, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	want := []string{"web/s.1/anna: Hello there.", "web/web/anna: a", "web/web/anna: late", "web/web/anna: private", "web/web/anna: odd", "web/web/anna: panic", "web/web/anna: c"}
	if !slices.Equal(p.asked, want) {
		t.Errorf("asked %q", p.asked)
	}
}

func TestCommand(t *testing.T) {
	h, _ := talking(t)
	for body, want := range map[string]string{
		`{"tool":"echo","arguments":{"a":[1]},"session_id":"x"}`: `{"tool":"echo","status":"ok","say":"web x","data":{"a":[1]},"undo":{"tool":"echo.undo"}}`,
		`{"tool":"send"}`:   `{"tool":"send","status":"asked","say":"Send it?","ask":{"call":{"tool":"consent.grant"},"approval":"abc"}}`,
		`{"tool":"broken"}`: `{"tool":"broken","status":"failed","say":"That did not work."}`,
	} {
		if got := h.wants(200, "", "POST", "/command", body, nil); got != want {
			t.Errorf("%s:\n got %s\nwant %s", body, got, want)
		}
	}
	h.wants(404, "unknown_tool", "POST", "/command", `{"tool":"fly"}`, nil)
	h.wants(403, "denied", "POST", "/command", `{"tool":"forbidden"}`, nil)
	if text := h.wants(400, "bad_arguments", "POST", "/command", `{"tool":"picky"}`, nil); !strings.Contains(text, "minutes is missing") {
		t.Error(text)
	}
	none := openDoor(t, nil)
	none.wants(501, "not_here", "POST", "/command", `{"tool":"fly"}`, nil)
	none.wants(501, "not_here", "POST", "/chat", `{"message":"fly"}`, nil)
}

// sse is one event of a stream.
type sse struct{ name, data string }

func events(resp *http.Response) (all []sse) {
	in := bufio.NewScanner(resp.Body)
	var e sse
	for in.Scan() {
		switch line := in.Text(); {
		case line == "" && e != sse{}:
			all, e = append(all, e), sse{}
		case strings.HasPrefix(line, "event: "):
			e.name = line[7:]
		case strings.HasPrefix(line, "data: "):
			e.data = line[6:]
		}
	}
	return all
}

// streamed opens a stream.
func (h *home) streamed(ctx context.Context, path, body string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for k, v := range map[string]string{"Authorization": "Bearer " + h.token, "Content-Type": "application/json", "Accept": "text/event-stream"} {
		r.Header.Set(k, v)
	}
	resp, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp
}

func TestChatStreams(t *testing.T) {
	h, _ := talking(t)
	resp := h.streamed(t.Context(), "/chat", `{"message":"Line one.\nLine two."}`)
	defer resp.Body.Close()
	if resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Content-Security-Policy") == "" {
		t.Error(resp.Header)
	}
	var names []string
	got := events(resp)
	for _, e := range got {
		names = append(names, e.name)
		if !json.Valid([]byte(e.data)) {
			t.Errorf("%q", e.data)
		}
	}
	if !slices.Equal(names, []string{"action", "sentence", "sentence", "answer"}) || !strings.Contains(got[3].data, `"reply":"Line one.\nLine two. Really?"`) {
		t.Errorf("got %v", got)
	}
	for body, code := range map[string]string{`{"message":"late"}`: "too_late", `{"message":"panic"}`: "internal", `{"message":"odd"}`: "internal"} {
		resp := h.streamed(t.Context(), "/chat", body)
		got := events(resp)
		_ = resp.Body.Close()
		if len(got) != 1 || got[0].name != "error" || codeOf(got[0].data) != code {
			t.Errorf("%s: got %v", body, got)
		}
	}
	bad := h.streamed(t.Context(), "/chat", `{}`)
	_ = bad.Body.Close()
	if bad.StatusCode != 400 {
		t.Error(bad.Status)
	}
}

// Whoever leaves a stream ends the answer; and so does the end of the door.
func TestLeavingEndsTheAnswer(t *testing.T) {
	t.Parallel()
	h, p := talking(t)
	for range 20 { // more than may be asked at the same time: each place is given back
		ctx, cancel := context.WithCancel(t.Context())
		resp := h.streamed(ctx, "/chat", `{"message":"wait"}`)
		_, _ = bufio.NewReader(resp.Body).ReadString('}')
		cancel()
		_ = resp.Body.Close()
	}
	for range 20 {
		select {
		case <-p.left:
		case <-time.After(5 * time.Second):
			t.Fatal("an answer goes on for nobody")
		}
		if len(p.left) == 0 {
			break
		}
	}
}

// Whoever takes nothing of its answer does not keep it waiting for ever.
func TestAStalledReaderOfAStream(t *testing.T) {
	t.Parallel()
	p := &parrot{left: make(chan string, 8)}
	h := openDoor(t, func(c *web.Config) { c.Assistant, c.Stall = p, 200*time.Millisecond })
	resp := h.streamed(t.Context(), "/chat", `{"message":"flood"}`)
	defer resp.Body.Close()
	select {
	case <-p.left:
	case <-time.After(5 * time.Second):
		t.Error("the answer waits for its reader")
	}
}

func TestTheEndOfTheDoorEndsStreams(t *testing.T) {
	t.Parallel()
	var resp *http.Response
	var p *parrot
	t.Run("open", func(t *testing.T) {
		var h *home
		h, p = talking(t)
		resp = h.streamed(context.Background(), "/chat", `{"message":"wait"}`)
		_, _ = bufio.NewReader(resp.Body).ReadString('}')
	})
	began := time.Now()
	_ = resp.Body.Close()
	if why := <-p.left; why != "context canceled" || time.Since(began) > time.Second {
		t.Error(why)
	}
}

func TestAnswersAtTheSameTimeAreFew(t *testing.T) {
	t.Parallel()
	p := &parrot{left: make(chan string, 8)}
	h := openDoor(t, func(c *web.Config) { c.Assistant, c.AtOnce, c.Patience = p, 2, time.Second })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if resp, text := h.ask("POST", "/chat", `{"message":"wait"}`, nil); resp.StatusCode != 504 || codeOf(text) != "too_late" {
				t.Errorf("got %d %s", resp.StatusCode, text)
			}
		})
	}
	for {
		p.mu.Lock()
		n := len(p.asked)
		p.mu.Unlock()
		if n == 2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	resp, _ := h.ask("POST", "/chat", `{"message":"a"}`, nil)
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Error(resp.Status)
	}
	wg.Wait()
	h.wants(200, "", "POST", "/chat", `{"message":"a"}`, nil)
}

// bodies are what is sent by mistake or by malice.
var bodies = []string{"", " ", "null", "true", "0", `""`, "[]", "[[]]", "{", "}", `{"message":`, `{"message":"a"`, `{"message":"a"}}`, `{"message":"a"} {"message":"b"}`,
	`{"message":null}`, `{"message":1}`, `{"message":["a"]}`, `{"message":{"a":1}}`, `{"message":"a","session_id":7}`, `{"message":"a","no":"such"}`,
	`{'message':'a'}`, `{"message":"a",}`, `{message:"a"}`, `{"message":"\ud800"}`, "{\"message\":\"\xff\xfe\"}", "{\"message\":\"\x00\"}", "{\"message\":\"a\nb\"}",
	"\ufeff{\"message\":\"a\"}", `{"message":1e999}`, `{"message":-0}`, `{"message":"` + "\\u0000" + `"}`, `{"session_id":"` + strings.Repeat("x", 100) + `","message":"a"}`,
	`{"message":"a","session_id":"../../etc"}`, `{"message":"a","session_id":"a b"}`, strings.Repeat("[", 100000), strings.Repeat(`{"message":`, 50000),
	`{"message":"` + strings.Repeat("a", 500000) + `"}`, `{"tool":"echo","arguments":1}`, `{"tool":"echo","arguments":"x"}`, `{"tool":"echo","arguments":null}`,
	`{"tool":"` + strings.Repeat("a.", 5000) + `"}`, `{"tool":"echo","arguments":{"a":1e400}}`, `{"tool":"","arguments":{}}`, `{"tool":"echo","arguments":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}",
	`{"message":"a","message":"b"}`, `{"MESSAGE":"a"}`, `{"__proto__":{"message":"a"},"message":"b"}`, "\x00", "\xff", "--x\r\n", "message=a", "<a/>",
	`{"model":"solo","messages":null}`, `{"model":"solo","messages":[null]}`, `{"model":"solo","messages":[{"role":"user","content":{}}]}`, `{"model":"tiny","messages":[{"role":"user","content":[null]}]}`,
	`{"model":"tiny","messages":[{"role":"user","content":""}],"tools":[null]}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"stop":[1]}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"response_format":{"type":"json_schema"}}`,
	`{"model":"tiny","input":null}`, `{"model":"tiny","input":[null]}`, `{"model":null,"messages":[{"role":"user","content":"a"}],"stream":"yes"}`, `{"model":"tiny","input":{"a":1}}`}

func TestNoBodyBreaksIt(t *testing.T) {
	t.Parallel()
	h, _, _ := singing(t)
	for _, path := range []string{"/chat", "/command", "/v1/chat/completions", "/v1/embeddings", "/links", "/logout", "/login", "/status", "/nowhere"} {
		for i, body := range bodies {
			for _, kind := range []string{"application/json", "text/plain", "", "application/json;;", "multipart/form-data; boundary=x"} {
				if i > 12 && kind != "application/json" {
					continue
				}
				resp, text, err := h.try("POST", path, body, header{"Content-Type": kind})
				if err != nil && strings.HasPrefix(kind, "multipart") {
					continue // what is no multipart is cut while it is still being sent
				} else if err != nil {
					t.Fatal(err)
				}
				if resp.StatusCode >= 500 || resp.StatusCode >= 400 && codeOf(text) == "" {
					t.Errorf("%s %.80q as %s: got %d %.300s", path, body, kind, resp.StatusCode, text)
				}
			}
		}
	}
}
