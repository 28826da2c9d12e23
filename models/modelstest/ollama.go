package modelstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// ollamaRequest has the documented fields of a chat request.
type ollamaRequest struct {
	Model    string          `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Stream   *bool           `json:"stream"`
	Tools    []toolSpec      `json:"tools"`
	Format   json.RawMessage `json:"format"`
	Keep     any             `json:"keep_alive"`
	Think    any             `json:"think"`
	Truncate *bool           `json:"truncate"`
	Shift    *bool           `json:"shift"`
	Options  struct {
		Seed        *int     `json:"seed"`
		Temperature *float64 `json:"temperature"`
		TopK        *int     `json:"top_k"`
		TopP        *float64 `json:"top_p"`
		MinP        *float64 `json:"min_p"`
		Stop        []string `json:"stop"`
		Context     *int     `json:"num_ctx"`
		Predict     *int     `json:"num_predict"`
		Threads     *int     `json:"num_thread"`
		GPU         *int     `json:"num_gpu"`
		Keep        *int     `json:"num_keep"`
		Repeat      *float64 `json:"repeat_penalty"`
	} `json:"options"`
}

type ollamaMessage struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Tool    string  `json:"tool_name"`
	For     string  `json:"tool_call_id"`
	Calls   []struct {
		ID       string `json:"id"`
		Function struct {
			Index     int             `json:"index"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (s *Server) routeOllama(mux *http.ServeMux) {
	mux.HandleFunc("/api/chat", s.ollamaChat)
	mux.HandleFunc("/api/tags", s.ollamaGet(s.ollamaTags))
	mux.HandleFunc("/api/ps", s.ollamaGet(s.ollamaPS))
	mux.HandleFunc("/api/version", s.ollamaGet(func() any { return map[string]string{"version": "0.99.0"} }))
	mux.HandleFunc("/api/show", s.ollamaShow)
	mux.HandleFunc("/api/embed", s.ollamaEmbed)
	mux.HandleFunc("/api/pull", s.ollamaPull)
}

func (s *Server) ollamaChat(w http.ResponseWriter, hr *http.Request) {
	text, ok := s.body(w, hr)
	if !ok || !s.bearer(w, hr) {
		return
	}
	var in ollamaRequest
	if err := strict(text, &in); err != nil {
		s.fault("chat: %v in %.300s", err, text)
		page(w, http.StatusBadRequest, `{"error":"unknown field"}`)
		return
	}
	r := in.request()
	r.Header, r.Raw = hr.Header.Clone(), text
	for _, f := range append(talkFaults(r), in.faults()...) {
		s.fault("chat: %s", f)
	}
	kept, turn := s.begin(r)
	if turn.Status == 0 && !s.has(r.Model) {
		turn = Turn{Status: http.StatusNotFound, Body: fmt.Sprintf("model '%s' not found", r.Model)}
	}
	s.play(w, hr, kept, turn, ollamaDialect{model: r.Model})
}

func (in *ollamaRequest) request() Request {
	r := Request{Protocol: "ollama", Model: in.Model, Stream: in.Stream == nil || *in.Stream, Stop: in.Options.Stop}
	if f := string(in.Format); f != "" && f != `"json"` && f != `""` {
		r.Schema = in.Format
	}
	if in.Options.Predict != nil {
		r.MaxTokens = *in.Options.Predict
	}
	if in.Options.Temperature != nil {
		r.Temperature = *in.Options.Temperature
	}
	for i, m := range in.Messages {
		msg := models.Message{Role: models.Role(m.Role), Text: str(m.Content), For: m.For}
		for j, c := range m.Calls {
			id := c.ID
			if id == "" {
				id = fmt.Sprintf("call_%d_%d", i, j)
			}
			msg.Calls = append(msg.Calls, models.ToolCall{ID: id, Call: models.Call{Tool: c.Function.Name, Arguments: c.Function.Arguments}})
		}
		r.Messages = append(r.Messages, msg)
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, models.Spec{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	return r
}

// faults are offences against what the API's documentation says of these fields.
func (in *ollamaRequest) faults() []string {
	var faults []string
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	called := map[string]bool{}
	for i, m := range in.Messages {
		if !strings.Contains(" system user assistant tool ", " "+m.Role+" ") || m.Content == nil {
			say("message %d of %q without content", i, m.Role)
		}
		for _, c := range m.Calls {
			if called[c.Function.Name] = true; !isObject(c.Function.Arguments) {
				say("message %d: arguments %s", i, c.Function.Arguments)
			}
		}
		if m.Tool != "" && (m.Role != "tool" || !called[m.Tool]) {
			say("message %d of the %s answers the tool %q, which nobody called", i, m.Role, m.Tool)
		}
	}
	for _, t := range in.Tools {
		if t.Type != "function" || t.Function.Name == "" || !isObject(t.Function.Parameters) {
			say("a tool %+v", t)
		}
	}
	if f := string(in.Format); f != "" && f != `"json"` && !isObject(in.Format) {
		say("format %s", f)
	}
	if p := in.Options.Predict; p != nil && *p < 1 {
		say("num_predict %d, which has no end", *p)
	}
	return faults
}

func (s *Server) ollamaGet(make func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			s.fault("%s %s", r.Method, r.URL.Path)
		}
		if s.bearer(w, r) {
			reply(w, make())
		}
	}
}

func (s *Server) ollamaTags() any {
	list := []any{}
	for _, m := range s.models() {
		entry := map[string]any{"name": m.ID, "model": m.ID, "modified_at": "2026-01-01T00:00:00Z", "size": m.Bytes, "digest": "sha256:" + m.ID,
			"details": map[string]any{"format": "gguf", "family": "test"}}
		if m.Remote != "" {
			entry["remote_host"], entry["remote_model"] = m.Remote, m.ID
		}
		list = append(list, entry)
	}
	return map[string]any{"models": list}
}

func (s *Server) ollamaPS() any {
	list := []any{}
	for _, m := range s.models() {
		if m.Loaded {
			list = append(list, map[string]any{"name": m.ID, "model": m.ID, "size": m.Bytes, "size_vram": m.GPU, "context_length": m.Context,
				"digest": "sha256:" + m.ID, "expires_at": "2026-12-01T00:00:00Z"})
		}
	}
	return map[string]any{"models": list}
}

// named reads a request about one model; false when it was refused.
func (s *Server) named(w http.ResponseWriter, r *http.Request, in any, model *string) (Model, bool) {
	text, ok := s.body(w, r)
	if !ok || !s.bearer(w, r) {
		return Model{}, false
	}
	if err := strict(text, in); err != nil || *model == "" {
		s.fault("%s: %v in %.200s", r.URL.Path, err, text)
	}
	for _, m := range s.models() {
		if m.ID == *model {
			return m, true
		}
	}
	page(w, http.StatusNotFound, ollamaDialect{}.page(http.StatusNotFound, fmt.Sprintf("model '%s' not found", *model)))
	return Model{}, false
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model   string `json:"model"`
		Verbose bool   `json:"verbose"`
	}
	m, ok := s.named(w, r, &in, &in.Model)
	if !ok {
		return
	}
	able := []string{"completion", "tools"}
	if m.Embeds {
		able = []string{"embedding"}
	}
	show := map[string]any{"details": map[string]any{"family": "test"}, "capabilities": able,
		"model_info": map[string]any{"general.architecture": "test", "test.context_length": m.Context}}
	if m.Remote != "" {
		show["remote_host"], show["remote_model"] = m.Remote, m.ID
	}
	reply(w, show)
}

