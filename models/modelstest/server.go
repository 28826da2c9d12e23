package modelstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

const longestRequest = 16 << 20

// Server plays a Script until the test is over.
type Server struct {
	t      testing.TB
	http   *httptest.Server
	script Script
	over   chan struct{} // closed when the test is

	mu       sync.Mutex
	requests []*Request
	embedded []string      // models that were asked for embeddings
	strays   []string      // faults, for tests of the server itself
	changed  chan struct{} // closed and renewed whenever a request begins or ends
	tolerant bool          // keep faults instead of failing the test
}

// New starts a server on a free loopback port. The test's end stops it.
func New(t testing.TB, s Script) *Server {
	if s.Models == nil {
		s.Models = []Model{{ID: "test-model", Bytes: 1 << 20, Context: 4096}}
	}
	srv := &Server{t: t, script: s, over: make(chan struct{}), changed: make(chan struct{})}
	mux := http.NewServeMux()
	srv.routeOpenAI(mux)
	mux.HandleFunc("/v1/messages", srv.anthropicChat)
	srv.routeOllama(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		srv.fault("nothing is served at %s %s", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	srv.http = httptest.NewServer(mux)
	t.Cleanup(func() {
		close(srv.over)
		srv.http.CloseClientConnections()
		srv.http.Close()
	})
	return srv
}

// URL is the server's address, such as "http://127.0.0.1:40123".
func (s *Server) URL() string { return s.http.URL }

// OpenAI is the base address for OpenAI's protocol.
func (s *Server) OpenAI() string { return s.http.URL + "/v1" }

// Anthropic is the base address for Anthropic's protocol.
func (s *Server) Anthropic() string { return s.http.URL }

// Ollama is the base address for Ollama's protocol.
func (s *Server) Ollama() string { return s.http.URL }

// Key is the script's key.
func (s *Server) Key() string { return s.script.Key }

// Requests are the chats that were asked for until now, in the order in which they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Request, len(s.requests))
	for i, r := range s.requests {
		list[i] = *r
	}
	return list
}

// SetModels changes which models the server has.
func (s *Server) SetModels(m ...Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.Models = m
}

// models are those that the server has now.
func (s *Server) models() []Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script.Models
}

// Embedded are the models that were asked for embeddings until now, once for each request.
func (s *Server) Embedded() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.embedded)
}

// Wait waits until request number i (from 0) is as wanted, and gives it. It fails the test after ten seconds.
func (s *Server) Wait(i int, wanted func(Request) bool) Request {
	s.t.Helper()
	late := time.NewTimer(10 * time.Second)
	defer late.Stop()
	for {
		s.mu.Lock()
		if i < len(s.requests) && wanted(*s.requests[i]) {
			defer s.mu.Unlock()
			return *s.requests[i]
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-late.C:
			s.t.Fatalf("modelstest: request %d did not become what the test waits for; there are %d", i, len(s.Requests()))
		}
	}
}

// Left waits until the client of request number i has gone away before its end, and tells when that was.
func (s *Server) Left(i int) time.Time {
	s.t.Helper()
	return s.Wait(i, func(r Request) bool { return !r.Gone.IsZero() }).Gone
}

// fault fails the test for something that no client may do.
func (s *Server) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tolerant {
		s.strays = append(s.strays, fmt.Sprintf(format, args...))
		return
	}
	select {
	case <-s.over: // nobody may speak for a test that has ended
	default:
		s.t.Errorf("modelstest: "+format, args...)
	}
}

// Log is where an engine's log may go in a test: a log that holds the script's key fails it.
func (s *Server) Log() io.Writer { return logCheck{s} }

type logCheck struct{ s *Server }

func (l logCheck) Write(line []byte) (int, error) {
	if key := l.s.script.Key; key != "" && bytes.Contains(line, []byte(key)) {
		l.s.fault("the key is in the log: %s", line)
	}
	return len(line), nil
}

func (s *Server) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// body reads a request that must be a POST of JSON, and refuses what it is otherwise.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	text, err := io.ReadAll(io.LimitReader(r.Body, longestRequest+1))
	switch kind := r.Header.Get("Content-Type"); {
	case err != nil:
		return nil, false // the client went
	case r.Method != http.MethodPost:
		s.fault("%s %s: it takes only POST", r.Method, r.URL.Path)
	case kind != "application/json":
		s.fault("%s: Content-Type is %q", r.URL.Path, kind)
	case len(text) > longestRequest:
		s.fault("%s: over %d MiB", r.URL.Path, longestRequest>>20)
	case !json.Valid(text):
		s.fault("%s: no JSON: %.200q", r.URL.Path, text)
	default:
		return text, true
	}
	http.Error(w, `{"error":{"message":"bad request","type":"invalid_request_error"}}`, http.StatusBadRequest)
	return nil, false
}

// strict reads JSON into a struct of documented fields; any other field is a fault.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// begin notes a chat and decides its turn.
func (s *Server) begin(r Request) (*Request, Turn) {
	r.At = time.Now()
	if err := json.Unmarshal(r.Raw, &r.Fields); err != nil {
		s.fault("the request is no object: %v", err)
	}
	var number int
	kept := &r
	s.change(func() {
		number = len(s.requests)
		s.requests = append(s.requests, kept)
	})
	switch {
	case s.script.Answer != nil:
		return kept, s.script.Answer(r)
	case number < len(s.script.Turns):
		return kept, s.script.Turns[number]
	}
	s.fault("request %d, but the script has only %d turns", number+1, len(s.script.Turns))
	return kept, Turn{Status: http.StatusInternalServerError, Body: "the script is over"}
}

// has is true for a model that the script lists.
func (s *Server) has(model string) bool {
	return slices.ContainsFunc(s.models(), func(m Model) bool { return m.ID == model })
}

func (s *Server) noteEmbedding(model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embedded = append(s.embedded, model)
}

// embed is the vector of a text.
func (s *Server) embed(text string) []float32 {
	if s.script.Embed != nil {
		return s.script.Embed(text)
	}
	v := []float32{float32(len(text)), 0, 1}
	for _, b := range []byte(text) {
		v[1] += float32(b) / 256
	}
	return v
}

// talkFaults checks what all protocols have in common.
func talkFaults(r Request) []string {
	var faults []string
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if r.Model == "" {
		say("no model")
	}
	if len(r.Messages) == 0 {
		say("no messages")
	}
	open := map[string]bool{}
	for i, m := range r.Messages {
		for _, c := range m.Calls {
			open[c.ID] = true
			if m.Role != models.Assistant || c.Tool == "" || !json.Valid(c.Arguments) {
				say("message %d: a call %+v of the %s", i, c, m.Role)
			}
		}
		if m.Role == models.Tool && m.For != "" && !open[m.For] {
			say("message %d answers the call %q, which nobody made", i, m.For)
		}
	}
	if !(r.Temperature >= 0 && r.Temperature <= 2) {
		say("temperature %v", r.Temperature)
	}
	return faults
}
