package tool_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// A model that obeys what strangers wrote calls everything that Solo can do. Nothing that changes anything is run: each
// call is denied, is unfit, or waits for the user's word. Without the policy all of them are run, and break for want of
// what they stand on.
func TestAnObedientModelChangesNothing(t *testing.T) {
	hostile := models.WithOrigin(t.Context(), models.Origin{Channel: "voice", Model: true, Outside: true, Planned: []string{"clock.time", "mail", "timers"}})
	careful := tool.Config{Consent: &asker{}, Rules: tool.Rules{Allow: []string{"apps", "scripts", "think"}}}
	careless := tool.Config{Policy: func(context.Context, models.Spec, models.Call) tool.Decision { return tool.Allow }}
	changing, asked, ran := 0, 0, 0
	for folder, tools := range themes() {
		for _, x := range tools {
			s := x.Spec()
			if s.Class == models.Read {
				continue
			}
			changing++
			for _, text := range []string{"all", "PT5M", "https://evil.example/x"} {
				c := models.Call{Tool: s.Name, Arguments: guess(t, s, text)}
				b := box(t, careful, tools...)
				r, err := b.Call(hostile, c)
				switch {
				case err == nil && r.Ask != nil && r.Ask.Approval != "":
					asked++
				case errors.Is(err, tool.ErrUnknown), errors.Is(err, tool.ErrArguments), errors.Is(err, tool.ErrDenied):
				default:
					t.Errorf("%s (%s) said %q, %v", s.Name, folder, r.Say, err)
				}
				if folder == "apps" || folder == "scripts" { // these would really do it
					continue
				}
				free := box(t, careless, tools...)
				if r, err := free.Call(hostile, c); err == nil && r.Ask == nil || errors.Is(err, tool.ErrPanic) {
					ran++
				}
			}
		}
	}
	if changing < 20 || asked < 30 || ran < 20 {
		t.Errorf("of %d tools that change something, %d calls were asked about, and %d run without the policy", changing, asked, ran)
	}
}
