package store_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// What tools did is kept for each user alone, the newest first, and goes when what it quotes is forgotten.
func TestExecutions(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db, ctx := rowstest.Open(t, c), t.Context()
		anna, ben := lend(t, db, "anna"), lend(t, db, "ben")
		at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		for i, arguments := range []string{`{"text":"the safe opens with 4711"}`, `{}`, `not JSON`, `{"x":"` + strings.Repeat("long", 20000) + `"}`} {
			must[store.Execution](t)(anna.Executions().Keep(ctx, store.Execution{At: at.Add(time.Duration(i) * time.Second),
				Acted: event.Acted{Tool: "memory.remember", Arguments: json.RawMessage(arguments), Status: "ok", Took: 1500 * time.Microsecond}}))
		}
		must[store.Execution](t)(ben.Executions().Keep(ctx, store.Execution{At: at, Acted: event.Acted{Tool: "clock.time", Status: "ok"}}))

		list := must[[]store.Execution](t)(anna.Executions().Last(ctx, 10))
		if len(list) != 4 || !list[3].At.Equal(at) || string(list[3].Arguments) != `{"text":"the safe opens with 4711"}` || list[3].Took != 1500*time.Microsecond {
			t.Fatalf("kept %+v", list)
		}
		for _, e := range list[:3] {
			if string(e.Arguments) != "{}" {
				t.Errorf("arguments of no use were kept: %.40s", e.Arguments)
			}
		}
		user := must[rows.UserID](t)(db.User(ctx, "anna"))
		own := db.Of(user)
		m := must[[]rows.Memory](t)(own.PutMemories(ctx, rows.Memory{Kind: "fact", Text: "The safe opens with 4711", Source: "typed", Confidence: 1}))
		quotes := func(_ rows.Memory, text string) bool { return strings.Contains(text, "4711") }
		must[rows.Traces](t)(own.EraseMemories(ctx, rows.Quoting{Quotes: quotes}, m[0].ID))
		must[store.Execution](t)(anna.Executions().Keep(ctx, store.Execution{At: at, Acted: event.Acted{Tool: "memory.forget", Arguments: json.RawMessage(`{"about":"4711"}`), Status: "ok"}}))
		for _, e := range must[[]store.Execution](t)(anna.Executions().Last(ctx, 10)) {
			if strings.Contains(string(e.Arguments), "4711") {
				t.Errorf("after forgetting there is still %s", e.Arguments)
			}
		}
		if n := len(must[[]store.Execution](t)(ben.Executions().Last(ctx, 10))); n != 1 {
			t.Errorf("ben has %d calls, want his own", n)
		}
	})
}
