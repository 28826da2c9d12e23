// Package speech repeats the last answer, and stops speech and ringing.
package speech

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed speech.md
var page string

// Speaker knows what was said, and can fall silent.
type Speaker interface {
	Last() string // the last answer, whole; "" for none
	Hush()        // silence at once
}

// Bell is what rings; *schedule.Book is one.
type Bell interface {
	Ringing() []schedule.Promise
	Stop(ctx context.Context) ([]schedule.Promise, error)
	Restore(ctx context.Context, p schedule.Promise) error
}

// Config is what the speech tools stand on.
type Config struct {
	Speaker Speaker
	Bell    Bell // nil where nothing rings
}

type speech struct{ Config }

// Tools makes speech.repeat and speech.stop. A stop says nothing: its Say is "".
func Tools(c Config) []tool.Tool {
	s := speech{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("speech.repeat", about("speech.repeat"), models.Read, s.repeat),
		tool.Of("speech.stop", about("speech.stop"), models.Write, s.stop),
		tool.Internal(tool.Of("speech.ring", about("speech.ring"), models.Write, s.ring)),
	}
}

type none struct{}

func (s speech) repeat(context.Context, none) (models.Result, error) {
	if last := s.Speaker.Last(); last != "" {
		return models.Result{Say: last}, nil
	}
	return tool.Said("I haven't said anything yet."), nil
}

func (s speech) stop(ctx context.Context, _ none) (models.Result, error) {
	s.Speaker.Hush()
	if s.Bell == nil || len(s.Bell.Ringing()) == 0 {
		return models.Result{}, nil
	}
	rang, err := s.Bell.Stop(ctx)
	if err != nil {
		return models.Result{}, fmt.Errorf("stopping what rings: %w", err)
	}
	return models.Result{Undo: tool.CallOf("speech.ring", ringArgs{rang})}, nil
}

type ringArgs struct {
	Promises []schedule.Promise `json:"promises"`
}

func (s speech) ring(ctx context.Context, a ringArgs) (models.Result, error) {
	for _, p := range a.Promises {
		if err := s.Bell.Restore(ctx, p); err != nil {
			return models.Result{}, err
		}
	}
	return tool.Said("Okay, it rings again."), nil
}
