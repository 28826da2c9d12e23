// Package llama runs a language model of the user's own machine in a supervised llama-server.
//
// The server is a child program (llama.cpp's), which Solo finds, starts, watches and starts again. It listens on a
// free port of this machine alone, for one key that nobody else knows and that changes with every start. How much of
// the model goes to the graphics cards is worked out from the model's file and the memory that is free.
//
// A Server is both a service, by Serve, and an engine, by Stream, Embed and Models, which any goroutine may call at
// any time. What is asked while the server starts waits for it, up to 10 s.
package llama

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

// Server is one llama-server with one model.
type Server struct {
	conf     Config
	name     string
	embeds   bool
	embedder *Server
	wait     time.Duration // how long a question waits for the server
	builds   *builds
	shy      atomic.Int64 // bytes of each card that turned out not to be free
	vain     atomic.Int64 // starts in a row that did not come to an answer

	mu      sync.Mutex
	now     *life         // the server that answers, nil while there is none
	trouble error         // why there is none, nil before the first try
	changed chan struct{} // closed at the next change of the two
}

// New builds a server and starts nothing. The error is a setting that cannot be.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.Cards == nil {
		c.Cards = gpu.New(gpu.Config{}).Cards
	}
	c.headers = &headers{known: map[string]gguf.Model{}}
	s := newServer(c, "llama")
	if c.EmbeddingModel != "" {
		e := c
		e.Settings = Settings{Server: c.Server, Model: c.EmbeddingModel, Threads: c.Threads, GPULayers: "0", StartLimit: c.StartLimit, SleepIdle: c.SleepIdle}
		e.Prefix = nil
		s.embedder = newServer(e.withDefaults(), "llama-embed")
		s.embedder.embeds, s.embedder.builds = true, s.builds
	}
	return s, nil
}

func newServer(c Config, name string) *Server {
	c.Log = c.Log.With().Str("engine", name).Logger()
	return &Server{conf: c, name: name, wait: 10 * time.Second, builds: &builds{}, changed: make(chan struct{})}
}

// Embedder is the server of the embedding model, to be served beside this one; nil where none is set up.
func (s *Server) Embedder() *Server { return s.embedder }

// String names the service.
func (s *Server) String() string { return s.name }

// Name names the engine: "llama", or "llama-embed" for an Embedder.
func (s *Server) Name() string { return s.name }

// Cloud is false: nothing that is asked leaves this machine.
func (s *Server) Cloud(string) bool { return false }

// Keep is the service with the patience that suits it: nothing waits for a model to load, and one that dies is
// started again within half a second, however often it does.
func (s *Server) Keep() supervise.Keep {
	return supervise.Keep{Service: s, Patience: time.Millisecond, Pause: 50 * time.Millisecond, Longest: 400 * time.Millisecond, Steady: 2 * time.Second, Grace: 5 * time.Second}
}

// Serve runs one llama-server until ctx ends (nil) or it ends (an error with its last words). It calls
// supervise.Ready when the model answers and has read the prefix, or WarmLimit is over. After a start in vain the
// next one waits, at last for 30 s: to load a large model costs much, and a missing one does not come by asking.
func (s *Server) Serve(ctx context.Context) error {
	if !s.rest(ctx) {
		return nil
	}
	s.vain.Add(1) // taken back by the first answer
	l, err := s.prepare(ctx)
	if err == nil {
		err = l.door()
	}
	if err == nil {
		s.mended()
		return s.live(ctx, l)
	}
	s.set(nil, err)
	return err
}

// rest waits before a start that follows one in vain; false when ctx ended. Who restarts the service by hand
// has mended something: that start is made at once.
func (s *Server) rest(ctx context.Context) bool {
	n := s.vain.Load()
	if n == 0 {
		return true
	}
	select {
	case <-time.After(min(30*time.Second, 200*time.Millisecond<<min(n, 10))):
		return true
	case <-ctx.Done():
		s.vain.Store(0)
		return false
	}
}

// mended forgets trouble that is over when a start begins: a question now waits for it.
func (s *Server) mended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lasting(s.trouble) {
		s.trouble = nil
	}
}

// set tells those who wait that there is a server, or why there is none.
func (s *Server) set(l *life, trouble error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = l
	s.trouble = cmp.Or(trouble, s.trouble)
	if l != nil {
		s.trouble = nil
	}
	close(s.changed)
	s.changed = make(chan struct{})
}
