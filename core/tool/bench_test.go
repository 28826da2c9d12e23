package tool_test

import (
	"context"
	"testing"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// BenchmarkCall is what the box itself costs: schema, policy, time limit, log and bus around a tool that does nothing.
func BenchmarkCall(b *testing.B) {
	all := &bus.Bus{}
	sub := bus.Subscribe[event.Acted](all, "bench", 1, bus.DropOldest)
	defer sub.Close()
	box := tool.New(tool.Config{Bus: all})
	nothing := func(context.Context, order) (models.Result, error) { return models.Result{Say: "Coming."}, nil }
	if err := box.Add(tool.Of("x.order", "", models.Write, nothing)); err != nil {
		b.Fatal(err)
	}
	c := models.Call{Tool: "x.order", Arguments: []byte(`{"what":"tea","many":2,"wait":"PT5M"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := box.Call(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}
