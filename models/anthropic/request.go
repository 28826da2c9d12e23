package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// content is a block of a message: text, a call of a tool, or what a tool gave back.
type content struct {
	Type   string          `json:"type"`
	Text   string          `json:"text,omitempty"`
	ID     string          `json:"id,omitempty"`
	Name   string          `json:"name,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	For    string          `json:"tool_use_id,omitempty"`
	Result string          `json:"content,omitempty"`
	Cache  *cache          `json:"cache_control,omitempty"`
}

type cache struct {
	Type string `json:"type"`
}

type message struct {
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

// body is the request's JSON.
func (e *Engine) body(r models.Request, names *wire.Names) map[string]any {
	inWords := len(r.Schema) > 0 && e.refused.Has("schema "+r.Model+string(r.Schema))
	if inWords {
		r.Messages = wire.InWords(r.Messages, r.Schema)
	}
	system, talk := parts(r.Messages, names)
	b := map[string]any{"model": r.Model, "messages": talk, "max_tokens": e.cfg.MaxTokens, "stream": true}
	switch {
	case r.MaxTokens > 0:
		b["max_tokens"] = r.MaxTokens
	case r.MaxTokens < 0: // fills the provider's cache, and cannot be streamed
		b["max_tokens"], b["stream"] = 0, false
	}
	if system != "" {
		b["system"] = []content{{Type: "text", Text: system, Cache: &cache{"ephemeral"}}}
	}
	if !e.refused.Has("temperature " + r.Model) {
		b["temperature"] = min(r.Temperature, 1) // the API's range ends where others' middle is
	}
	if stop := spoken(r.Stop); len(stop) > 0 {
		b["stop_sequences"] = stop
	}
	if len(r.Schema) > 0 && !inWords {
		b["output_config"] = map[string]any{"format": map[string]any{"type": "json_schema", "schema": r.Schema}}
	}
	var tools []any
	for _, t := range r.Tools {
		tools = append(tools, map[string]any{"name": names.Wire(t.Name), "description": t.Description, "input_schema": wire.Schema(t.Schema)})
	}
	if len(tools) > 0 {
		b["tools"] = tools
	}
	return b
}

// spoken leaves out what the API refuses as a stop: white space alone.
func spoken(stop []string) []string {
	var list []string
	for _, s := range stop {
		if strings.TrimSpace(s) != "" {
			list = append(list, s)
		}
	}
	return list
}

// parts divides a talk into the system's words and the turns of two sides. What tools gave back belongs to the
// user's side; neighbours of one side become one message, as the results of one answer's calls must. A talk of
// the system alone is put as the user's words, because the API wants some.
func parts(talk []models.Message, names *wire.Names) (system string, turns []message) {
	var rules []string
	for _, m := range talk {
		if m.Role == models.System {
			rules = append(rules, m.Text)
			continue
		}
		role := "user"
		if m.Role == models.Assistant {
			role = "assistant"
		}
		blocks := blocksOf(m, names)
		switch last := len(turns) - 1; {
		case len(blocks) == 0:
		case last >= 0 && turns[last].Role == role:
			turns[last].Content = append(turns[last].Content, blocks...)
		default:
			turns = append(turns, message{role, blocks})
		}
	}
	system = strings.TrimSpace(strings.Join(rules, "\n\n"))
	if len(turns) == 0 && system != "" {
		return "", []message{{"user", []content{{Type: "text", Text: system}}}}
	}
	return system, turns
}

// blocksOf words one message; empty text is left out, because the API refuses it.
func blocksOf(m models.Message, names *wire.Names) []content {
	if m.Role == models.Tool && m.For != "" {
		return []content{{Type: "tool_result", For: m.For, Result: m.Text}}
	}
	var blocks []content
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, content{Type: "text", Text: m.Text})
	}
	for _, c := range m.Calls {
		blocks = append(blocks, content{Type: "tool_use", ID: c.ID, Name: names.Wire(c.Tool), Input: wire.Object(c.Arguments)})
	}
	return blocks
}
