package profile_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool/profile"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestTalk(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	m := memory.New(memory.Config{Rows: open(t).Memory(), Now: clock.Now})
	tooltest.Play(t, tooltest.Box(t, profile.Tools(m)...), clock, `
profile.name
  I don't know your name yet. What should I call you?
> call me anna maria.
  Nice to meet you, Anna Maria.
profile.name
  You're Anna Maria.
profile.set_name {"name":"Anna Maria"}
  I know, Anna Maria.
profile.set_name {"name":"McDuff"}
  Okay, I'll call you McDuff.
undo
  Okay, I'll call you Anna Maria.
undo
  Okay, I forgot your name.
profile.set_name {"name":"."}
  What should I call you?
profile.name
  I don't know your name yet. What should I call you?
`)
}
