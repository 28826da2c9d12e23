package agent

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/models"
)

// tell puts what came of calls before the model.
func (t *turn) tell(ctx context.Context, th thought, now []ran) {
	room := t.a.c.Context - t.a.c.MaxTokens - tokensOf(t.messages) - 150
	share := max(room/max(1, len(now)), 100)
	texts := make([]string, len(now))
	for i, r := range now {
		texts[i] = t.a.outcome(ctx, r, t.words, t.marker, share)
	}
	next := "Reply now, or call what is still needed."
	if t.said.Len() > 0 {
		next = "The user has heard: " + prompt.Defuse(strings.TrimSpace(t.said.String())) + "\nDo not say it again. " + next + " If nothing is left, reply with an empty text."
	}
	if len(th.native) == 0 || len(th.native) != len(now) {
		t.add(models.Assistant, written(th.Calls))
		t.add(models.User, "Results:\n"+strings.Join(texts, "\n")+"\n"+next)
		return
	}
	t.messages = append(t.messages, models.Message{Role: models.Assistant, Text: th.Text, Calls: th.native})
	for i, c := range th.native {
		t.messages = append(t.messages, models.Message{Role: models.Tool, For: c.ID, Text: texts[i]})
	}
}

// outcome tells a model what came of a call, in at most n tokens.
func (a *Agent) outcome(ctx context.Context, r ran, purpose, marker string, n int) string {
	head := r.call.Tool + ": "
	switch {
	case r.err != nil:
		return head + "FAILED. " + prompt.Defuse(r.result.Say) + " (" + prompt.Defuse(short(r.err.Error(), 300)) + ")"
	case r.changes():
		head += "done. "
	}
	text := r.result.Say
	if data := plain(r.result.Data); data != "" && data != text {
		text = strings.TrimSpace(text + "\n" + data)
	}
	text = a.digest(ctx, text, purpose, n)
	if r.spec.Outside {
		return head + "\n" + prompt.Fence(marker, r.call.Tool, text)
	}
	return head + prompt.Defuse(text)
}

// written is how the model ought to have written its calls.
func written(calls []models.Call) string {
	type call struct {
		Type      string          `json:"type,omitempty"`
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	var all []call
	for _, c := range calls {
		all = append(all, call{"", c.Tool, c.Arguments})
	}
	var out any = struct {
		Type  string `json:"type"`
		Calls []call `json:"calls"`
	}{"multi_tool_call", all}
	if len(all) == 1 {
		out = call{"tool_call", all[0].Tool, all[0].Arguments}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return "" // arguments are valid JSON by now
	}
	return string(text)
}
