package store

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Execution is one call of a tool.
type Execution struct {
	ID int64
	At time.Time // when it ended
	event.Acted
}

// Executions is the history of what tools did.
type Executions struct{ own *rows.Own }

// Executions lends the rows to the history of what tools did.
func (s *Store) Executions() Executions { return Executions{s.own} }

// Keep stores a call and gives it back with its ID. Arguments of more than 64 KiB are kept as {}.
func (r Executions) Keep(ctx context.Context, e Execution) (Execution, error) {
	arguments := string(e.Arguments)
	if len(arguments) > maxSaid || !json.Valid(e.Arguments) {
		arguments = "{}"
	}
	row, err := r.own.AddExecution(ctx, rows.Execution{At: rows.Millis(e.At), Tool: e.Tool, Arguments: arguments, Status: e.Status,
		Source: cut(e.Source), TookUs: e.Took.Microseconds()})
	return execution(row), err
}

// Last gives the last n calls, the newest first.
func (r Executions) Last(ctx context.Context, n int) ([]Execution, error) {
	list, err := r.own.Executions(ctx, int32(min(max(n, 0), 10000)), math.MaxInt64)
	var out []Execution
	for _, row := range list {
		out = append(out, execution(row))
	}
	return out, err
}

func execution(row rows.Execution) Execution {
	return Execution{ID: row.ID, At: rows.Time(row.At), Acted: event.Acted{Tool: row.Tool, Arguments: json.RawMessage(row.Arguments), Status: row.Status,
		Source: row.Source, Took: us(row.TookUs)}}
}
