package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/openai"
)

// Whole talks over a real protocol, with a server that is slow, breaks off, lies about JSON and calls wrong tools.
func TestTalksOverAServer(t *testing.T) {
	call := func(tool, args string) []models.Call {
		return []models.Call{{Tool: tool, Arguments: json.RawMessage(args)}}
	}
	for name, tt := range map[string]struct {
		native bool
		words  string
		turns  []modelstest.Turn
		want   string
		calls  string
	}{
		"reply":            {false, "why", []modelstest.Turn{{Text: reply("Because. It is so.")}}, "Because. It is so.", ""},
		"slow":             {false, "why", []modelstest.Turn{{Text: reply("Because it is."), Pace: 400}}, "Because it is.", ""},
		"a tool, a result": {false, "is it late", []modelstest.Turn{{Text: uses("clock.time", "{}")}, {Text: reply("Not yet.")}}, "Not yet.", "clock.time{}"},
		"lies about JSON":  {false, "egg", []modelstest.Turn{{Text: "Here is your JSON: {'type': 'tool_call', tool: \"timers.set\", 'arguments': {'duration': 'PT5M',}}"}}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"wrong tools":      {false, "egg", []modelstest.Turn{{Text: uses("egg.boil", "{}")}, {Text: uses("timers.set", `{"minutes":5}`)}, {Text: uses("timers.set", `{"duration":"PT5M"}`)}}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"breaks off":       {false, "why", []modelstest.Turn{{Text: reply("Because of the long and winding road that leads to the door of the house on the hill."), Cut: 1200}}, models.Excuse(models.ErrBroken), ""},
		"native call":      {true, "egg", []modelstest.Turn{{Calls: call("timers.set", `{"duration":"PT5M"}`)}}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"native, a result": {true, "is it late", []modelstest.Turn{{Calls: call("clock.time", "{}")}, {Text: "Not yet."}}, "Not yet.", "clock.time{}"},
		"native, wrong":    {true, "egg", []modelstest.Turn{{Calls: call("timers.set", `{"minutes":5}`)}, {Text: "For how long?"}}, "For how long?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv := modelstest.New(t, modelstest.Script{Turns: tt.turns})
			engine, err := openai.New(openai.Config{BaseURL: srv.OpenAI(), Key: config.NewSecret(srv.Key()), Model: "test-model"})
			if err != nil {
				t.Fatal(err)
			}
			b := toolbox()
			a := New(Config{Model: engine, Tools: b, Native: tt.native, Now: func() time.Time { return monday }})
			got := hear(t.Context(), a, tt.words)
			if !strings.HasSuffix(got.text, tt.want) || got.err != nil || name != "breaks off" && got.text != tt.want {
				t.Errorf("said %q (%v), want %q", got.text, got.err, tt.want)
			}
			if b.calls() != tt.calls || len(b.faults) > 0 {
				t.Errorf("called %s %v", b.calls(), b.faults)
			}
		})
	}
}
