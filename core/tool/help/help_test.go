package help_test

import (
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/tool/help"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

func TestShortAndTelling(t *testing.T) {
	box := tooltest.Box(t, help.Tools()...)
	for name, wants := range map[string][]string{
		"help.abilities": {"timers", "reminders", "remember", "stop"},
		"help.identity":  {"Solo"},
	} {
		r, err := box.Call(t.Context(), models.Call{Tool: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(r.Say, want) {
				t.Errorf("%s does not speak of %s: %q", name, want, r.Say)
			}
		}
		if n := strings.Count(r.Say, ". ") + 1; n > 3 || !strings.HasSuffix(r.Say, ".") {
			t.Errorf("%s says %d sentences: %q", name, n, r.Say)
		}
	}
}