func (s *Server) ollamaEmbed(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Keep       any      `json:"keep_alive"`
		Truncate   *bool    `json:"truncate"`
		Dimensions int      `json:"dimensions"`
	}
	if _, ok := s.named(w, r, &in, &in.Model); !ok {
		return
	}
	s.noteEmbedding(in.Model)
	vectors := [][]float32{}
	for _, text := range in.Input {
		vectors = append(vectors, s.embed(text))
	}
	reply(w, map[string]any{"model": in.Model, "embeddings": vectors, "total_duration": 1000})
}

// ollamaPull tells of a download as the script says. A line whose Status is "cut" cuts the connection, one whose
// Status is "hang" waits until the client goes.
func (s *Server) ollamaPull(w http.ResponseWriter, r *http.Request) {
	text, ok := s.body(w, r)
	if !ok || !s.bearer(w, r) {
		return
	}
	var in struct {
		Model    string `json:"model"`
		Insecure bool   `json:"insecure"`
		Stream   *bool  `json:"stream"`
	}
	if err := strict(text, &in); err != nil || in.Model == "" {
		s.fault("pull: %v in %.200s", err, text)
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	control := http.NewResponseController(w)
	for _, p := range s.downloads() {
		if p.Status == "hang" {
			<-r.Context().Done()
			return
		}
		if p.Status == "cut" {
			if conn, _, err := control.Hijack(); err == nil {
				conn.Close()
			}
			return
		}
		line := map[string]any{"status": p.Status}
		if p.Error != "" {
			line = map[string]any{"error": p.Error}
		}
		if p.Total > 0 {
			line["digest"], line["total"], line["completed"] = "sha256:layer", p.Total, p.Done
		}
		fmt.Fprintln(w, mustJSON(line))
		_ = control.Flush() // a client that has gone needs no more
	}
}

// downloads are the lines of the next pull: what the script has up to and with a line that ends it.
func (s *Server) downloads() []Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script.Pull == nil {
		lines := []Progress{{Status: "pulling manifest"}}
		for i := int64(1); i <= 10; i++ {
			lines = append(lines, Progress{Status: "pulling layer", Done: i * 100, Total: 1000})
		}
		return append(lines, Progress{Status: "verifying sha256 digest"}, Progress{Status: "success"})
	}
	for i, p := range s.script.Pull {
		if p.Status == "cut" {
			lines := s.script.Pull[:i+1]
			s.script.Pull = s.script.Pull[i+1:]
			return lines
		}
	}
	return s.script.Pull
}
