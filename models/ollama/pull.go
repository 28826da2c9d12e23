package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

// progress is one line of a download: of the whole, or of the layer that Digest names.
type progress struct {
	Status string `json:"status"`
	Digest string `json:"digest"`
	Total  int64  `json:"total"`
	Done   int64  `json:"completed"`
	Error  string `json:"error"`
}

// Pull has the server download a model and tells how far it is: bytes of all layers known so far, and the server's
// word for what it does. What was loaded stays: a later Pull goes on there, and Pull itself does when the connection
// breaks, as long as that brings it further. Ending ctx stops the download.
func (e *Engine) Pull(ctx context.Context, model string, told func(done, total int64, status string)) error {
	if e.cfg.LocalOnly && cloudName(model) {
		return fmt.Errorf("%s: %w: %s runs in a cloud", e.cfg.Name, models.ErrPrivate, model)
	}
	var best int64
	for {
		layers := map[string]progress{}
		err := e.pull(ctx, model, layers, told)
		done, _ := sum(layers)
		if !errors.Is(err, models.ErrBroken) || done <= best {
			return err
		}
		best = done
		e.cfg.Log.Info().Str("model", model).Int64("bytes", done).Msg("the download broke off and goes on")
	}
}

func (e *Engine) pull(ctx context.Context, model string, layers map[string]progress, told func(done, total int64, status string)) error {
	ask, err := json.Marshal(map[string]any{"model": model, "stream": true})
	if err != nil {
		return fmt.Errorf("%s: write the request: %w", e.cfg.Name, err)
	}
	body, _, err := e.peer.Open(ctx, "/api/pull", ask)
	if err != nil {
		return err
	}
	defer body.Close()
	lines := wire.NewLines(body)
	for {
		text, err := lines.Next()
		if len(text) == 0 && err == nil {
			continue
		}
		if err != nil && !(errors.Is(err, io.ErrUnexpectedEOF) && json.Valid(text)) {
			return e.peer.Broken(ctx, err)
		}
		p, err := e.step(text)
		if err != nil {
			return err
		}
		if p.Digest != "" && (len(layers) < 1000 || layers[p.Digest].Digest != "") {
			layers[p.Digest] = p
		}
		done, total := sum(layers)
		if told != nil {
			told(done, total, wire.Line(p.Status))
		}
		if p.Status == "success" {
			return nil
		}
	}
}

func (e *Engine) step(text []byte) (progress, error) {
	var p progress
	if err := json.Unmarshal(text, &p); err != nil {
		return p, e.peer.Nonsense("%v in %.60q", err, text)
	}
	if p.Error != "" {
		return p, e.peer.Refused(0, text)
	}
	p.Total = max(p.Total, 0)
	p.Done = min(max(p.Done, 0), p.Total)
	return p, nil
}

func sum(layers map[string]progress) (done, total int64) {
	for _, l := range layers {
		done, total = done+l.Done, total+l.Total
	}
	return done, total
}
