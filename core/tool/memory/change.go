package memory

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

type dropArgs struct {
	IDs   []int64 `json:"ids"`
	About string  `json:"about,omitempty"` // what was said of it goes as well
}

func (f facts) drop(ctx context.Context, a dropArgs) (models.Result, error) {
	e, err := f.Memory.EraseAbout(ctx, a.About, a.IDs...)
	if err != nil {
		return models.Result{}, err
	}
	gone := e.Items
	r := models.Result{Say: fmt.Sprintf("Okay, I forgot %d things.", len(a.IDs)), Undo: tool.CallOf("memory.restore", restoreArgs{gone, len(a.IDs)})}
	if len(a.IDs) == 1 && len(gone) > 0 {
		r.Say = fmt.Sprintf("Okay, I forgot %s.", clause(gone[0].Text))
	}
	return r, nil
}

type restoreArgs struct {
	Facts []memory.Item `json:"facts"`
	Count int           `json:"count"` // without older values and lines of talks
}

type withdrawArgs struct {
	ID int64 `json:"id"`
}

// withdraw takes a new value back: the one before holds again.
func (f facts) withdraw(ctx context.Context, a withdrawArgs) (models.Result, error) {
	if _, err := f.Memory.Withdraw(ctx, a.ID); err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, I go by what you told me before."), nil
}

func (f facts) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	if err := f.Memory.Restore(ctx, a.Facts...); err != nil {
		return models.Result{}, err
	}
	if a.Count <= 1 && len(a.Facts) > 0 {
		return tool.Said("Okay, I remember again %s.", clause(a.Facts[0].Text)), nil
	}
	return tool.Said("Okay, I remember %d things again.", a.Count), nil
}

func ids(all []memory.Item) []int64 {
	var out []int64
	for _, k := range all {
		out = append(out, k.ID)
	}
	return out
}

func ask(question string, a models.Ask) models.Result { return models.Result{Say: question, Ask: &a} }
