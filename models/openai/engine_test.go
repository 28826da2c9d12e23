package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/openai"
)

func ask(text string) models.Request {
	return models.Request{Messages: []models.Message{{Role: models.User, Text: text}}}
}

// fake is a server that answers every request in its own way.
func fake(t *testing.T, answer http.HandlerFunc) *openai.Engine {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	e, err := openai.New(openai.Config{BaseURL: srv.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// stream answers with lines, each an event of its own.
func stream(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
		}
	}
}

// llama-server tells its times and what lay in its cache.
func TestTimings(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Timings: true, Llama: true, Answer: func(modelstest.Request) modelstest.Turn {
		return modelstest.Turn{Text: "Yes.", Usage: models.Usage{Prompt: 314, Cached: 288, Generated: 2, Reading: 26 * time.Millisecond, Writing: 4 * time.Millisecond}}
	}})
	want := models.Usage{Engine: "openai:test", Model: "test-model", Prompt: 314, Cached: 288, Generated: 2, Finish: "stop", Reading: 26 * time.Millisecond, Writing: 4 * time.Millisecond}
	if h := modelstest.Hear(engine(t, srv).Stream(t.Context(), ask("Is it?"))); h.Err != nil || *h.Usage != want {
		t.Errorf("%v\n got %+v\nwant %+v", h.Err, h.Usage, want)
	}
	r := ask("Read this.")
	r.MaxTokens, want.Finish = -1, "length"
	if h := modelstest.Hear(engine(t, srv).Stream(t.Context(), r)); h.Err != nil || *h.Usage != want || srv.Requests()[1].MaxTokens != -1 {
		t.Errorf("%v\n got %+v\nwant %+v", h.Err, h.Usage, want)
	}
	e := fake(t, stream(`{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}],"timings":{"cache_n":5,"prompt_n":2,"prompt_ms":1.5,"predicted_n":1,"predicted_ms":0.5}}`, "[DONE]"))
	if u := modelstest.Hear(e.Stream(t.Context(), ask("x"))).Usage; u == nil || u.Prompt != 7 || u.Cached != 5 || u.Generated != 1 || u.Reading != 1500*time.Microsecond {
		t.Errorf("without usage: %+v", u)
	}
}

func TestExtra(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Llama: true, Turns: []modelstest.Turn{{Text: "Yes."}}})
	e, err := openai.New(openai.Config{BaseURL: srv.URL(), Extra: func(r models.Request) map[string]any {
		return map[string]any{"cache_prompt": true, "id_slot": len(r.Messages)}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("Is it?"))); h.Err != nil || h.Usage.Model != "test-model" {
		t.Fatalf("%+v", h)
	}
	if f := srv.Requests()[0].Fields; f["cache_prompt"] != true || f["id_slot"] != 1.0 || f["model"] != "test-model" {
		t.Errorf("sent %v", f)
	}
}

// A server that refuses a field is asked without it, once, and never with it again.
func TestFieldsThatServersRefuse(t *testing.T) {
	for name, tt := range map[string]struct {
		refuse string // field
		page   string
		check  func(map[string]any) bool
		max    int
	}{
		"max_tokens": {"max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`,
			func(f map[string]any) bool { return f["max_completion_tokens"] == 9.0 }, 9},
		"temperature": {"temperature", `{"error":{"message":"Unsupported value","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`,
			func(f map[string]any) bool { return f["max_tokens"] == 9.0 }, 9},
		"stream_options": {"stream_options", `{"error":{"message":"unknown","param":"stream_options"}}`, func(f map[string]any) bool { return f["stream"] == true }, 9},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			e := fake(t, func(w http.ResponseWriter, r *http.Request) {
				asked++
				var f map[string]any
				if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
					t.Error(err)
				}
				if f[tt.refuse] != nil {
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprint(w, tt.page)
					return
				}
				if !tt.check(f) {
					t.Errorf("asked with %v", f)
				}
				stream(`{"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}`, "[DONE]")(w, r)
			})
			for range 2 {
				r := ask("x")
				r.MaxTokens = tt.max
				if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "Yes." || h.Err != nil {
					t.Fatalf("%+v", h)
				}
			}
			if asked != 3 {
				t.Errorf("asked %d times, want 3", asked)
			}
		})
	}
}

