package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/models"
)

// choir are two language models: one talks and calls tools, the other is a cloud's that may not be asked.
type choir struct {
	mu    sync.Mutex
	asked []models.Request
}

func (c *choir) Models(context.Context) ([]models.Info, error) {
	return []models.Info{{Engine: "llama", ID: "tiny"}, {Engine: "far", ID: "big/one", Cloud: true}}, errors.New("a third engine is away")
}

func (c *choir) Embed(_ context.Context, model string, in []string) ([][]float32, error) {
	if model != "llama/tiny" {
		return nil, fmt.Errorf("%s: %w", model, models.ErrUnable)
	}
	var out [][]float32
	for _, t := range in {
		out = append(out, []float32{float32(len(t)), 0.5})
	}
	return out, nil
}

func (c *choir) Stream(_ context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	c.mu.Lock()
	c.asked = append(c.asked, r)
	c.mu.Unlock()
	return func(yield func(models.Delta, error) bool) {
		if r.Model == "far/big/one" {
			yield(models.Delta{}, fmt.Errorf("ask: %w", models.ErrPrivate))
			return
		}
		for _, w := range []string{"One", " two", " three."} {
			if !yield(models.Delta{Text: w}, nil) {
				return
			}
		}
		if len(r.Tools) > 0 && !yield(models.Delta{Call: &models.ToolCall{ID: "c1", Call: models.Call{Tool: r.Tools[0].Name, Arguments: json.RawMessage(`{"a":1}`)}}}, nil) {
			return
		}
		if r.MaxTokens == 1 {
			yield(models.Delta{}, models.ErrBroken)
			return
		}
		yield(models.Delta{Usage: &models.Usage{Prompt: 5, Generated: 3, Finish: map[bool]string{true: "length"}[r.MaxTokens == 3]}}, nil)
	}
}

func singing(t testing.TB) (*home, *parrot, *choir) {
	p, c := &parrot{left: make(chan string, 8)}, &choir{}
	return openDoor(t, func(conf *web.Config) { conf.Assistant, conf.Models = p, c }), p, c
}

func TestV1Models(t *testing.T) {
	h, _, _ := singing(t)
	want := `{"object":"list","data":[{"id":"solo","object":"model","created":0,"owned_by":"solo"},{"id":"llama/tiny","object":"model","created":0,"owned_by":"llama"},{"id":"far/big/one","object":"model","created":0,"owned_by":"far"}]}`
	if got := h.wants(200, "", "GET", "/v1/models", "", nil); got != want {
		t.Error(got)
	}
	if got := openDoor(t, nil).wants(200, "", "GET", "/v1/models", "", nil); got != `{"object":"list","data":[]}` {
		t.Error(got)
	}
}

func TestV1Chat(t *testing.T) {
	h, p, c := singing(t)
	var got web.V1Completion
	ask := func(body string) web.V1Choice {
		t.Helper()
		got = web.V1Completion{}
		if err := json.Unmarshal([]byte(h.wants(200, "", "POST", "/v1/chat/completions", body, nil)), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Choices) != 1 || got.Object != "chat.completion" || got.ID == "" || got.Created == 0 {
			t.Fatalf("%+v", got)
		}
		return got.Choices[0]
	}
	talk := `"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hello"}]}`
	if a := ask(`{"model":"solo",` + talk + `]}`); *a.Message.Content != "Hello Really?" || *a.Finish != "stop" {
		t.Errorf("%+v", a)
	}
	ask(`{"model":"solo",` + talk + `,{"role":"assistant","content":"Hello Really?"},{"role":"user","content":"Yes"}]}`)
	ask(`{"model":"solo","messages":[{"role":"user","content":"Other"}]}`)
	p.mu.Lock()
	session := func(i int) string { s, _, _ := strings.Cut(p.asked[i], ":"); return s }
	if len(p.asked) != 3 || session(0) != session(1) || session(0) == session(2) || !strings.HasSuffix(p.asked[1], ": Yes") {
		t.Errorf("asked %q", p.asked)
	}
	p.mu.Unlock()
	a := ask(`{"model":"tiny",` + talk + `,{"role":"assistant","content":null,"tool_calls":[{"id":"c0","type":"function","function":{"name":"look","arguments":"{\"b\":2}"}}]},
		{"role":"tool","tool_call_id":"c0","content":"nothing"}],"temperature":0.3,"max_tokens":3,"stop":"x","seed":7,
		"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}},
		"tools":[{"type":"function","function":{"name":"look","description":"looks","parameters":{"type":"object"}}}]}`)
	if *a.Message.Content != "One two three." || *a.Finish != "tool_calls" || len(a.Message.Calls) != 1 || a.Message.Calls[0].Function.Arguments != `{"a":1}` || *got.Usage != (web.V1Usage{Prompt: 5, Completion: 3, Total: 8}) {
		t.Errorf("%+v", got)
	}
	q := c.asked[0]
	if q.Model != "llama/tiny" || q.Temperature != 0.3 || q.MaxTokens != 3 || len(q.Stop) != 1 || string(q.Schema) != `{"type":"object"}` || len(q.Messages) != 4 ||
		q.Messages[2].Calls[0].Tool != "look" || q.Messages[3].For != "c0" || q.Messages[0].Role != models.System || q.Messages[1].Text != "Hello" {
		t.Errorf("asked %+v", q)
	}
	if a := ask(`{"model":"llama/tiny",` + talk + `],"max_completion_tokens":3}`); *a.Finish != "length" {
		t.Errorf("%+v", a)
	}
}

