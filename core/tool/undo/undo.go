// Package undo takes back the last action.
package undo

import (
	"context"
	_ "embed"
	"errors"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed undo.md
var page string

// Undoer takes back the last action and says so; *tool.Box is one.
type Undoer interface {
	Undo(ctx context.Context) (models.Result, error)
}

// Tools makes undo.last.
func Tools(u Undoer) []tool.Tool {
	last := func(ctx context.Context, _ struct{}) (models.Result, error) {
		r, err := u.Undo(ctx)
		if errors.Is(err, tool.ErrNothing) {
			return r, nil // there being nothing to undo is an answer, not a failure
		}
		return r, err
	}
	return []tool.Tool{tool.Of("undo.last", tool.About(page, "undo.last"), models.Write, last)}
}
