package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// The shapes of a chat completion request that Solo uses.
type (
	message struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
		Calls   []call  `json:"tool_calls,omitempty"`
		For     string  `json:"tool_call_id,omitempty"`
	}
	call struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
)

// open sends a request. Fields that the server does not take are left out the second time, and from then on.
func (e *Engine) open(ctx context.Context, r models.Request, names *wire.Names) (io.ReadCloser, bool, error) {
	for {
		text, err := json.Marshal(e.body(r, names))
		if err != nil {
			return nil, false, fmt.Errorf("%s: write the request: %w", e.cfg.Name, err)
		}
		body, whole, err := e.peer.Open(ctx, "/chat/completions", text)
		if err == nil || !e.without(err, r) {
			return body, whole, err
		}
	}
}

// without notes what a server refused of a request; false when the refusal was about something else, or came again.
func (e *Engine) without(err error, r models.Request) bool {
	var no *wire.Refusal
	if !errors.As(err, &no) || no.Status != http.StatusBadRequest && no.Status != http.StatusUnprocessableEntity || errors.Is(err, models.ErrTooLong) {
		return false
	}
	field := no.Param
	switch {
	case r.MaxTokens < 0 && (field == "" || strings.HasPrefix(field, "max_")):
		field = "zero" // most servers want at least one token
	case strings.Contains(no.Words, "max_completion_tokens"):
		field = "max_tokens"
	case len(r.Schema) > 0 && aboutSchema(no):
		return e.refuse("strict "+string(r.Schema)) || e.refuse("schema "+string(r.Schema))
	case field != "temperature" && field != "stop" && field != "stream_options":
		return false
	}
	return e.refuse(field)
}

// aboutSchema is true when a server does not like the schema that an answer must fit.
func aboutSchema(no *wire.Refusal) bool {
	words := strings.ToLower(no.Param + " " + no.Words)
	return slices.ContainsFunc([]string{"response_format", "response format", "json_schema", "schema"}, func(s string) bool { return strings.Contains(words, s) })
}

// refuse notes that this server does not take something; false when that is known already.
func (e *Engine) refuse(what string) bool {
	if !e.refused.Note(what) {
		return false
	}
	e.cfg.Log.Debug().Str("what", what).Msg("the server does not take this; it is left out from now on")
	return true
}

// body is the request's JSON.
func (e *Engine) body(r models.Request, names *wire.Names) map[string]any {
	no := e.refused.Has
	b := map[string]any{"model": r.Model, "messages": messages(r.Messages, names), "stream": true}
	if !no("temperature") {
		b["temperature"] = r.Temperature
	}
	if !no("stream_options") {
		b["stream_options"] = map[string]bool{"include_usage": true}
	}
	limit := "max_tokens"
	if no("max_tokens") {
		limit = "max_completion_tokens" // the newer models of OpenAI know only this name
	}
	switch {
	case r.MaxTokens < 0 && no("zero"):
		b[limit] = 1
	case r.MaxTokens < 0:
		b[limit] = 0
	case cmp.Or(r.MaxTokens, e.cfg.MaxTokens) > 0:
		b[limit] = cmp.Or(r.MaxTokens, e.cfg.MaxTokens)
	}
	if len(r.Stop) > 0 && !no("stop") {
		b["stop"] = r.Stop
	}
	switch {
	case len(r.Schema) == 0:
	case no("schema " + string(r.Schema)):
		b["messages"] = messages(wire.InWords(r.Messages, r.Schema), names)
	default: // OpenAI's strictness knows less of JSON schema than a server that only does its best
		b["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "answer", "strict": !no("strict " + string(r.Schema)), "schema": r.Schema}}
	}
	if len(r.Tools) > 0 {
		b["tools"] = tools(r.Tools, names)
	}
	if e.cfg.Extra != nil {
		maps.Copy(b, e.cfg.Extra(r))
	}
	return b
}

func tools(specs []models.Spec, names *wire.Names) []any {
	var list []any
	for _, s := range specs {
		list = append(list, map[string]any{"type": "function", "function": map[string]any{
			"name": names.Wire(s.Name), "description": s.Description, "parameters": wire.Schema(s.Schema)}})
	}
	return list
}

func messages(talk []models.Message, names *wire.Names) []message {
	list := make([]message, len(talk))
	for i, m := range talk {
		list[i] = message{Role: string(m.Role), Content: &talk[i].Text, For: m.For}
		for _, c := range m.Calls {
			w := call{ID: c.ID, Type: "function"}
			w.Function.Name, w.Function.Arguments = names.Wire(c.Tool), string(wire.Arguments(c.Arguments))
			list[i].Calls = append(list[i].Calls, w)
		}
		if len(m.Calls) > 0 && m.Text == "" {
			list[i].Content = nil
		}
	}
	return list
}
