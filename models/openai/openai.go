// Package openai talks to every server that answers OpenAI's chat completions: OpenAI itself, Groq, vLLM,
// LM Studio, LocalAI, llama-server.
//
// Answers come as a stream, with the JSON schema and the tools of the request. What a model thinks before it
// answers is not text: it comes as a Delta with nothing in it, so that the asker sees that the model is at work.
// An Engine may be used by any number of goroutines.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// Config says which server is asked.
type Config struct {
	Name      string        `toml:"-"` // of the engine, as in "openai:groq"; "" is "openai"
	BaseURL   string        `toml:"base_url" doc:"address of the server, such as http://127.0.0.1:8080/v1"`
	Key       config.Secret `toml:"key" doc:"key that the server wants"`
	Model     string        `toml:"model" doc:"model where a request names none; empty is the first that the server lists and that can talk"`
	Embedder  string        `toml:"embedder" doc:"model for embeddings where a request names none; empty is the same model"`
	Place     string        `toml:"place" default:"auto" allowed:"auto|home|cloud" doc:"whether the server is one of yours; auto tells by its address"`
	MaxTokens int           `toml:"max_tokens" default:"0" min:"0" max:"1000000" doc:"bound of an answer where a request has none; 0 is the server's own"`

	// Extra gives further fields of a chat request's JSON, such as llama-server's cache_prompt and id_slot.
	Extra  func(models.Request) map[string]any `toml:"-"`
	Client *http.Client                        `toml:"-"` // nil is one that fits
	Log    zerolog.Logger                      `toml:"-"`
}

// Engine is one server.
type Engine struct {
	cfg  Config
	peer *wire.Peer

	refused wire.Refused // fields of a request, and schemas

	mu    sync.Mutex
	first string // model that the server lists first, once asked for
}

// New builds an engine and asks nothing of the server yet. The error is an address or a setting that cannot be.
func New(c Config) (*Engine, error) {
	c.Name = cmp.Or(c.Name, "openai")
	headers := map[string]string{}
	if key := c.Key.Reveal(); key != "" {
		headers["Authorization"] = "Bearer " + key
	}
	places := map[string]string{"": "", "auto": "", "home": "no", "cloud": "yes"}
	cloud, known := places[c.Place]
	if !known {
		return nil, fmt.Errorf("%s: place is %q, not auto, home or cloud", c.Name, c.Place)
	}
	peer, err := wire.New(wire.Config{Name: c.Name, URL: withVersion(c.BaseURL), Key: c.Key, Headers: headers, Cloud: cloud, Client: c.Client})
	if err != nil {
		return nil, err
	}
	c.Log = c.Log.With().Str("engine", c.Name).Logger()
	return &Engine{cfg: c, peer: peer}, nil
}

// withVersion adds the usual "/v1" to an address without a path.
func withVersion(address string) string {
	if u, err := url.Parse(strings.TrimSpace(address)); err == nil && u.Host != "" && (u.Path == "" || u.Path == "/") {
		return u.JoinPath("v1").String()
	}
	return address
}

// Name is the engine's name as configured.
func (e *Engine) Name() string { return e.cfg.Name }

// Cloud is true when the server is not on the user's own machines; it is the same for all its models.
func (e *Engine) Cloud(string) bool { return e.peer.Cloud() }

// Stream asks for the next message of a talk. An error ends it and wraps one of models.Err*, or the cause of
// ctx's end. Breaking off closes the connection, at which the server stops.
func (e *Engine) Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		if err := e.stream(ctx, r, yield); err != nil {
			yield(models.Delta{}, err)
		}
	}
}

func (e *Engine) stream(ctx context.Context, r models.Request, yield func(models.Delta, error) bool) error {
	model, err := e.model(ctx, r.Model)
	if err != nil {
		return err
	}
	r.Model = model
	names := wire.NewNames(r.Tools, r.Messages)
	body, whole, err := e.open(ctx, r, names)
	if err != nil {
		e.forget(err)
		return err
	}
	defer body.Close()
	a := &answer{engine: e, names: names, model: model, mute: r.MaxTokens < 0, yield: yield}
	if whole {
		return a.whole(ctx, body)
	}
	return a.read(ctx, wire.NewEvents(body))
}

// model is the one to ask: the request's, the configured, or the first that the server lists.
func (e *Engine) model(ctx context.Context, asked string) (string, error) {
	if asked = cmp.Or(asked, e.cfg.Model); asked != "" {
		return asked, nil
	}
	e.mu.Lock()
	first := e.first
	e.mu.Unlock()
	if first != "" {
		return first, nil
	}
	list, err := e.Models(ctx)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%s: %w: the server lists none", e.cfg.Name, models.ErrNoModel)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.first = list[0].ID
	if i := slices.IndexFunc(list, func(m models.Info) bool { return !mute(m.ID) }); i >= 0 {
		e.first = list[i].ID
	}
	return e.first, nil
}

// forget lets the next request ask which model is there, when the one that was is not any more.
func (e *Engine) forget(err error) {
	if errors.Is(err, models.ErrNoModel) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.first = ""
	}
}

// mute is true for a model that by its name does something else than to talk.
func mute(id string) bool {
	id = strings.ToLower(id)
	return slices.ContainsFunc([]string{"embed", "rerank", "whisper", "tts", "moderation", "dall-e"}, func(s string) bool { return strings.Contains(id, s) })
}

// Models lists what the server can run, in its own order.
func (e *Engine) Models(ctx context.Context) ([]models.Info, error) {
	var list struct {
		Data []struct {
			ID      string `json:"id"`
			Context int    `json:"context_window"` // Groq
			Longest int    `json:"max_model_len"`  // vLLM
			Meta    struct {
				Context int   `json:"n_ctx"`
				Trained int   `json:"n_ctx_train"`
				Size    int64 `json:"size"`
			} `json:"meta"` // llama-server
		} `json:"data"`
	}
	if err := e.peer.Get(ctx, "/models", &list); err != nil {
		return nil, err
	}
	var infos []models.Info
	for _, m := range list.Data {
		infos = append(infos, models.Info{ID: m.ID, Engine: e.cfg.Name, Bytes: m.Meta.Size, Cloud: e.peer.Cloud(),
			Context: cmp.Or(m.Context, m.Longest, m.Meta.Context, m.Meta.Trained)})
	}
	return infos, nil
}

// Embed gives a vector for each text, in their order.
func (e *Engine) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	model, err := e.model(ctx, cmp.Or(model, e.cfg.Embedder))
	if err != nil {
		return nil, err
	}
	var got struct {
		Data []struct {
			Index     int             `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	ask := map[string]any{"model": model, "input": texts, "encoding_format": "float"}
	if err := e.peer.Post(ctx, "/embeddings", ask, &got); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= len(texts) || vectors[d.Index] != nil {
			return nil, e.peer.Nonsense("an embedding number %d of %d", d.Index, len(texts))
		}
		if err := json.Unmarshal(d.Embedding, &vectors[d.Index]); err != nil || len(vectors[d.Index]) == 0 {
			return nil, e.peer.Nonsense("embedding %d is no list of numbers", d.Index)
		}
	}
	if i := slices.IndexFunc(vectors, func(v []float32) bool { return v == nil }); i >= 0 {
		return nil, e.peer.Nonsense("no embedding for text %d of %d", i, len(texts))
	}
	return vectors, nil
}
