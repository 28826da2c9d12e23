package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/supervise"
)

type document struct {
	OpenAPI string
	Paths   map[string]map[string]struct {
		Summary     string
		OperationID string `json:"operationId"`
		Security    []any
		RequestBody *struct {
			Content map[string]struct{ Schema map[string]any }
		} `json:"requestBody"`
		Responses map[string]struct {
			Description string
			Content     map[string]struct{ Schema map[string]any }
		}
		Parameters []struct{ Name, In string }
	}
	Components struct{ Schemas map[string]*jsonschema.Schema }
}

// everything is a door with all that it can have.
func everything(t testing.TB) *home {
	var b bus.Bus
	return openDoor(t, func(c *web.Config) {
		c.Assistant, c.Models, c.Hear, c.Voice, c.Status, c.Bus = &parrot{left: make(chan string, 8)}, &choir{}, scribe{}, scribe{}, status, &b
		c.Page = fstest.MapFS{"index.html": {Data: []byte("<p>hello")}}
		c.Restart = func(name string) error {
			if name != "speak" {
				return fmt.Errorf("%w: %s", supervise.ErrUnknown, name)
			}
			return nil
		}
	})
}

func TestOpenAPIDescribesWhatThereIs(t *testing.T) {
	h := everything(t)
	text := h.wants(200, "", "GET", "/openapi.json", "", nil)
	var doc document
	if err := json.Unmarshal([]byte(text), &doc); err != nil || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Fatal(err)
	}
	refers := func(s map[string]any) {
		name, ok := s["$ref"].(string)
		if !ok {
			return
		}
		if doc.Components.Schemas[strings.TrimPrefix(name, "#/components/schemas/")] == nil {
			t.Errorf("%s leads nowhere", name)
		}
	}
	ids := map[string]bool{}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if op.Summary == "" || ids[op.OperationID] || len(op.Responses) < 2 {
				t.Errorf("%s %s: %+v", method, path, op)
			}
			ids[op.OperationID] = true
			for _, r := range op.Responses {
				for _, c := range r.Content {
					refers(c.Schema)
				}
			}
			if op.RequestBody != nil {
				for _, c := range op.RequestBody.Content {
					refers(c.Schema)
				}
			}
			if in := strings.Count(path, "{"); in > len(op.Parameters) {
				t.Errorf("%s %s names %d parameters", method, path, len(op.Parameters))
			}
			// What is described is there, and what needs a token says so.
			address := strings.NewReplacer("{id}", "1", "{rest}", "x.js").Replace(path)
			resp, body := h.ask(strings.ToUpper(method), address, "", nil)
			if c := codeOf(body); resp.StatusCode == 405 || resp.StatusCode == 404 && c == "not_found" && path != "/assets/{rest}" {
				t.Errorf("%s %s: got %d %.200s", method, path, resp.StatusCode, body)
			}
			resp, body = h.ask(strings.ToUpper(method), address, "", header{"Authorization": ""})
			if open := op.Security != nil; open != (codeOf(body) != "no_token") {
				t.Errorf("%s %s without a token: got %d %.200s", method, path, resp.StatusCode, body)
			}
		}
	}
	for _, path := range []string{"/chat", "/command", "/status", "/ws", "/v1/models", "/v1/chat/completions", "/v1/audio/transcriptions", "/v1/audio/speech", "/v1/embeddings", "/transcribe", "/jobs", "/jobs/{id}", "/healthz", "/readyz", "/metrics"} {
		if doc.Paths[path] == nil {
			t.Errorf("no %s", path)
		}
	}
}

// What the door sends fits what it says that it sends.
func TestAnswersFitTheirDescription(t *testing.T) {
	h := everything(t)
	var doc document
	if err := json.Unmarshal([]byte(h.wants(200, "", "GET", "/openapi.json", "", nil)), &doc); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, path, body, schema string }{
		{"POST", "/chat", `{"message":"Hello"}`, "ChatOut"},
		{"POST", "/chat", `{}`, "Refusal"},
		{"POST", "/command", `{"tool":"echo","arguments":{"a":1}}`, "CommandOut"},
		{"POST", "/command", `{"tool":"send"}`, "CommandOut"},
		{"POST", "/v1/chat/completions", `{"model":"solo","messages":[{"role":"user","content":"a"}]}`, "V1Completion"},
		{"POST", "/v1/embeddings", `{"model":"tiny","input":"a"}`, "V1Embedded"},
		{"GET", "/v1/models", "", "V1Models"},
		{"GET", "/status", "", "Status"},
		{"POST", "/links", "", "Link"},
		{"GET", "/nowhere", "", "Refusal"},
		{"GET", "/v1/nowhere", "", "Refusal"},
	} {
		_, text := h.ask(tt.method, tt.path, tt.body, nil)
		schema := doc.Components.Schemas[tt.schema]
		if schema == nil {
			t.Fatalf("no schema %s", tt.schema)
		}
		fits, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if err := fits.Validate(got); err != nil {
			t.Errorf("%s %s: %s: %v", tt.method, tt.path, text, err)
		}
	}
	for body, schema := range map[string]string{`{"message":"a","session_id":"b"}`: "ChatIn", `{"model":"m","messages":[{"role":"user","content":"a"}],"stop":"x"}`: "V1Chat", `{"model":"m","input":["a"]}`: "V1Embed"} {
		fits, err := doc.Components.Schemas[schema].Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		_ = json.Unmarshal([]byte(body), &got)
		if err := fits.Validate(got); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestThePageToRead(t *testing.T) {
	h := everything(t)
	resp, text := h.ask("GET", "/docs", "", nil)
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || !strings.Contains(text, "POST /chat") || !strings.Contains(text, "session_id") || strings.Contains(text, "<script") || strings.Contains(text, "style=") {
		t.Errorf("%v %.300s", resp.Header, text)
	}
}

func TestServicesAreRestarted(t *testing.T) {
	h := everything(t)
	h.wants(200, "", "POST", "/services/restart", `{"name":"speak"}`, nil)
	h.wants(404, "unknown_service", "POST", "/services/restart", `{"name":"x"}`, nil)
	openDoor(t, nil).wants(501, "not_here", "POST", "/services/restart", `{"name":"x"}`, nil)
}
