package tool_test

import (
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// The settings reach the box: from defaults and from the environment.
func TestSettings(t *testing.T) {
	var c struct {
		Tools tool.Config `toml:"tools"`
	}
	if _, err := config.Load(&c, config.Sources{Env: []string{"SOLO_TOOLS_DENY=mail,web.get", "SOLO_TOOLS_RATES=web.search=10", "SOLO_TOOLS_WRITES=1"}}); err != nil {
		t.Fatal(err)
	}
	if c.Tools.Limit != 10*time.Second || c.Tools.Undos != 20 || c.Tools.Reads != 120 || c.Tools.Outwards != 10 || !slices.Equal(c.Tools.May, []string{"guest=read", "unknown=read"}) || !slices.Equal(c.Tools.Each, []string{"web.search=10"}) {
		t.Errorf("settings %+v", c.Tools)
	}
	b := box(t, c.Tools, saying("mail.list", "Mail.", models.Read), saying("web.get", "Web.", models.Read), saying("web.search", "Found.", models.Read), saying("notes.add", "Added.", models.Write))
	model := models.WithOrigin(t.Context(), models.Origin{Model: true})
	for name, want := range map[string]string{"mail.list": "I'm not allowed to do that.", "web.get": "I'm not allowed to do that.", "web.search": "Found.", "notes.add": "Added."} {
		if r, _ := b.Call(model, models.Call{Tool: name}); r.Say != want {
			t.Errorf("%s said %q", name, r.Say)
		}
	}
	if r, err := b.Call(model, models.Call{Tool: "notes.add"}); err == nil {
		t.Errorf("a second in the minute said %q", r.Say)
	}
}
