// Package wake corrects the wake word by what the user says of it.
package wake

import (
	"context"
	_ "embed"
	"errors"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed wake.md
var page string

// Learner learns wake words again.
type Learner interface {
	// False takes the last wake for a wrong one and begins to learn from it. Errors: ErrNone, ErrNotOwn.
	False(ctx context.Context) (Wrong, error)
	// Right takes that back. Errors: ErrNone.
	Right(ctx context.Context, w Wrong) error
}

// Wrong is a wake that was none.
type Wrong struct {
	Word string `json:"word" jsonschema:"the wake word" limits:"1..100"`
	Mark string `json:"mark" jsonschema:"which of its false wakes" limits:"1..100"`
}

// Errors of a Learner.
var (
	ErrNone   = errors.New("no wake is known that could have been false")
	ErrNotOwn = errors.New("the wake word is not one that was trained here")
)

type wake struct{ Learner }

// Tools makes wake.false, which undoes with wake.right.
func Tools(l Learner) []tool.Tool {
	w := wake{l}
	return []tool.Tool{
		tool.Of("wake.false", tool.About(page, "wake.false"), models.Write, w.wrong),
		tool.Internal(tool.Of("wake.right", tool.About(page, "wake.right"), models.Write, w.right)),
	}
}

type none struct{}

func (w wake) wrong(ctx context.Context, _ none) (models.Result, error) {
	wrong, err := w.False(ctx)
	switch {
	case errors.Is(err, ErrNone):
		return tool.Said("I know of no wake in the last minutes that could have been false."), nil
	case errors.Is(err, ErrNotOwn):
		return tool.Said("I can learn that only for a wake word of your own; solo wake train makes one."), nil
	case err != nil:
		return models.Result{}, err
	}
	r := tool.Said("Sorry. I'm learning that this wasn't %s.", wrong.Word)
	r.Undo = tool.CallOf("wake.right", wrong)
	return tool.With(r, wrong), nil
}

func (w wake) right(ctx context.Context, a Wrong) (models.Result, error) {
	switch err := w.Right(ctx, a); {
	case errors.Is(err, ErrNone):
		return tool.Said("I no longer know of that."), nil
	case err != nil:
		return models.Result{}, err
	}
	return tool.Said("So it was %s. I'm learning it again.", a.Word), nil
}
