package modelstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// anthropicRequest has the documented fields of a message request that a client may send.
type anthropicRequest struct {
	Model       string             `json:"model"`
	Messages    []anthropicMessage `json:"messages"`
	MaxTokens   *int               `json:"max_tokens"`
	System      []anthropicBlock   `json:"system"`
	Temperature *float64           `json:"temperature"`
	TopP        *float64           `json:"top_p"`
	TopK        *int               `json:"top_k"`
	Stop        []string           `json:"stop_sequences"`
	Stream      bool               `json:"stream"`
	Tools       []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"input_schema"`
		Cache       any             `json:"cache_control"`
		Strict      bool            `json:"strict"`
	} `json:"tools"`
	Choice   any `json:"tool_choice"`
	Thinking any `json:"thinking"`
	Metadata any `json:"metadata"`
	Output   *struct {
		Effort string `json:"effort"`
		Format *struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicBlock struct {
	Type    string          `json:"type"`
	Text    *string         `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	For     string          `json:"tool_use_id"`
	Content string          `json:"content"`
	Failed  bool            `json:"is_error"`
	Cache   *struct {
		Type string `json:"type"`
		TTL  string `json:"ttl"`
	} `json:"cache_control"`
}

func (s *Server) anthropicChat(w http.ResponseWriter, hr *http.Request) {
	text, ok := s.body(w, hr)
	if !ok || !s.apiKey(w, hr) {
		return
	}
	var in anthropicRequest
	if err := strict(text, &in); err != nil {
		s.fault("messages: %v in %.300s", err, text)
		page(w, http.StatusBadRequest, anthropicDialect{}.page(http.StatusBadRequest, "unknown field"))
		return
	}
	r := in.request()
	r.Header, r.Raw = hr.Header.Clone(), text
	for _, f := range append(talkFaults(r), in.faults()...) {
		s.fault("messages: %s", f)
	}
	kept, turn := s.begin(r)
	if turn.Status == 0 && !s.has(r.Model) {
		turn = Turn{Status: http.StatusNotFound, Body: "model: " + r.Model}
	}
	s.play(w, hr, kept, turn, &anthropicDialect{model: r.Model})
}

func (in *anthropicRequest) request() Request {
	r := Request{Protocol: "anthropic", Model: in.Model, Stream: in.Stream, Stop: in.Stop}
	for _, b := range in.System {
		r.Messages = append(r.Messages, models.Message{Role: models.System, Text: str(b.Text)})
	}
	for _, m := range in.Messages {
		r.Messages = append(r.Messages, m.messages()...)
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, models.Spec{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	if in.Output != nil && in.Output.Format != nil {
		r.Schema = in.Output.Format.Schema
	}
	if in.MaxTokens != nil {
		if r.MaxTokens = *in.MaxTokens; r.MaxTokens == 0 {
			r.MaxTokens = -1
		}
	}
	if in.Temperature != nil {
		r.Temperature = *in.Temperature
	}
	return r
}

// messages takes one apart: text with calls, and each tool's result.
func (m anthropicMessage) messages() []models.Message {
	var list []models.Message
	said := models.Message{Role: models.Role(m.Role)}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			said.Text += str(b.Text)
		case "tool_use":
			said.Calls = append(said.Calls, models.ToolCall{ID: b.ID, Call: models.Call{Tool: b.Name, Arguments: b.Input}})
		case "tool_result":
			list = append(list, models.Message{Role: models.Tool, For: b.For, Text: b.Content})
		}
	}
	if said.Text != "" || len(said.Calls) > 0 {
		list = append(list, said)
	}
	return list
}

func str(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// faults are offences against what the API's documentation says of these fields.
func (in *anthropicRequest) faults() []string {
	var faults []string
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	switch {
	case in.MaxTokens == nil || *in.MaxTokens < 0:
		say("no max_tokens")
	case *in.MaxTokens == 0 && in.Stream:
		say("max_tokens 0 cannot be streamed")
	}
	if in.Temperature != nil && *in.Temperature > 1 {
		say("temperature %v, over 1", *in.Temperature)
	}
	for i, m := range in.Messages {
		if m.Role != "user" && m.Role != "assistant" || len(m.Content) == 0 || i == 0 && m.Role != "user" {
			say("message %d of %q with %d blocks", i, m.Role, len(m.Content))
		}
		for _, b := range m.Content {
			if why := b.fault(m.Role); why != "" {
				say("message %d: %s", i, why)
			}
		}
	}
	for _, s := range in.Stop {
		if strings.TrimSpace(s) == "" {
			say("a stop sequence of white space")
		}
	}
	for _, t := range in.Tools {
		if !plainName.MatchString(t.Name) || !isObject(t.Schema) {
			say("a tool %+v", t)
		}
	}
	if in.Output != nil && in.Output.Format != nil && (in.Output.Format.Type != "json_schema" || !isObject(in.Output.Format.Schema)) {
		say("output_config %+v", in.Output.Format)
	}
	return faults
}

func (b anthropicBlock) fault(role string) string {
	switch {
	case b.Type == "text" && strings.TrimSpace(str(b.Text)) == "":
		return "a text without letters"
	case b.Type == "tool_use" && (role != "assistant" || b.ID == "" || !plainName.MatchString(b.Name) || !isObject(b.Input)):
		return fmt.Sprintf("a tool_use %+v of the %s", b, role)
	case b.Type == "tool_result" && (role != "user" || b.For == ""):
		return fmt.Sprintf("a tool_result for %q of the %s", b.For, role)
	case b.Type != "text" && b.Type != "tool_use" && b.Type != "tool_result":
		return fmt.Sprintf("a block of type %q", b.Type)
	}
	return ""
}

func (s *Server) anthropicModels(w http.ResponseWriter, r *http.Request) {
	if !s.apiKey(w, r) {
		return
	}
	list := []any{}
	for _, m := range s.models() {
		list = append(list, map[string]any{"id": m.ID, "type": "model", "display_name": m.ID, "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": m.Context})
	}
	reply(w, map[string]any{"data": list, "has_more": false})
}

// apiKey is true when the request carries the script's key and the version of the API.
func (s *Server) apiKey(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Anthropic-Version") != "2023-06-01" {
		s.fault("%s with anthropic-version %q", r.URL.Path, r.Header.Get("Anthropic-Version"))
	}
	if s.script.Key == "" || r.Header.Get("X-Api-Key") == s.script.Key {
		return true
	}
	s.fault("%s without the key", r.URL.Path)
	page(w, http.StatusUnauthorized, anthropicDialect{}.page(http.StatusUnauthorized, "invalid x-api-key"))
	return false
}
