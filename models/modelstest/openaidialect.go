package modelstest

import (
	"net/http"
	"strings"
	"time"

	"github.com/solo-assistant/solo/models"
)

// openaiDialect words answers as OpenAI's servers and llama-server do.
type openaiDialect struct {
	model          string
	usage, timings bool
}

func (d openaiDialect) kind() string { return "text/event-stream" }

func event(v any) string { return "data: " + mustJSON(v) + "\n\n" }

func (d openaiDialect) chunk(delta map[string]any, finish any) string {
	return event(map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": d.model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (d openaiDialect) start() []string {
	return []string{d.chunk(map[string]any{"role": "assistant", "content": ""}, nil)}
}

func (d openaiDialect) text(piece string) []string {
	return []string{d.chunk(map[string]any{"content": piece}, nil)}
}

func (d openaiDialect) think(piece string) []string {
	return []string{d.chunk(map[string]any{"reasoning_content": piece}, nil)}
}

// call sends the name first and the arguments in pieces, as the real servers do.
func (d openaiDialect) call(i int, c models.Call) []string {
	wrap := func(call map[string]any) string {
		call["index"] = i
		return d.chunk(map[string]any{"tool_calls": []any{call}}, nil)
	}
	frames := []string{wrap(map[string]any{"id": callID(i), "type": "function", "function": map[string]any{"name": c.Tool, "arguments": ""}})}
	for _, p := range Pieces(string(c.Arguments), 5) {
		frames = append(frames, wrap(map[string]any{"function": map[string]any{"arguments": p}}))
	}
	return frames
}

func (d openaiDialect) garbage() string   { return "data: {\"choices\":[{\"delta\":{\"content\":\n\n" }
func (d openaiDialect) huge(n int) string { return "data: \"" + strings.Repeat("x", n) + "\"\n\n" }

func (d openaiDialect) fault(words string) []string {
	return []string{"data: " + d.page(http.StatusInternalServerError, words) + "\n\n"}
}

var openaiFinish = map[string]string{"stop": "stop", "length": "length", "tool": "tool_calls"}

func (d openaiDialect) end(finish string, u *models.Usage) []string {
	frames := []string{d.chunk(map[string]any{}, openaiFinish[finish])}
	if u != nil && (d.usage || d.timings) {
		last := map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": d.model, "choices": []any{}}
		d.cost(last, u)
		frames = append(frames, event(last))
	}
	return append(frames, "data: [DONE]\n\n")
}

func (d openaiDialect) cost(into map[string]any, u *models.Usage) {
	if d.usage {
		into["usage"] = map[string]any{"prompt_tokens": u.Prompt, "completion_tokens": u.Generated, "total_tokens": u.Prompt + u.Generated,
			"prompt_tokens_details": map[string]any{"cached_tokens": u.Cached}}
	}
	if d.timings {
		into["timings"] = map[string]any{"cache_n": u.Cached, "prompt_n": u.Prompt - u.Cached, "prompt_ms": ms(u.Reading),
			"predicted_n": u.Generated, "predicted_ms": ms(u.Writing)}
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (d openaiDialect) whole(t Turn, finish string, u *models.Usage) string {
	msg := map[string]any{"role": "assistant", "content": t.Text}
	calls := []any{}
	for i, c := range t.Calls {
		calls = append(calls, map[string]any{"id": callID(i), "type": "function",
			"function": map[string]any{"name": c.Tool, "arguments": string(c.Arguments)}})
	}
	if len(calls) > 0 {
		msg["tool_calls"] = calls
	}
	answer := map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": d.model,
		"choices": []any{map[string]any{"index": 0, "message": msg, "finish_reason": openaiFinish[finish]}}}
	if u != nil {
		d.usage = true
		d.cost(answer, u)
	}
	return mustJSON(answer)
}

// kinds are OpenAI's and llama-server's names for errors.
var kinds = map[int]string{400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
	429: "rate_limit_error", 500: "server_error", 503: "unavailable_error"}

func (d openaiDialect) page(status int, words string) string {
	return mustJSON(map[string]any{"error": map[string]any{"message": words, "type": kinds[status], "param": nil, "code": status}})
}
