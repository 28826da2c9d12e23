package modelstest

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// post sends a request as it is, and gives the whole answer.
func post(t *testing.T, url, kind, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	reply, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, ""
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	return reply.StatusCode, string(text)
}

const jsonKind = "application/json"

// Each offence fails a test that commits it.
func TestStrict(t *testing.T) {
	anthropic := []string{"Anthropic-Version", "2023-06-01", "X-Api-Key", "k"}
	bearer := []string{"Authorization", "Bearer k"}
	for name, tt := range map[string]struct {
		path, kind, body string
		headers          []string
		fault            string
	}{
		"unknown field":            {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"banana":1}`, bearer, "banana"},
		"llama's field":            {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"cache_prompt":true}`, bearer, "cache_prompt"},
		"no key":                   {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}]}`, nil, "without the key"},
		"wrong key":                {"/v1/embeddings", jsonKind, `{"model":"test-model","input":["x"]}`, []string{"Authorization", "Bearer other"}, "without the key"},
		"content type":             {"/v1/chat/completions", "text/plain", `{"model":"test-model","messages":[]}`, bearer, "Content-Type"},
		"no JSON":                  {"/api/chat", jsonKind, `{"model":`, bearer, "no JSON"},
		"no messages":              {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[]}`, bearer, "no messages"},
		"no model":                 {"/v1/chat/completions", jsonKind, `{"messages":[{"role":"user","content":"x"}]}`, bearer, "no model"},
		"role":                     {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"robot","content":"x"}]}`, bearer, "robot"},
		"tool name":                {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"a.b","parameters":{}}}]}`, bearer, "a.b"},
		"result of no call":        {"/v1/chat/completions", jsonKind, `{"model":"test-model","messages":[{"role":"tool","content":"x","tool_call_id":"c"}]}`, bearer, "nobody made"},
		"temperature":              {"/v1/chat/completions", jsonKind, `{"model":"test-model","temperature":3,"messages":[{"role":"user","content":"x"}]}`, bearer, "temperature 3"},
		"stream options":           {"/v1/chat/completions", jsonKind, `{"model":"test-model","stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`, bearer, "stream_options"},
		"anthropic unknown":        {"/v1/messages", jsonKind, `{"model":"test-model","max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"response_format":{}}`, anthropic, "response_format"},
		"anthropic max_tokens":     {"/v1/messages", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`, anthropic, "max_tokens"},
		"anthropic system role":    {"/v1/messages", jsonKind, `{"model":"test-model","max_tokens":5,"messages":[{"role":"system","content":[{"type":"text","text":"x"}]}]}`, anthropic, "system"},
		"anthropic empty text":     {"/v1/messages", jsonKind, `{"model":"test-model","max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":" "}]}]}`, anthropic, "without letters"},
		"anthropic key":            {"/v1/messages", jsonKind, `{}`, []string{"Anthropic-Version", "2023-06-01", "Authorization", "Bearer k"}, "without the key"},
		"anthropic version":        {"/v1/messages", jsonKind, `{"model":"test-model","max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`, []string{"X-Api-Key", "k"}, "anthropic-version"},
		"anthropic temperature":    {"/v1/messages", jsonKind, `{"model":"test-model","max_tokens":5,"temperature":1.5,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`, anthropic, "1.5"},
		"ollama unknown":           {"/api/chat", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"max_tokens":5}`, bearer, "max_tokens"},
		"ollama unknown option":    {"/api/chat", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"options":{"banana":5}}`, bearer, "banana"},
		"ollama text arguments":    {"/api/chat", jsonKind, `{"model":"test-model","messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"t","arguments":"{}"}}]}]}`, bearer, "arguments"},
		"ollama endless":           {"/api/chat", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}],"options":{"num_predict":-1}}`, bearer, "no end"},
		"ollama embed":             {"/api/embed", jsonKind, `{"model":"test-model","prompt":"x"}`, bearer, "prompt"},
		"unknown path":             {"/v2/chat", jsonKind, `{}`, bearer, "nothing is served"},
		"a turn that is not there": {"/api/chat", jsonKind, `{"model":"test-model","messages":[{"role":"user","content":"x"}]}`, bearer, "only 0 turns"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := New(t, Script{Key: "k"})
			srv.tolerant = true
			post(t, srv.URL()+tt.path, tt.kind, tt.body, tt.headers...)
			if all := strings.Join(srv.strays, "; "); !strings.Contains(all, tt.fault) {
				t.Errorf("faults %q, want one of %q", all, tt.fault)
			}
		})
	}
}

// The pace of the script is kept on the average, whatever the machine is doing.
func TestPace(t *testing.T) {
	srv := New(t, Script{Turns: []Turn{{Text: strings.Repeat("word", 50), Pace: 200, Delay: 30 * time.Millisecond}}})
	began := time.Now()
	code, text := post(t, srv.OpenAI()+"/chat/completions", jsonKind, `{"model":"test-model","stream":true,"messages":[{"role":"user","content":"x"}]}`)
	took := time.Since(began)
	if code != 200 || strings.Count(text, "word") != 50 || took < 270*time.Millisecond {
		t.Errorf("%d after %v: %.200s", code, took, text)
	}
	r := srv.Requests()[0]
	if r.Sent != 50 || r.First.Sub(r.At) < 30*time.Millisecond || !r.Gone.IsZero() {
		t.Errorf("%d pieces, the first after %v, gone %v", r.Sent, r.First.Sub(r.At), r.Gone)
	}
}

// A client that goes away is noticed at once, though the server is waiting.
func TestLeft(t *testing.T) {
	for name, turn := range map[string]Turn{"hanging": {Text: "one two", Hang: 1}, "pacing": {Text: strings.Repeat("x", 400), Pace: 5}} {
		t.Run(name, func(t *testing.T) {
			srv := New(t, Script{Turns: []Turn{turn}})
			reply, err := http.Post(srv.OpenAI()+"/chat/completions", jsonKind, strings.NewReader(`{"model":"test-model","stream":true,"messages":[{"role":"user","content":"x"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(reply.Body).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			left := time.Now()
			reply.Body.Close()
			if took := srv.Left(0).Sub(left); took > freed {
				t.Errorf("noticed after %v", took)
			}
		})
	}
}

func TestNotStreamed(t *testing.T) {
	srv := New(t, Script{Turns: []Turn{{Text: "Hello."}, {Status: 418, Body: "<h1>teapot</h1>"}}})
	ask := `{"model":"test-model","messages":[{"role":"user","content":"x"}]}`
	if code, text := post(t, srv.OpenAI()+"/chat/completions", jsonKind, ask); code != 200 || !strings.Contains(text, `"content":"Hello."`) || strings.Contains(text, "data:") {
		t.Errorf("%d %s", code, text)
	}
	if code, text := post(t, srv.OpenAI()+"/chat/completions", jsonKind, ask); code != 418 || text != "<h1>teapot</h1>" {
		t.Errorf("%d %s", code, text)
	}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"", 4, ""}, {"abc", 0, "abc"}, {"abcde", 0, "abcd|e"}, {"äöü", 1, "ä|ö|ü"}, {"abc", 2, "ab|c"}} {
		if got := strings.Join(Pieces(tt.text, tt.n), "|"); got != tt.want {
			t.Errorf("%q by %d: %q", tt.text, tt.n, got)
		}
	}
	if !bytes.Contains(Played("ollama", Turn{Text: "x"}), []byte(`"done":true`)) {
		t.Error("no end")
	}
}