func TestV1Refusals(t *testing.T) {
	h, p, _ := singing(t)
	msg := `"messages":[{"role":"user","content":"a"}]`
	tool := `"tools":[{"type":"function","function":{"name":"x"}}]`
	for body, want := range map[string]string{
		`{"model":"solo",` + msg + `,` + tool + `}`:                                      "400 no_client_tools",
		`{"model":"nobody",` + msg + `}`:                                                 "404 model_not_found",
		`{` + msg + `}`:                                                                  "404 model_not_found",
		`{"model":"far/big/one",` + msg + `}`:                                            "403 private",
		`{"model":"solo","messages":[]}`:                                                 "400 invalid",
		`{"model":"solo"}`:                                                               "400 invalid",
		`{"model":"solo","messages":[{"role":"assistant","content":"a"}]}`:               "400 invalid",
		`{"model":"solo","messages":[{"role":"king","content":"a"}]}`:                    "400 invalid",
		`{"model":"tiny","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`: "400 invalid",
		`{"model":"tiny","messages":[{"role":"user","content":7}]}`:                      "400 invalid",
		`{"model":"tiny","messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"x","arguments":"{"}}]}]}`: "400 invalid",
		`{"model":"tiny",` + msg + `,"n":2}`:                        "400 invalid",
		`{"model":"tiny",` + msg + `,"temperature":9}`:              "400 invalid",
		`{"model":"tiny",` + msg + `,"max_tokens":-1}`:              "400 invalid",
		`{"model":"tiny",` + msg + `,"functions":[{}]}`:             "400 invalid",
		`{"model":"tiny",` + msg + `,"tools":[{"type":"magic"}]}`:   "400 invalid",
		`{"model":"tiny",` + msg + `,"max_tokens":1}`:               "502 broken_answer",
		`{"model":"` + strings.Repeat("m", 5000) + `",` + msg + `}`: "404 model_not_found",
	} {
		resp, text := h.ask("POST", "/v1/chat/completions", body, nil)
		if got := fmt.Sprint(resp.StatusCode, " ", codeOf(text)); got != want || !strings.Contains(text, `"type":"`) || len(text) > 1000 {
			t.Errorf("%.200s: got %s %.300s", body, got, text)
		}
	}
	if len(p.asked) != 0 {
		t.Errorf("asked %q", p.asked)
	}
	h.wants(401, "no_token", "GET", "/v1/models", "", header{"Authorization": "Bearer sk-none"})
}

func TestV1Streams(t *testing.T) {
	h, _, _ := singing(t)
	stream := func(body string) (text, finish string, all []sse) {
		t.Helper()
		resp := h.streamed(t.Context(), "/v1/chat/completions", body)
		defer resp.Body.Close()
		all = events(resp)
		for _, e := range all {
			var c web.V1Completion
			if e.name != "" || json.Unmarshal([]byte(e.data), &c) != nil || len(c.Choices) == 0 {
				continue
			}
			if c.Object != "chat.completion.chunk" || c.Choices[0].Message != nil || c.Usage != nil {
				t.Errorf("%s", e.data)
			}
			if s := c.Choices[0].Delta.Content; s != nil {
				text += *s
			}
			if f := c.Choices[0].Finish; f != nil {
				finish = *f
			}
		}
		return text, finish, all
	}
	msg := `"stream":true,"messages":[{"role":"user","content":"Hi"}]`
	if text, finish, all := stream(`{"model":"solo",` + msg + `}`); text != "Hi Really?" || finish != "stop" || all[len(all)-1].data != "[DONE]" || !strings.Contains(all[0].data, `"role":"assistant"`) {
		t.Errorf("%q %q %v", text, finish, all)
	}
	text, finish, all := stream(`{"model":"tiny",` + msg + `,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"x"}}]}`)
	if text != "One two three." || finish != "tool_calls" || !strings.Contains(all[len(all)-2].data, `"choices":[],"usage":{"prompt_tokens":5`) {
		t.Errorf("%q %q %v", text, finish, all)
	}
	for body, code := range map[string]string{`{"model":"far/big/one",` + msg + `}`: "private", `{"model":"tiny",` + msg + `,"max_tokens":1}`: "broken_answer"} {
		_, _, all := stream(body)
		if last := all[len(all)-1]; codeOf(last.data) != code || last.name != "" {
			t.Errorf("%v", all)
		}
	}
}

func TestV1Embeddings(t *testing.T) {
	h, _, _ := singing(t)
	for body, want := range map[string]string{
		`{"model":"tiny","input":"abc"}`:                                         `[{"object":"embedding","index":0,"embedding":[3,0.5]}]`,
		`{"model":"llama/tiny","input":["a","bc"],"encoding_format":"float"}`:    `[{"object":"embedding","index":0,"embedding":[1,0.5]},{"object":"embedding","index":1,"embedding":[2,0.5]}]`,
		`{"model":"tiny","input":"abc","encoding_format":"base64","user":"you"}`: `[{"object":"embedding","index":0,"embedding":"AABAQAAAAD8="}]`,
	} {
		if got := h.wants(200, "", "POST", "/v1/embeddings", body, nil); !strings.Contains(got, want) {
			t.Errorf("%s: %s", body, got)
		}
	}
	h.wants(501, "unable", "POST", "/v1/embeddings", `{"model":"far/big/one","input":"a"}`, nil)
	for _, body := range []string{`{"model":"tiny","input":[]}`, `{"model":"tiny","input":[[1,2]]}`, `{"model":"tiny"}`, `{"model":"tiny","input":"a","encoding_format":"x"}`} {
		h.wants(400, "invalid", "POST", "/v1/embeddings", body, nil)
	}
	openDoor(t, nil).wants(501, "not_here", "POST", "/v1/embeddings", `{"model":"tiny","input":"a"}`, nil)
}
