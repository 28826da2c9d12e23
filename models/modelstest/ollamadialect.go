package modelstest

import (
	"strings"

	"github.com/solo-assistant/solo/models"
)

// ollamaDialect words answers as Ollama does: one JSON value a line.
type ollamaDialect struct{ model string }

func (d ollamaDialect) kind() string { return "application/x-ndjson" }

func (d ollamaDialect) line(message map[string]any, more map[string]any) string {
	message["role"] = "assistant"
	if message["content"] == nil {
		message["content"] = ""
	}
	l := map[string]any{"model": d.model, "created_at": "2026-01-01T00:00:00.000000001Z", "message": message, "done": false}
	for k, v := range more {
		l[k] = v
	}
	return mustJSON(l) + "\n"
}

func (d ollamaDialect) start() []string { return nil }

func (d ollamaDialect) text(piece string) []string {
	return []string{d.line(map[string]any{"content": piece}, nil)}
}

func (d ollamaDialect) think(piece string) []string {
	return []string{d.line(map[string]any{"thinking": piece}, nil)}
}

// call comes whole, as Ollama sends it.
func (d ollamaDialect) call(i int, c models.Call) []string {
	return []string{d.line(map[string]any{"tool_calls": []any{d.toolCall(i, c)}}, nil)}
}

func (d ollamaDialect) toolCall(i int, c models.Call) map[string]any {
	return map[string]any{"function": map[string]any{"index": i, "name": c.Tool, "arguments": lawful(c.Arguments)}}
}

func (d ollamaDialect) garbage() string   { return "{\"model\":\"x\",\"message\":{\n" }
func (d ollamaDialect) huge(n int) string { return "\"" + strings.Repeat("x", n) + "\"\n" }

func (d ollamaDialect) fault(words string) []string { return []string{d.page(0, words) + "\n"} }

var ollamaFinish = map[string]string{"stop": "stop", "length": "length", "tool": "stop"}

func (d ollamaDialect) cost(finish string, u *models.Usage) map[string]any {
	last := map[string]any{"done": true, "done_reason": ollamaFinish[finish]}
	if u != nil {
		last["prompt_eval_count"], last["prompt_eval_duration"] = u.Prompt, u.Reading
		last["eval_count"], last["eval_duration"], last["load_duration"] = u.Generated, u.Writing, u.Loading
		last["total_duration"] = u.Reading + u.Writing + u.Loading
	}
	return last
}

func (d ollamaDialect) end(finish string, u *models.Usage) []string {
	return []string{d.line(map[string]any{}, d.cost(finish, u))}
}

func (d ollamaDialect) whole(t Turn, finish string, u *models.Usage) string {
	message := map[string]any{"content": t.Text}
	var calls []any
	for i, c := range t.Calls {
		calls = append(calls, d.toolCall(i, c))
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return d.line(message, d.cost(finish, u))
}

func (d ollamaDialect) page(_ int, words string) string {
	return mustJSON(map[string]any{"error": words})
}
