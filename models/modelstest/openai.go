package modelstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// openaiRequest has the documented fields of a chat completion that a client may send.
type openaiRequest struct {
	Model    string          `json:"model"`
	Messages []openaiMessage `json:"messages"`
	Stream   bool            `json:"stream"`
	Options  *struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens   *int       `json:"max_tokens"`
	MaxNew      *int       `json:"max_completion_tokens"`
	Temperature *float64   `json:"temperature"`
	TopP        *float64   `json:"top_p"`
	Seed        *int       `json:"seed"`
	Stop        []string   `json:"stop"`
	N           *int       `json:"n"`
	User        string     `json:"user"`
	Tools       []toolSpec `json:"tools"`
	Choice      any        `json:"tool_choice"`
	Parallel    *bool      `json:"parallel_tool_calls"`
	Effort      string     `json:"reasoning_effort"`
	Format      *struct {
		Type   string `json:"type"`
		Schema *struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Strict      bool            `json:"strict"`
			Schema      json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

// llamaRequest adds llama-server's own fields.
type llamaRequest struct {
	openaiRequest
	Cache    *bool          `json:"cache_prompt"`
	Slot     *int           `json:"id_slot"`
	Predict  *int           `json:"n_predict"`
	TopK     *int           `json:"top_k"`
	MinP     *float64       `json:"min_p"`
	Timings  *bool          `json:"timings_per_token"`
	Progress *bool          `json:"return_progress"`
	Template map[string]any `json:"chat_template_kwargs"`
	Grammar  string         `json:"grammar"`
}

type openaiMessage struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Name    string  `json:"name"`
	For     string  `json:"tool_call_id"`
	Calls   []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// toolSpec is a tool as OpenAI and Ollama know it.
type toolSpec struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	} `json:"function"`
}

var plainName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (s *Server) routeOpenAI(mux *http.ServeMux) {
	mux.HandleFunc("/v1/chat/completions", s.openaiChat)
	mux.HandleFunc("/v1/models", s.openaiModels)
	mux.HandleFunc("/v1/embeddings", s.openaiEmbed)
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { reply(w, map[string]string{"status": "ok"}) })
}

