package modelstest

import (
	"strings"

	"github.com/solo-assistant/solo/models"
)

// anthropicDialect words answers as Anthropic's API does. It counts the blocks of one answer.
type anthropicDialect struct {
	model string
	block int    // number of the open block, or of the next
	open  string // its type, "" when none is open
}

func (d *anthropicDialect) kind() string { return "text/event-stream; charset=utf-8" }

func named(name string, v map[string]any) string {
	v["type"] = name
	return "event: " + name + "\ndata: " + mustJSON(v) + "\n\n"
}

func (d *anthropicDialect) start() []string {
	return []string{named("message_start", map[string]any{"message": map[string]any{"id": "msg_1", "type": "message", "role": "assistant",
		"model": d.model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 1, "output_tokens": 1}}}),
		named("ping", map[string]any{})}
}

// turn closes the open block and opens one of another type, unless such a one is open.
func (d *anthropicDialect) turn(kind string, block map[string]any) []string {
	if d.open == kind && kind != "tool_use" {
		return nil
	}
	frames := d.shut()
	block["type"], d.open = kind, kind
	return append(frames, named("content_block_start", map[string]any{"index": d.block, "content_block": block}))
}

func (d *anthropicDialect) shut() []string {
	if d.open == "" {
		return nil
	}
	frame := named("content_block_stop", map[string]any{"index": d.block})
	d.open = ""
	d.block++
	return []string{frame}
}

func (d *anthropicDialect) delta(kind string, v map[string]any) string {
	v["type"] = kind
	return named("content_block_delta", map[string]any{"index": d.block, "delta": v})
}

func (d *anthropicDialect) text(piece string) []string {
	return append(d.turn("text", map[string]any{"text": ""}), d.delta("text_delta", map[string]any{"text": piece}))
}

func (d *anthropicDialect) think(piece string) []string {
	return append(d.turn("thinking", map[string]any{"thinking": ""}), d.delta("thinking_delta", map[string]any{"thinking": piece}))
}

func (d *anthropicDialect) call(i int, c models.Call) []string {
	frames := d.turn("tool_use", map[string]any{"id": callID(i), "name": c.Tool, "input": map[string]any{}})
	for _, p := range append([]string{""}, Pieces(string(c.Arguments), 5)...) {
		frames = append(frames, d.delta("input_json_delta", map[string]any{"partial_json": p}))
	}
	return append(frames, d.shut()...)
}

func (d *anthropicDialect) garbage() string {
	return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\n\n"
}

func (d *anthropicDialect) huge(n int) string {
	return "event: ping\ndata: \"" + strings.Repeat("x", n) + "\"\n\n"
}

func (d *anthropicDialect) fault(words string) []string {
	return []string{named("error", map[string]any{"error": map[string]any{"type": "api_error", "message": words}})}
}

var anthropicFinish = map[string]string{"stop": "end_turn", "length": "max_tokens", "tool": "tool_use"}

func (d *anthropicDialect) cost(u *models.Usage) map[string]any {
	if u == nil {
		return map[string]any{"output_tokens": 1}
	}
	return map[string]any{"input_tokens": u.Prompt - u.Cached, "cache_read_input_tokens": u.Cached, "cache_creation_input_tokens": 0, "output_tokens": u.Generated}
}

func (d *anthropicDialect) end(finish string, u *models.Usage) []string {
	return append(d.shut(), named("message_delta", map[string]any{"delta": map[string]any{"stop_reason": anthropicFinish[finish], "stop_sequence": nil}, "usage": d.cost(u)}),
		named("message_stop", map[string]any{}))
}

func (d *anthropicDialect) whole(t Turn, finish string, u *models.Usage) string {
	blocks := []any{}
	if t.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": t.Text})
	}
	for i, c := range t.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": callID(i), "name": c.Tool, "input": lawful(c.Arguments)})
	}
	return mustJSON(map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": d.model, "content": blocks,
		"stop_reason": anthropicFinish[finish], "stop_sequence": nil, "usage": d.cost(u)})
}

var anthropicKinds = map[int]string{400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
	429: "rate_limit_error", 500: "api_error", 503: "overloaded_error", 529: "overloaded_error"}

func (d anthropicDialect) page(status int, words string) string {
	return mustJSON(map[string]any{"type": "error", "error": map[string]any{"type": anthropicKinds[status], "message": words}, "request_id": "req_1"})
}
