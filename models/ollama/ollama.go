// Package ollama talks to an Ollama server by its own API: on this machine, in WSL2, or on another one.
//
// A model of Ollama's cloud runs elsewhere though the server is at home. Its name says so ("-cloud"), or the server
// does when it is asked. Stream asks once for each model that nothing is known of; one that then turns out to run
// elsewhere is refused with models.ErrPrivate, because nobody can have agreed to it, and from then on Cloud says so.
//
// What a model thinks before it answers is not text: it comes as a Delta with nothing in it. An Engine may be used
// by any number of goroutines.
package ollama

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// Config says which server is asked, and how models are run there.
type Config struct {
	Name      string        `toml:"-"` // of the engine, "" is "ollama"
	Host      string        `toml:"host" doc:"where Ollama is, as in OLLAMA_HOST; empty is this machine"`
	Key       config.Secret `toml:"key" doc:"key, where a proxy before Ollama wants one"`
	Model     string        `toml:"model" doc:"model where a request names none; empty is one that is loaded, or the first"`
	Embedder  string        `toml:"embedder" doc:"model for embeddings where a request names none; empty is one that is made for it, else the model"`
	KeepAlive time.Duration `toml:"keep_alive" default:"30m" min:"-1s" max:"168h" doc:"how long a model stays loaded; 0s is Ollama's own, -1s is for ever"`
	Context   int           `toml:"context" default:"8192" min:"0" max:"1048576" doc:"tokens that a talk may have; 0 is Ollama's own"`
	Threads   int           `toml:"threads" default:"0" min:"0" max:"512" doc:"processor cores to use; 0 is Ollama's own"`
	Place     string        `toml:"place" default:"auto" allowed:"auto|home|cloud" doc:"whether the server is one of yours; auto tells by its address"`
	Think     bool          `toml:"think" default:"false" doc:"let models think before they answer, which takes time"`
	LocalOnly bool          `toml:"local_only" default:"false" doc:"refuse models and servers that run in a cloud"`

	Client *http.Client   `toml:"-"` // nil is one that fits
	Log    zerolog.Logger `toml:"-"`
}

// Engine is one server.
type Engine struct {
	cfg  Config
	peer *wire.Peer
	book book // what is known of its models
}

// New builds an engine and asks nothing of the server yet. The error is an address that cannot be, or with
// LocalOnly one that is a stranger's.
func New(c Config) (*Engine, error) {
	c.Name = cmp.Or(c.Name, "ollama")
	address, err := Address(c.Host)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	places := map[string]string{"": "", "auto": "", "home": "no", "cloud": "yes"}
	cloud, fine := places[c.Place]
	if !fine {
		return nil, fmt.Errorf("%s: place is %q, not auto, home or cloud", c.Name, c.Place)
	}
	headers := map[string]string{}
	if key := c.Key.Reveal(); key != "" {
		headers["Authorization"] = "Bearer " + key
	}
	peer, err := wire.New(wire.Config{Name: c.Name, URL: address, Key: c.Key, Headers: headers, Cloud: cloud, Client: c.Client})
	if err != nil {
		return nil, err
	}
	if c.LocalOnly && peer.Cloud() {
		return nil, fmt.Errorf("%s: %w: %s is none of your machines, and local_only is set", c.Name, models.ErrPrivate, peer.Host())
	}
	c.Log = c.Log.With().Str("engine", c.Name).Logger()
	return &Engine{cfg: c, peer: peer, book: book{places: map[string]page{}}}, nil
}

// Name is the engine's name as configured.
func (e *Engine) Name() string { return e.cfg.Name }

// Cloud is true when a request for that model leaves the user's machines, as far as is known; "" is the default.
func (e *Engine) Cloud(model string) bool {
	model = cmp.Or(model, e.cfg.Model, e.book.first())
	return e.peer.Cloud() || cloudName(model) || e.book.find(model).remote
}

// Found asks whether Ollama answers, and tells its version. The error wraps models.ErrUnreachable when it does not.
func (e *Engine) Found(ctx context.Context) (version string, err error) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	var got struct {
		Version string `json:"version"`
	}
	if err := e.peer.Get(ctx, "/api/version", &got); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: %w within 2 seconds", e.cfg.Name, models.ErrUnreachable)
		}
		return "", err
	}
	if got.Version == "" {
		return "", e.peer.Nonsense("a server that is no Ollama")
	}
	return wire.Line(got.Version), nil
}

// Stream asks for the next message of a talk. An error ends it and wraps one of models.Err*, or the cause of
// ctx's end. Breaking off closes the connection, at which the server stops.
func (e *Engine) Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		if err := e.stream(ctx, r, yield); err != nil {
			yield(models.Delta{}, err)
		}
	}
}

func (e *Engine) stream(ctx context.Context, r models.Request, yield func(models.Delta, error) bool) (err error) {
	if r.Model, err = e.model(ctx, r.Model); err != nil {
		return err
	}
	defer func() { e.book.forget(err, r.Model) }()
	if err := e.allowed(ctx, r.Model); err != nil {
		return err
	}
	names := wire.NewNames(r.Tools, r.Messages)
	text, err := json.Marshal(e.body(r, names))
	if err != nil {
		return fmt.Errorf("%s: write the request: %w", e.cfg.Name, err)
	}
	body, _, err := e.peer.Open(ctx, "/api/chat", text)
	if err != nil {
		return err
	}
	defer body.Close()
	a := &answer{engine: e, names: names, model: r.Model, mute: r.MaxTokens < 0, yield: yield}
	return a.read(ctx, wire.NewLines(body))
}

// Embed gives a vector for each text, in their order.
func (e *Engine) Embed(ctx context.Context, model string, texts []string) (vectors [][]float32, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if model, err = e.embedder(ctx, model); err != nil {
		return nil, err
	}
	defer func() { e.book.forget(err, model) }()
	if err := e.allowed(ctx, model); err != nil {
		return nil, err
	}
	var got struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	ask := map[string]any{"model": model, "input": texts}
	e.keep(ask)
	if err := e.peer.Post(ctx, "/api/embed", ask, &got); err != nil {
		return nil, err
	}
	if len(got.Embeddings) != len(texts) {
		return nil, e.peer.Nonsense("%d embeddings of %d texts", len(got.Embeddings), len(texts))
	}
	for i, v := range got.Embeddings {
		if len(v) == 0 {
			return nil, e.peer.Nonsense("embedding %d is empty", i)
		}
	}
	return got.Embeddings, nil
}