func (s *Server) openaiChat(w http.ResponseWriter, hr *http.Request) {
	text, ok := s.body(w, hr)
	if !ok || !s.bearer(w, hr) {
		return
	}
	var in llamaRequest
	var err error
	if s.script.Llama {
		err = strict(text, &in)
	} else {
		err = strict(text, &in.openaiRequest)
	}
	if err != nil {
		s.fault("chat completions: %v in %.300s", err, text)
		http.Error(w, `{"error":{"message":"unknown field","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	if in.MaxTokens != nil && *in.MaxTokens == 0 && !s.script.Llama {
		page(w, http.StatusBadRequest, openaiDialect{}.page(http.StatusBadRequest, "max_tokens must be at least 1"))
		return
	}
	r := in.request()
	r.Header, r.Raw = hr.Header.Clone(), text
	for _, f := range append(talkFaults(r), in.faults()...) {
		s.fault("chat completions: %s", f)
	}
	kept, turn := s.begin(r)
	if turn.Status == 0 && !s.has(r.Model) {
		turn = Turn{Status: http.StatusNotFound, Body: fmt.Sprintf("The model %q does not exist", r.Model)}
	}
	d := openaiDialect{model: r.Model, usage: in.Options != nil && in.Options.Usage, timings: s.script.Timings}
	s.play(w, hr, kept, turn, d)
}

func (in *openaiRequest) request() Request {
	r := Request{Protocol: "openai", Model: in.Model, Stream: in.Stream, Stop: in.Stop}
	for _, m := range in.Messages {
		msg := models.Message{Role: models.Role(m.Role), For: m.For}
		if m.Content != nil {
			msg.Text = *m.Content
		}
		for _, c := range m.Calls {
			msg.Calls = append(msg.Calls, models.ToolCall{ID: c.ID, Call: models.Call{Tool: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)}})
		}
		r.Messages = append(r.Messages, msg)
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, models.Spec{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	if in.Format != nil && in.Format.Schema != nil {
		r.Schema = in.Format.Schema.Schema
	}
	for _, n := range []*int{in.MaxTokens, in.MaxNew} {
		if n != nil {
			r.MaxTokens = *n
		}
	}
	if in.MaxTokens != nil && *in.MaxTokens == 0 {
		r.MaxTokens = -1
	}
	if in.Temperature != nil {
		r.Temperature = *in.Temperature
	}
	return r
}

// faults are offences against what the API's documentation says of these fields.
func (in *openaiRequest) faults() []string {
	var faults []string
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i, m := range in.Messages {
		switch {
		case !strings.Contains(" system developer user assistant tool ", " "+m.Role+" "):
			say("message %d has the role %q", i, m.Role)
		case m.Content == nil && len(m.Calls) == 0:
			say("message %d has no content", i)
		case (m.Role == "tool") != (m.For != ""):
			say("message %d of the %s has tool_call_id %q", i, m.Role, m.For)
		}
		for _, c := range m.Calls {
			if c.Type != "function" || c.ID == "" || !plainName.MatchString(c.Function.Name) {
				say("message %d: a call %+v", i, c)
			}
		}
	}
	for _, t := range in.Tools {
		if t.Type != "function" || !plainName.MatchString(t.Function.Name) || !isObject(t.Function.Parameters) {
			say("a tool %+v", t)
		}
	}
	if in.Format != nil && in.Format.Type == "json_schema" && (in.Format.Schema == nil || !plainName.MatchString(in.Format.Schema.Name) || !isObject(in.Format.Schema.Schema)) {
		say("response_format without a name or a schema")
	}
	if in.Options != nil && !in.Stream {
		say("stream_options without stream")
	}
	return faults
}

func isObject(text json.RawMessage) bool {
	var m map[string]any
	return json.Unmarshal(text, &m) == nil && m != nil
}

func (s *Server) openaiModels(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		s.fault("%s /v1/models", r.Method)
	}
	if r.Header.Get("Anthropic-Version") != "" {
		s.anthropicModels(w, r)
		return
	}
	if !s.bearer(w, r) {
		return
	}
	list := []any{}
	for _, m := range s.models() {
		list = append(list, map[string]any{"id": m.ID, "object": "model", "created": 1, "owned_by": "test",
			"meta": map[string]any{"n_ctx_train": m.Context, "size": m.Bytes}})
	}
	reply(w, map[string]any{"object": "list", "data": list})
}

func (s *Server) openaiEmbed(w http.ResponseWriter, r *http.Request) {
	text, ok := s.body(w, r)
	if !ok || !s.bearer(w, r) {
		return
	}
	var in struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions"`
	}
	if err := strict(text, &in); err != nil || len(in.Input) == 0 {
		s.fault("embeddings: %v in %.200s", err, text)
	}
	if !s.has(in.Model) {
		page(w, http.StatusNotFound, openaiDialect{}.page(http.StatusNotFound, "no such model"))
		return
	}
	s.noteEmbedding(in.Model)
	list := []any{}
	for i := range in.Input {
		i = len(in.Input) - 1 - i // the API promises no order
		list = append(list, map[string]any{"object": "embedding", "index": i, "embedding": s.embed(in.Input[i])})
	}
	reply(w, map[string]any{"object": "list", "model": in.Model, "data": list})
}

// bearer is true when the request carries the script's key.
func (s *Server) bearer(w http.ResponseWriter, r *http.Request) bool {
	if s.script.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.script.Key {
		return true
	}
	s.fault("%s without the key", r.URL.Path)
	page(w, http.StatusUnauthorized, openaiDialect{}.page(http.StatusUnauthorized, "Incorrect API key provided"))
	return false
}

func reply(w http.ResponseWriter, v any) {
	page(w, http.StatusOK, mustJSON(v))
}

func page(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

// mustJSON writes values that the server itself made.
func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a fault of this package
	}
	return string(text)
}