// A schema that is too much for a server is asked for less strictly, and then in words.
func TestSchemasThatServersRefuse(t *testing.T) {
	for name, tt := range map[string]struct {
		takes func(format map[string]any) bool
		asked int // requests for two answers
	}{
		"strict":   {func(f map[string]any) bool { return f != nil && f["strict"] == true }, 2},
		"loosely":  {func(f map[string]any) bool { return f != nil && f["strict"] == false }, 3},
		"in words": {func(f map[string]any) bool { return f == nil }, 4},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			e := fake(t, func(w http.ResponseWriter, r *http.Request) {
				asked++
				var q struct {
					Messages []struct{ Content string }
					Format   struct {
						Schema map[string]any `json:"json_schema"`
					} `json:"response_format"`
				}
				if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
					t.Error(err)
				}
				if !tt.takes(q.Format.Schema) {
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprint(w, `{"error":{"message":"Invalid schema for response_format 'answer'","type":"invalid_request_error","param":"response_format"}}`)
					return
				}
				if q.Format.Schema == nil && !strings.Contains(q.Messages[0].Content, `{"type":"object"}`) {
					t.Errorf("asked with %+v", q)
				}
				stream(`{"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}]}`, "[DONE]")(w, r)
			})
			for range 2 {
				r := ask("x")
				r.Schema = json.RawMessage(`{"type":"object"}`)
				if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "{}" || h.Err != nil {
					t.Fatalf("%+v", h)
				}
			}
			if asked != tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

// Real servers differ in small things.
func TestDialects(t *testing.T) {
	for name, tt := range map[string]struct {
		events []string
		text   string
		calls  string // tool arguments; ...
		finish string
	}{
		"no finish, but done":            {[]string{`{"choices":[{"delta":{"content":"a"}}]}`, "[DONE]"}, "a", "", "stop"},
		"finish, but not done":           {[]string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}`}, "a", "", "length"},
		"nulls":                          {[]string{`{"choices":[{"delta":{"content":null,"tool_calls":null,"reasoning_content":null},"finish_reason":null}],"usage":null,"error":null}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]"}, "", "", "stop"},
		"usage without choices":          {[]string{`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, "[DONE]"}, "a", "", "stop"},
		"refusal":                        {[]string{`{"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}`, "[DONE]"}, "No.", "", "stop"},
		"a call at once":                 {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"t","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", `t {"a":1};`, "tool"},
		"calls without index":            {[]string{`{"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"t","arguments":"{}"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"id":"y","function":{"name":"u","arguments":"{}"}}]},"finish_reason":"stop"}]}`, "[DONE]"}, "", "t {};u {};", "tool"},
		"arguments as an object":         {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"t","arguments":{"a":1}}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", `t {"a":1};`, "tool"},
		"no arguments":                   {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"t"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", "t {};", "tool"},
		"arguments that are no JSON":     {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"t","arguments":"{a: 1"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", `t "{a: 1";`, "tool"},
		"interleaved":                    {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"t","arguments":"{\"a\""}},{"index":1,"function":{"name":"u","arguments":"["}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":"]"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", `t {"a":1};u [];`, "tool"},
		"indices that do not begin at 0": {[]string{`{"choices":[{"delta":{"tool_calls":[{"index":7,"function":{"name":"t","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"}, "", "t {};", "tool"},
	} {
		t.Run(name, func(t *testing.T) {
			h := modelstest.Hear(fake(t, stream(tt.events...)).Stream(t.Context(), ask("x")))
			var calls strings.Builder
			for _, c := range h.Calls {
				fmt.Fprintf(&calls, "%s %s;", c.Tool, c.Arguments)
			}
			if h.Err != nil || h.Text != tt.text || calls.String() != tt.calls || h.Usage.Finish != tt.finish {
				t.Errorf("heard %q, %s, %+v, %v", h.Text, calls.String(), h.Usage, h.Err)
			}
		})
	}
	for name, events := range map[string][]string{
		"too many calls":       {`{"choices":[{"delta":{"tool_calls":[` + strings.TrimSuffix(strings.Repeat(`{"function":{"name":"t"}},`, 65), ",") + `]}}]}`, "[DONE]"},
		"a call of nothing":    {`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"},
		"arguments of 2 MiB":   {`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"t","arguments":"` + strings.Repeat("x", 2<<20) + `"}}]}}]}`, "[DONE]"},
		"text that is no text": {`{"choices":[{"delta":{"content":7}}]}`, "[DONE]"},
	} {
		if h := modelstest.Hear(fake(t, stream(events...)).Stream(t.Context(), ask("x"))); !errors.Is(h.Err, models.ErrNonsense) || len(h.Calls) > 0 {
			t.Errorf("%s: %v", name, h.Err)
		}
	}
}

func TestEmbeddingsThatCannotBe(t *testing.T) {
	for name, page := range map[string]string{
		"too few": `{"data":[{"index":0,"embedding":[1]}]}`, "twice": `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		"out of range": `{"data":[{"index":9,"embedding":[1]}]}`, "minus": `{"data":[{"index":-1,"embedding":[1]}]}`, "base64": `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}`,
		"empty": `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, "no JSON": `<html>`,
	} {
		e := fake(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) })
		if v, err := e.Embed(t.Context(), "", []string{"a", "b"}); !errors.Is(err, models.ErrNonsense) || v != nil {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	e := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotImplemented)
		fmt.Fprint(w, `{"error":{"code":501,"message":"This server does not support embeddings. Start it with --embeddings","type":"not_supported_error"}}`)
	})
	if _, err := e.Embed(t.Context(), "", []string{"a"}); !errors.Is(err, models.ErrUnable) {
		t.Errorf("none: %v", err)
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		url, place string
		cloud, ok  bool
	}{
		{"https://api.openai.com/v1", "", true, true}, {"https://api.groq.com/openai/v1", "auto", true, true}, {"http://localhost:1234", "", false, true},
		{"http://192.168.1.4:8000/v1", "", false, true}, {"http://127.0.0.1:1", "cloud", true, true}, {"https://llm.example.com", "home", false, true},
		{"http://127.0.0.1:1", "elsewhere", false, false}, {"", "", false, false}, {"localhost:1234", "", false, false},
	} {
		e, err := openai.New(openai.Config{BaseURL: tt.url, Place: tt.place, Key: config.NewSecret("sk-x")})
		if (err == nil) != tt.ok || err == nil && (e.Cloud("any") != tt.cloud || e.Name() != "openai") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	var c openai.Config
	if _, err := config.Load(&c, config.Sources{Env: []string{"SOLO_BASE_URL=http://gpu:1"}}); err != nil || c.Place != "auto" {
		t.Errorf("settings: %v, %+v", err, c)
	}
}

// The model for those who name none is the first one that can talk.
func TestFirstModel(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Models: []modelstest.Model{{ID: "text-embedding-x"}, {ID: "zebra"}, {ID: "aardvark"}}, Turns: []modelstest.Turn{{Text: "x"}, {Text: "y"}}})
	e, err := openai.New(openai.Config{BaseURL: srv.OpenAI()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if h := modelstest.Hear(e.Stream(t.Context(), ask("x"))); h.Err != nil || h.Usage.Model != "zebra" {
			t.Errorf("%+v", h)
		}
	}
}

func TestNoModelAtAll(t *testing.T) {
	e, err := openai.New(openai.Config{BaseURL: modelstest.New(t, modelstest.Script{Models: []modelstest.Model{}}).OpenAI()})
	if err != nil {
		t.Fatal(err)
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("x"))); !errors.Is(h.Err, models.ErrNoModel) {
		t.Errorf("%v", h.Err)
	}
}

// A model that is gone is not asked for again and again, where nobody wanted it by name.
func TestModelThatIsGone(t *testing.T) {
	gone := false
	srv := modelstest.New(t, modelstest.Script{Models: []modelstest.Model{{ID: "a:1"}, {ID: "b:1"}}, Answer: func(r modelstest.Request) modelstest.Turn {
		if r.Model == "a:1" && gone {
			return modelstest.Turn{Status: http.StatusNotFound, Body: "model 'a:1' not found"}
		}
		return modelstest.Turn{Text: r.Model}
	}})
	e, err := openai.New(openai.Config{BaseURL: srv.OpenAI()})
	if err != nil {
		t.Fatal(err)
	}
	r := ask("x")
	if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "a:1" {
		t.Fatalf("%+v", h)
	}
	gone = true
	if h := modelstest.Hear(e.Stream(t.Context(), r)); !errors.Is(h.Err, models.ErrNoModel) {
		t.Errorf("%+v", h)
	}
	srv.SetModels(modelstest.Model{ID: "b:1"})
	if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "b:1" {
		t.Errorf("%+v", h)
	}
}
