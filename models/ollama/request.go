package ollama

import (
	"encoding/json"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// The shapes of a chat request that Solo uses.
type (
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Calls   []call `json:"tool_calls,omitempty"`
		Tool    string `json:"tool_name,omitempty"` // that gave this back
	}
	call struct {
		Function function `json:"function"`
	}
	function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object
	}
)

// body is the request's JSON.
func (e *Engine) body(r models.Request, names *wire.Names) map[string]any {
	options := map[string]any{"temperature": r.Temperature}
	switch {
	case r.MaxTokens < 0:
		options["num_predict"] = 1 // 0 is taken for "without end"
	case r.MaxTokens > 0:
		options["num_predict"] = r.MaxTokens
	}
	if e.cfg.Context > 0 {
		options["num_ctx"] = e.cfg.Context
	}
	if e.cfg.Threads > 0 {
		options["num_thread"] = e.cfg.Threads
	}
	if len(r.Stop) > 0 {
		options["stop"] = r.Stop
	}
	b := map[string]any{"model": r.Model, "messages": messages(r.Messages, names), "stream": true, "options": options}
	// Without this Ollama drops the oldest messages of a talk that is too long, and says nothing.
	b["truncate"] = false
	e.keep(b)
	if !e.cfg.Think {
		b["think"] = false
	}
	if len(r.Schema) > 0 {
		b["format"] = r.Schema
	}
	var tools []any
	for _, s := range r.Tools {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
			"name": names.Wire(s.Name), "description": s.Description, "parameters": wire.Schema(s.Schema)}})
	}
	if len(tools) > 0 {
		b["tools"] = tools
	}
	return b
}

// keep says how long the model stays loaded.
func (e *Engine) keep(b map[string]any) {
	switch d := e.cfg.KeepAlive; {
	case d < 0:
		b["keep_alive"] = -1
	case d > 0:
		b["keep_alive"] = d.Round(time.Second).String()
	}
}

func messages(talk []models.Message, names *wire.Names) []message {
	tool := map[string]string{} // of a call, by its ID
	list := make([]message, len(talk))
	for i, m := range talk {
		list[i] = message{Role: string(m.Role), Content: m.Text, Tool: tool[m.For]}
		for _, c := range m.Calls {
			name := names.Wire(c.Tool)
			tool[c.ID] = name
			list[i].Calls = append(list[i].Calls, call{function{name, wire.Object(c.Arguments)}})
		}
	}
	return list
}
