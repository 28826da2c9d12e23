package rows

import (
	"context"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Execution is one call of a tool.
type Execution = gen.Execution

// AddExecution stores a call of a tool and gives it back with its ID. Arguments that give away what was forgotten are
// kept as {}.
func (o *Own) AddExecution(ctx context.Context, e Execution) (Execution, error) {
	e.UserID, e.Tool, e.Status, e.Arguments, e.Source = o.user, plain(e.Tool), plain(e.Status), plain(e.Arguments), o.discreet(plain(e.Source))
	if o.discreet(e.Arguments) != e.Arguments {
		e.Arguments = "{}"
	}
	err := o.change(ctx, "storing what a tool did", func(q *gen.Queries) (err error) {
		if e.ID, err = o.identify(ctx, q, 0); err == nil {
			e, err = q.AddExecution(ctx, gen.AddExecutionParams(e))
		}
		return err
	})
	return e, err
}

// Executions gives the last n calls of tools before the one of an ID, the newest first.
func (o *Own) Executions(ctx context.Context, n int32, before int64) ([]Execution, error) {
	list, err := o.db.read.ListExecutions(ctx, gen.ListExecutionsParams{UserID: o.user, ID: before, Limit: n})
	return list, fault("listing what tools did", err)
}
