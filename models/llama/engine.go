package llama

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Stream asks the model for the next message of a talk, as openai.Engine does. A question that comes while the
// server starts waits for it; one whose server dies before the first word is asked again, once.
func (s *Server) Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		if s.embeds {
			yield(models.Delta{}, fmt.Errorf("%s: %w: its model is for embeddings", s.name, models.ErrUnable))
			return
		}
		for again := false; ; again = true {
			v, err := s.answering(ctx, r.Model)
			if err != nil {
				yield(models.Delta{}, err)
				return
			}
			began := false
			for d, e := range v.engine.Stream(ctx, r) {
				if err = e; err != nil {
					break
				}
				began = true
				if !yield(d, nil) {
					return
				}
			}
			if err == nil {
				return
			}
			died := v.died(ctx, err)
			if died == nil || began || again {
				yield(models.Delta{}, because(err, died))
				return
			}
		}
	}
}

// Embed gives a vector for each text, by the Embedder. Without one the error wraps models.ErrUnable.
func (s *Server) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if !s.embeds {
		if s.embedder == nil {
			return nil, fmt.Errorf("%s: %w: llama.embedding_model is not set", s.name, models.ErrUnable)
		}
		return s.embedder.Embed(ctx, model, texts)
	}
	for again := false; ; again = true {
		v, err := s.answering(ctx, model)
		if err != nil {
			return nil, err
		}
		vectors, err := v.engine.Embed(ctx, "", texts)
		if err == nil {
			return vectors, nil
		}
		if strings.Contains(err.Error(), "too large to process") { // llama-server calls it a fault of its own
			return nil, fmt.Errorf("%w: %s", models.ErrTooLong, err.Error())
		}
		if died := v.died(ctx, err); died == nil || again {
			return nil, because(err, died)
		}
	}
}

// Models lists the model that runs, then those that could be set up. It asks nothing of the server.
func (s *Server) Models(ctx context.Context) ([]models.Info, error) {
	var list []models.Info
	s.mu.Lock()
	v, trouble := s.now, s.trouble
	s.mu.Unlock()
	running := ""
	if v != nil {
		running = v.path
		list = append(list, models.Info{ID: v.id, Engine: s.name, Bytes: v.model.Bytes, Context: v.plan.Context, Loaded: true, GPU: s.onCards(ctx, v)})
	}
	found, odd := s.conf.installed()
	for _, e := range found {
		if e.path != running && e.Embeds == s.embeds {
			list = append(list, models.Info{ID: idOf(e.path), Engine: s.name, Bytes: e.Bytes, Context: e.Context})
		}
	}
	if list == nil {
		return nil, errors.Join(trouble, odd)
	}
	return list, nil
}

// Pid is the process id of the server that answers, 0 while there is none.
func (s *Server) Pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return 0
	}
	return s.now.pid()
}

// onCards is how much memory of the cards the server takes, 0 where the driver does not tell.
func (s *Server) onCards(ctx context.Context, v *life) (bytes int64) {
	cards, err := s.conf.Cards(ctx)
	if err != nil {
		return 0
	}
	for _, c := range cards {
		bytes += c.Processes[v.pid()]
	}
	return bytes
}

// answering waits for the server, in bounds. Trouble that waiting cannot mend is told at once.
func (s *Server) answering(ctx context.Context, model string) (*life, error) {
	limit := time.NewTimer(s.wait)
	defer limit.Stop()
	for {
		s.mu.Lock()
		v, trouble, changed := s.now, s.trouble, s.changed
		s.mu.Unlock()
		switch {
		case v != nil && model != "" && model != v.id:
			return nil, fmt.Errorf("%s: %w: it runs %s, not %s; llama.model chooses", s.name, models.ErrNoModel, v.id, model)
		case v != nil:
			return v, nil
		case lasting(trouble):
			return nil, fmt.Errorf("%s: %w", s.name, trouble)
		case trouble != nil && s.vain.Load() > hopeless:
			return nil, s.late(trouble)
		}
		select {
		case <-changed:
		case <-limit.C:
			return nil, s.late(trouble)
		case <-ctx.Done():
			return nil, s.ended(ctx)
		}
	}
}

// hopeless is after how many starts in vain nobody waits for the next one, which comes in 12 s or later.
const hopeless = 5

// lasting is trouble that another try in a few seconds meets again.
func lasting(err error) bool {
	for _, e := range []error{models.ErrAbsent, models.ErrNoModel, models.ErrTooLarge} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func (s *Server) late(trouble error) error {
	switch {
	case trouble == nil:
		return fmt.Errorf("%s: %w: the model is not loaded after %v", s.name, models.ErrUnreachable, s.wait)
	case errors.Is(trouble, models.ErrUnreachable):
		return fmt.Errorf("%s: %w", s.name, trouble)
	}
	return fmt.Errorf("%s: %w: %w", s.name, models.ErrUnreachable, trouble)
}

func (s *Server) ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w: %w", s.name, models.ErrLate, context.Cause(ctx))
	}
	return fmt.Errorf("%s: %w", s.name, context.Cause(ctx))
}

// died is how the server ended, nil when it lives on. A broken connection is noticed a moment before its end is.
func (v *life) died(ctx context.Context, err error) error {
	if !errors.Is(err, models.ErrBroken) && !errors.Is(err, models.ErrUnreachable) {
		return nil
	}
	select {
	case <-v.gone:
		return v.err
	case <-ctx.Done():
	case <-time.After(300 * time.Millisecond):
	}
	return nil
}

// because adds the server's last words to an error of a request, which alone says what kind it is.
func because(err, died error) error {
	if died == nil {
		return err
	}
	return fmt.Errorf("%w: %s", err, died.Error())
}
