package router

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// Embed gives a vector for each text. model is "engine", "engine/model" or a model of the engine that the settings name
// for it, "" for their choice. No other engine is tried: vectors of different models do not compare.
func (r *Router) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	begun := r.c.Now()
	asked := Asked{Work: embedding}
	vectors, err := r.embed(ctx, &asked, model, texts)
	asked.Took = r.c.Now().Sub(begun)
	asked.Err = nameOf(ctx, err, false)
	r.asked(ctx, asked)
	return vectors, err
}

func (r *Router) embed(ctx context.Context, asked *Asked, model string, texts []string) ([][]float32, error) {
	chain := r.chain(models.Request{Work: embedding, Model: model})
	if len(chain) == 0 {
		return nil, fmt.Errorf("no engine is set up: %w", models.ErrAbsent)
	}
	if len(texts) == 0 {
		return nil, nil
	}
	to := chain[0]
	asked.Usage = models.Usage{Engine: to.Name(), Model: to.model}
	m := make([]models.Message, len(texts))
	for i, text := range texts {
		m[i] = models.Message{Role: models.User, Text: text}
		asked.Usage.Prompt += (len(text) + 3) / 4
	}
	if err := r.guard(ctx, to, embedding, m); err != nil {
		return nil, err
	}
	if !to.cloud() {
		since := r.c.Now()
		leave, err := to.queue.enter(ctx, rankOf(models.Request{}), nil)
		asked.Waited = r.c.Now().Sub(since)
		if err != nil {
			return nil, fmt.Errorf("waiting for %s: %w", to, err)
		}
		defer leave()
	}
	late := fmt.Errorf("%w: no vectors within %v", models.ErrLate, r.c.FirstToken)
	limited, cancel := context.WithTimeoutCause(ctx, r.c.FirstToken, late)
	defer cancel()
	vectors, err := to.Embed(limited, to.model, texts)
	switch {
	case err != nil && limited.Err() != nil:
		return nil, fmt.Errorf("embedding with %s: %w", to, context.Cause(limited))
	case err != nil:
		return nil, fmt.Errorf("embedding with %s: %w", to, err)
	case len(vectors) != len(texts):
		return nil, fmt.Errorf("embedding with %s: %d vectors for %d texts: %w", to, len(vectors), len(texts), models.ErrNonsense)
	}
	return vectors, nil
}
