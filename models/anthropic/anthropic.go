// Package anthropic talks to Anthropic's messages API.
//
// Answers come as a stream; the JSON schema of a request becomes the API's output format, tools are offered natively.
// What a model thinks before it answers is not text: it comes as a Delta with nothing in it. The system's words are
// marked for the provider's prompt cache. An Engine may be used by any number of goroutines.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// version is the version of the API that this package speaks.
const version = "2023-06-01"

// Config says whose account is asked, and for what.
type Config struct {
	Name      string        `toml:"-"` // of the engine, "" is "anthropic"
	BaseURL   string        `toml:"base_url" default:"https://api.anthropic.com" doc:"address of the API"`
	Key       config.Secret `toml:"key" doc:"key of your account"`
	Model     string        `toml:"model" doc:"model where a request names none; empty is the first that the API lists"`
	MaxTokens int           `toml:"max_tokens" default:"4096" min:"1" max:"1000000" doc:"bound of an answer where a request has none"`

	Client *http.Client   `toml:"-"` // nil is one that fits
	Log    zerolog.Logger `toml:"-"`
}

// Engine is the API under one key.
type Engine struct {
	cfg  Config
	peer *wire.Peer

	refused wire.Refused // what models do not take of a request

	mu    sync.Mutex
	first string // model that the API lists first, once asked for
}

// New builds an engine and asks nothing of the API yet. The error is an address that cannot be.
func New(c Config) (*Engine, error) {
	c.Name, c.BaseURL = cmp.Or(c.Name, "anthropic"), cmp.Or(c.BaseURL, "https://api.anthropic.com")
	c.MaxTokens = cmp.Or(c.MaxTokens, 4096)
	place := "yes"
	if onThisMachine(c.BaseURL) {
		place = "" // a proxy or a test; the guard of addresses sees to it that it is
	}
	headers := map[string]string{"anthropic-version": version}
	if key := c.Key.Reveal(); key != "" {
		headers["x-api-key"] = key
	}
	peer, err := wire.New(wire.Config{Name: c.Name, URL: strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1"), Key: c.Key, Headers: headers, Cloud: place, Client: c.Client})
	if err != nil {
		return nil, err
	}
	c.Log = c.Log.With().Str("engine", c.Name).Logger()
	return &Engine{cfg: c, peer: peer}, nil
}

func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Name is the engine's name as configured.
func (e *Engine) Name() string { return e.cfg.Name }

// Cloud is true but for an address on this machine.
func (e *Engine) Cloud(string) bool { return e.peer.Cloud() }

// Embed gives models.ErrUnable: the API has no embeddings.
func (e *Engine) Embed(_ context.Context, _ string, texts []string) ([][]float32, error) {
	return nil, fmt.Errorf("%s: %w: it has no embeddings, not for %d texts", e.cfg.Name, models.ErrUnable, len(texts))
}

// Models lists what the account may use, the newest first.
func (e *Engine) Models(ctx context.Context) ([]models.Info, error) {
	var list struct {
		Data []struct {
			ID      string `json:"id"`
			Context int    `json:"max_input_tokens"`
		} `json:"data"`
	}
	if err := e.peer.Get(ctx, "/v1/models?limit=1000", &list); err != nil {
		return nil, err
	}
	var infos []models.Info
	for _, m := range list.Data {
		infos = append(infos, models.Info{ID: m.ID, Engine: e.cfg.Name, Context: m.Context, Cloud: e.peer.Cloud()})
	}
	return infos, nil
}

// Stream asks for the next message of a talk. An error ends it and wraps one of models.Err*, or the cause of
// ctx's end. Breaking off closes the connection.
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
	names := wire.NewNames(r.Tools, r.Messages)
	body, whole, err := e.open(ctx, r, names)
	if err != nil {
		return err
	}
	defer body.Close()
	a := &answer{engine: e, names: names, model: r.Model, mute: r.MaxTokens < 0, blocks: map[int]*block{}, yield: yield}
	if whole {
		return a.whole(ctx, body)
	}
	return a.read(ctx, wire.NewEvents(body))
}

// open sends a request. What the model does not take, a temperature or a schema, is left out the second time, and
// from then on.
func (e *Engine) open(ctx context.Context, r models.Request, names *wire.Names) (io.ReadCloser, bool, error) {
	for {
		text, err := json.Marshal(e.body(r, names))
		if err != nil {
			return nil, false, fmt.Errorf("%s: write the request: %w", e.cfg.Name, err)
		}
		body, whole, err := e.peer.Open(ctx, "/v1/messages", text)
		if err == nil || !e.without(err, r) {
			return body, whole, err
		}
	}
}

// without notes what was refused of a request; false when the refusal was about something else, or came again.
func (e *Engine) without(err error, r models.Request) bool {
	var no *wire.Refusal
	if !errors.As(err, &no) || no.Status != http.StatusBadRequest || errors.Is(err, models.ErrTooLong) {
		return false
	}
	what := ""
	switch {
	case strings.Contains(no.Words, "temperature"):
		what = "temperature " + r.Model
	case len(r.Schema) > 0 && (strings.Contains(no.Words, "output_config") || strings.Contains(no.Words, "schema")):
		what = "schema " + r.Model + string(r.Schema)
	}
	if what == "" || !e.refused.Note(what) {
		return false
	}
	e.cfg.Log.Debug().Str("what", what).Msg("the model does not take this; it is left out from now on")
	return true
}

// model is the one to ask: the request's, the configured, or the first that the API lists.
func (e *Engine) model(ctx context.Context, asked string) (string, error) {
	e.mu.Lock()
	first := e.first
	e.mu.Unlock()
	if asked = cmp.Or(asked, e.cfg.Model, first); asked != "" {
		return asked, nil
	}
	list, err := e.Models(ctx)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%s: %w: the account has none", e.cfg.Name, models.ErrNoModel)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.first = list[0].ID
	return e.first, nil
}
