package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// Where an answer's facts come from is told for what strangers wrote, and only for that.
func TestActedTellsTheSource(t *testing.T) {
	type args struct {
		Path string `json:"path,omitempty"`
		URL  string `json:"url,omitempty"`
	}
	var b bus.Bus
	acted := bus.Subscribe[event.Acted](&b, "test", 4, bus.DropOldest)
	box := tool.New(tool.Config{Bus: &b})
	read := tool.Of("x.read", "Reads.", models.Read, func(context.Context, args) (models.Result, error) { return tool.Said("Read."), nil })
	own := tool.Of("x.own", "Lists.", models.Read, func(context.Context, args) (models.Result, error) { return tool.Said("Listed."), nil })
	if err := box.Add(tool.Foreign(read), own); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"x.read", `{"path":"/home/me/bees.pdf"}`, "/home/me/bees.pdf"},
		{"x.read", `{"url":"https://example.org/a"}`, "https://example.org/a"},
		{"x.read", `{}`, ""},
		{"x.own", `{"path":"/home/me/bees.pdf"}`, ""},
	} {
		if _, err := box.Call(t.Context(), models.Call{Tool: c.tool, Arguments: json.RawMessage(c.arguments)}); err != nil {
			t.Fatal(err)
		}
		if e := <-acted.C; e.Val.Source != c.want {
			t.Errorf("%s %s: source %q, want %q", c.tool, c.arguments, e.Val.Source, c.want)
		}
	}
}
