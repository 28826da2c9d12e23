package memory

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

type dropArgs struct {
	IDs []int64 `json:"ids"`
}

func (f facts) drop(ctx context.Context, a dropArgs) (models.Result, error) {
	gone, err := f.Memory.Forget(ctx, a.IDs...)
	if err != nil {
		return models.Result{}, err
	}
	r := models.Result{Say: fmt.Sprintf("Okay, I forgot %d things.", len(gone)), Undo: tool.CallOf("memory.restore", restoreArgs{gone})}
	if len(gone) == 1 {
		r.Say = fmt.Sprintf("Okay, I forgot %s.", clause(gone[0].Text))
	}
	return r, nil
}

type restoreArgs struct {
	Facts []memory.Item `json:"facts"`
}

func (f facts) restore(ctx context.Context, a restoreArgs) (models.Result, error) {
	if err := f.Memory.Restore(ctx, a.Facts...); err != nil {
		return models.Result{}, err
	}
	if len(a.Facts) == 1 {
		return tool.Said("Okay, I remember again %s.", clause(a.Facts[0].Text)), nil
	}
	return tool.Said("Okay, I remember %d things again.", len(a.Facts)), nil
}

func ids(all []memory.Item) []int64 {
	var out []int64
	for _, k := range all {
		out = append(out, k.ID)
	}
	return out
}

func ask(question string, a models.Ask) models.Result { return models.Result{Say: question, Ask: &a} }
