package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// paced is a server of OpenAI's chat completions that gives one answer at a steady pace, and knows when it said what.
type paced struct {
	tokens []string // of every answer
	rate   float64  // tokens a second; 0 is as fast as they are read
	url    string   // with the /v1
	server *http.Server
	done   chan struct{}

	mu   sync.Mutex
	said []*saying
}

// saying is one answer of the server. Times are zero for what did not happen.
type saying struct {
	asked  time.Time   // the request was there
	sent   []time.Time // of each token
	whole  time.Time   // all was sent
	closed time.Time   // the asker broke off before that
}

// newPaced serves an answer that is one reply of these words. They need no escapes in JSON.
func newPaced(words string, rate float64) (*paced, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve a paced model: %w", err)
	}
	p := &paced{tokens: inTokens(`{"type":"reply","text":"` + words + `"}`), rate: rate, url: "http://" + listener.Addr().String() + "/v1", done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"paced","object":"model"}]}`)) // whoever left need not know
	})
	mux.HandleFunc("POST /v1/chat/completions", p.complete)
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(p.done)
		_ = p.server.Serve(listener) // ends by close
	}()
	return p, nil
}

func (p *paced) close() {
	_ = p.server.Close()
	<-p.done
}

// settings make solo ask this server and no other.
func (p *paced) settings() []string {
	return []string{"server.base_url=" + p.url, "server.place=home", "llama.use=off", "ollama.use=off"}
}

// sets makes arguments of settings.
func sets(settings []string) (args []string) {
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	return args
}

// sayings are the answers that were begun so far, those of the past being complete.
func (p *paced) sayings() []saying {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []saying
	for _, s := range p.said {
		all = append(all, *s)
	}
	return all
}

// tokenLength is about what a token of English holds, in bytes.
const tokenLength = 4

// inTokens cuts text into pieces as a model writes them.
func inTokens(text string) (all []string) {
	for len(text) > tokenLength {
		all, text = append(all, text[:tokenLength]), text[tokenLength:]
	}
	return append(all, text)
}

// wish is what of a request matters here.
type wish struct {
	Limit  *int            `json:"max_tokens"`
	Format json.RawMessage `json:"response_format"`
}

// complete answers one request: with the answer where JSON is wanted, in a word where a text is, and with nothing where
// only the prompt is to be read.
func (p *paced) complete(w http.ResponseWriter, r *http.Request) {
	asked := time.Now()
	var ask wish
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		http.Error(w, `{"error":{"message":"no JSON"}}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &sse{w: w, control: http.NewResponseController(w)}
	switch {
	case ask.Limit != nil && *ask.Limit < 2:
		out.end(0)
	case len(ask.Format) == 0:
		out.piece("They talked.")
		out.end(3)
	default:
		p.answer(r.Context(), out, asked)
	}
}

// answer sends the tokens, each when its time has come: the first one token's time after the request.
func (p *paced) answer(ctx context.Context, out *sse, asked time.Time) {
	s := &saying{asked: asked}
	p.mu.Lock()
	p.said = append(p.said, s)
	p.mu.Unlock()
	for i, token := range p.tokens {
		if err := p.await(ctx, asked, i+1); err == nil {
			out.piece(token)
		}
		if ctx.Err() != nil || out.err != nil {
			p.note(func() { s.closed = time.Now() })
			return
		}
		p.note(func() { s.sent = append(s.sent, time.Now()) })
	}
	p.note(func() { s.whole = time.Now() })
	out.end(len(p.tokens))
}

func (p *paced) note(what func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	what()
}

// await waits for the time of token number n.
func (p *paced) await(ctx context.Context, asked time.Time, n int) error {
	if p.rate == 0 {
		return ctx.Err()
	}
	due := asked.Add(time.Duration(float64(n) / p.rate * float64(time.Second)))
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sse writes the events of an answer.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
	err     error // the asker is gone
}

const chunkHead = `data: {"id":"paced","object":"chat.completion.chunk","created":1,"model":"paced","choices":[`

func (s *sse) piece(text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		s.err = errors.Join(s.err, err)
		return
	}
	s.write(chunkHead + `{"index":0,"delta":{"content":` + string(quoted) + `},"finish_reason":null}]}` + "\n\n")
}

// end closes an answer of n tokens.
func (s *sse) end(n int) {
	s.write(chunkHead + `{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
		chunkHead + fmt.Sprintf(`],"usage":{"prompt_tokens":100,"completion_tokens":%d,"total_tokens":%d}}`, n, n+100) + "\n\ndata: [DONE]\n\n")
}

func (s *sse) write(text string) {
	if _, err := s.w.Write([]byte(text)); err != nil {
		s.err = err
	}
	if err := s.control.Flush(); err != nil {
		s.err = err
	}
}

// tokenAt is the number of the token that holds the last byte of part in the answer, -1 where it is not there.
func (p *paced) tokenAt(part string) int {
	at := strings.Index(strings.Join(p.tokens, ""), part)
	if at < 0 || part == "" {
		return -1
	}
	return (at + len(part) - 1) / tokenLength
}
