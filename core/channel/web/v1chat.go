package web

import (
	"encoding/json"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// V1Chat is a request of the OpenAI API. Fields that are not named here are not read.
type V1Chat struct {
	Model       string           `json:"model"`
	Messages    []V1Message      `json:"messages"`
	Stream      bool             `json:"stream,omitempty"`
	Options     *V1StreamOptions `json:"stream_options,omitempty"`
	Tools       []V1Tool         `json:"tools,omitempty"`
	Functions   json.RawMessage  `json:"functions,omitempty"`
	MaxTokens   int              `json:"max_tokens,omitempty"`
	MaxNew      int              `json:"max_completion_tokens,omitempty"`
	Temperature *float64         `json:"temperature,omitempty"`
	Stop        texts            `json:"stop,omitempty"`
	N           int              `json:"n,omitempty"`
	Format      *V1Format        `json:"response_format,omitempty"`
	User        string           `json:"user,omitempty"`
}

// V1StreamOptions says whether a stream ends with its cost.
type V1StreamOptions struct {
	Usage bool `json:"include_usage,omitempty"`
}

// V1Format says which form an answer has: text, json_object or json_schema.
type V1Format struct {
	Type   string `json:"type"`
	Schema *struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema,omitempty"`
}

// V1Tool is a tool of the client. Solo never runs it.
type V1Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	} `json:"function"`
}

// V1Message is one message of a talk.
type V1Message struct {
	Role    string   `json:"role"`
	Content content  `json:"content"`
	Calls   []V1Call `json:"tool_calls,omitempty"`
	For     string   `json:"tool_call_id,omitempty"`
}

// V1Call is a call that a model wants its client to make.
type V1Call struct {
	Index    *int   `json:"index,omitempty"` // in a stream
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// content is a text, or parts of which only texts are understood.
type content struct {
	text  string
	other string // the type of a part that is no text
}

func (c *content) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	if raw[0] == '"' {
		return json.Unmarshal(raw, &c.text)
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var all []string
	for _, p := range parts {
		if p.Type != "text" && p.Type != "input_text" && p.Type != "refusal" {
			c.other = p.Type
		}
		all = append(all, p.Text)
	}
	c.text = strings.Join(all, "\n")
	return nil
}

// roles of the OpenAI API as Solo's models know them.
var roles = map[string]models.Role{"system": models.System, "developer": models.System, "user": models.User, "assistant": models.Assistant, "tool": models.Tool}

const messagesMost = 2000

// check refuses what cannot be answered faithfully.
func (r *V1Chat) check() error {
	switch {
	case len(r.Messages) == 0:
		return invalid("messages is empty.")
	case len(r.Messages) > messagesMost:
		return invalid("There are more than %d messages.", messagesMost)
	case r.N > 1:
		return invalid("n must be 1.")
	case r.MaxTokens < 0 || r.MaxNew < 0:
		return invalid("max_tokens must not be negative.")
	case r.Temperature != nil && (*r.Temperature < 0 || *r.Temperature > 2):
		return invalid("temperature must be 0 to 2.")
	case len(r.Functions) > 0 && string(r.Functions) != "null":
		return invalid("functions is not understood; use tools.")
	}
	for _, m := range r.Messages {
		if _, ok := roles[m.Role]; !ok {
			return invalid("The role %q is not known.", short(m.Role))
		}
		if m.Content.other != "" {
			return invalid("A part of type %q is not understood; only text is.", short(m.Content.other))
		}
	}
	return nil
}

// request is what is asked of a model.
func (r *V1Chat) request(model string) (models.Request, error) {
	q := models.Request{Model: model, MaxTokens: max(r.MaxTokens, r.MaxNew), Stop: r.Stop, Temperature: 1}
	if r.Temperature != nil {
		q.Temperature = *r.Temperature
	}
	for _, m := range r.Messages {
		out := models.Message{Role: roles[m.Role], Text: m.Content.text, For: m.For}
		for _, c := range m.Calls {
			args := json.RawMessage(c.Function.Arguments)
			if !json.Valid(args) {
				return q, invalid("The arguments of the call %q are no JSON.", short(c.ID))
			}
			out.Calls = append(out.Calls, models.ToolCall{ID: c.ID, Call: models.Call{Tool: c.Function.Name, Arguments: args}})
		}
		q.Messages = append(q.Messages, out)
	}
	for _, t := range r.Tools {
		if t.Function.Name == "" || t.Type != "function" {
			return q, invalid("A tool must be a function with a name.")
		}
		q.Tools = append(q.Tools, models.Spec{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	if f := r.Format; f != nil && f.Type == "json_object" {
		q.Schema = json.RawMessage(`{"type":"object"}`)
	} else if f != nil && f.Type == "json_schema" && f.Schema != nil {
		q.Schema = f.Schema.Schema
	}
	return q, nil
}
