package system_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/tool/system"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

type parts []system.Service

func (p parts) Services() []system.Service { return p }

func TestSays(t *testing.T) {
	well := system.Service{Name: "the memory", Healthy: true}
	mute := system.Service{Name: "the voice", Why: "flite was not found; run make voices."}
	deaf := system.Service{Name: "the microphone"}
	for name, tt := range map[string]struct {
		all  parts
		want string
	}{
		"nothing known":   {nil, "I'm fine. Everything is running."},
		"all well":        {parts{well}, "I'm fine. Everything is running."},
		"one, with cause": {parts{well, mute}, "The voice isn't working: flite was not found; run make voices. Everything else is fine."},
		"one, no cause":   {parts{deaf, well}, "The microphone isn't working. Everything else is fine."},
		"two":             {parts{deaf, well, mute}, "The microphone and the voice aren't working. Everything else is fine."},
		"all":             {parts{deaf, mute}, "The microphone and the voice aren't working."},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := tooltest.Box(t, system.Tools(tt.all)...).Call(t.Context(), models.Call{Tool: "system.status"})
			if err != nil || r.Say != tt.want {
				t.Errorf("said %q, want %q (error %v)", r.Say, tt.want, err)
			}
		})
	}
}
