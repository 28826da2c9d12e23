package bus

import (
	"context"
	"sync/atomic"
)

type metaKey struct{}

var turns atomic.Uint64 // of the process, so that no two buses share a turn

// With returns a ctx under which published events name m as their cause and share its turn.
func With(ctx context.Context, m *Meta) context.Context {
	return context.WithValue(ctx, metaKey{}, m)
}

// MetaOf returns what ctx was given by With or NewTurn; the zero Meta where neither was used.
func MetaOf(ctx context.Context) Meta {
	if m, ok := ctx.Value(metaKey{}).(*Meta); ok {
		return *m
	}
	return Meta{}
}

// NewTurn opens a conversation turn: events published under the ctx it returns carry its number,
// which is 1 for the first turn of the process. The cause that ctx carried stays.
func NewTurn(ctx context.Context) (context.Context, uint64) {
	id := turns.Add(1)
	return With(ctx, &Meta{Seq: MetaOf(ctx).Seq, Turn: id}), id
}
