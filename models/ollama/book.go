package ollama

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/models"
)

// book is what the engine knows of its server's models.
type book struct {
	mu     sync.Mutex
	chosen string // the model for requests that name none
	places map[string]page
}

// page is about one model.
type page struct {
	known   bool
	digest  string
	remote  bool // it runs elsewhere
	embeds  bool // it gives embeddings and does not talk
	context int  // tokens that it was made for
}

// named is a model's name with the tag that Ollama adds.
func named(model string) string {
	if !strings.Contains(model[strings.LastIndex(model, "/")+1:], ":") {
		return model + ":latest"
	}
	return model
}

// cloudName is true for the names that Ollama gives to models of its cloud: "qwen3-coder:480b-cloud", "x:cloud".
func cloudName(model string) bool {
	model = strings.ToLower(model)
	return strings.HasSuffix(model, "-cloud") || strings.HasSuffix(model, ":cloud") || strings.HasSuffix(model, "-cloud:latest")
}

func (b *book) find(model string) page {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.places[named(model)]
}

func (b *book) note(model string, p page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.known = true
	b.places[named(model)] = p
}

func (b *book) first() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.chosen
}

// embedder is a model of this machine that is made for embeddings, "" where none is known.
func (b *book) embedder() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	best := ""
	for name, p := range b.places {
		if p.embeds && !p.remote && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

// forget drops what is known of a model that the server turned out not to have.
func (b *book) forget(err error, model string) {
	if !errors.Is(err, models.ErrNoModel) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.places, named(model))
	if b.chosen == model {
		b.chosen = ""
	}
}

func (b *book) choose(model string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chosen = model
}

// model is the one to ask: the request's, the configured, one that is loaded, or the first that runs here.
func (e *Engine) model(ctx context.Context, asked string) (string, error) {
	if asked = cmp.Or(asked, e.cfg.Model, e.book.first()); asked != "" {
		return asked, nil
	}
	list, err := e.Models(ctx)
	if err != nil {
		return "", err
	}
	for _, m := range list {
		if m.Cloud && !e.peer.Cloud() || e.book.find(m.ID).embeds {
			continue
		}
		if asked = cmp.Or(asked, m.ID); m.Loaded {
			asked = m.ID
			break
		}
	}
	if asked == "" {
		return "", fmt.Errorf("%s: %w: Ollama has none yet; pull one first", e.cfg.Name, models.ErrNoModel)
	}
	e.book.choose(asked)
	return asked, nil
}

// embedder is the model for embeddings: the request's, the configured, one that is made for it, or the model.
func (e *Engine) embedder(ctx context.Context, asked string) (string, error) {
	if asked = cmp.Or(asked, e.cfg.Embedder); asked != "" {
		return asked, nil
	}
	if made := e.book.embedder(); made != "" {
		return made, nil
	}
	list, err := e.Models(ctx) // fills the book
	if err != nil {
		return "", err
	}
	for _, m := range list {
		if e.book.find(m.ID).embeds && !m.Cloud {
			return m.ID, nil
		}
	}
	return e.model(ctx, "")
}

// allowed asks the server where a model runs, the first time, and refuses what nobody can have agreed to.
func (e *Engine) allowed(ctx context.Context, model string) error {
	before := e.Cloud(model)
	if !before && !e.book.find(model).known {
		if _, err := e.show(ctx, model, ""); err != nil {
			return err
		}
	}
	if now := e.Cloud(model); now && (e.cfg.LocalOnly || !before) {
		return fmt.Errorf("%s: %w: %s runs in a cloud", e.cfg.Name, models.ErrPrivate, model)
	}
	return nil
}
