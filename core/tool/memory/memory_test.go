package memory_test

import (
	"testing"

	kept "github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool/memory"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"read back, yes": `
memory.remember {"text":"my bike lock code is 427"}
  I'll remember that your bike lock code is 4 2 7. Right?
yes
  Okay.
memory.recall {"about":"my bike"}
  You told me today that your bike lock code is 4 2 7.
memory.remember {"text":"that My bike lock code is 427."}
  I know already that your bike lock code is 4 2 7.
+24h
memory.recall {"about":"bike lock"}
  You told me yesterday that your bike lock code is 4 2 7.
+48h
memory.recall
  You told me on Saturday that your bike lock code is 4 2 7.
+240h
memory.recall
  You told me on November 21st that your bike lock code is 4 2 7.
+1200h
memory.recall
  You told me on November 21st, 2026, that your bike lock code is 4 2 7.
undo
  Okay, I forgot that your bike lock code is 4 2 7.
memory.recall
  You haven't asked me to remember anything yet.`,

		"read back, no": `
memory.remember {"text":"I parked on level 214"}
  I'll remember that you parked on level 214. Right?
no
  Okay, I forgot that you parked on level 214.
memory.recall {"about":"where I parked"}
  You haven't asked me to remember anything yet.
undo
  Okay, I remember again that you parked on level 214.
memory.recall {"about":"my garden"}
  I don't know anything about your garden.`,

		"ways to say it": `
memory.remember {"text":"Anna likes tulips"}
  I'll remember that Anna likes tulips. Right?
memory.remember {"text":"I'm allergic to nuts"}
  I'll remember that you're allergic to nuts. Right?
memory.remember {"text":"the blue folder"}
  I'll remember the blue folder. Right?
memory.remember {"text":"we moved to Graz"}
  I'll remember that you moved to Graz. Right?
memory.remember {"text":"to be kind"}
  I'll remember to be kind. Right?
memory.remember {"text":"you are slow"}
  I'll remember that I am slow. Right?
memory.remember {"text":"..."}
  What should I remember?
> Ben's birthday is on May 3
  I'll remember that Ben's birthday is on May 3. Right?
memory.recall
  You've told me 7 things. The latest: today that Ben's birthday is on May 3, and that I am slow, and to remember to be kind.`,

		"several": `
memory.remember {"text":"my car is blue"}
  I'll remember that your car is blue. Right?
+24h
memory.remember {"text":"my car key is in the drawer"}
  I'll remember that your car key is in the drawer. Right?
memory.recall {"about":"my car"}
  You told me yesterday that your car is blue, and today that your car key is in the drawer.
memory.forget
  What should I forget?
> the drawer
  Okay, I forgot that your car key is in the drawer.
undo
  Okay, I remember again that your car key is in the drawer.
memory.forget {"about":"car"}
  That's 2 things: that your car is blue and that your car key is in the drawer. Shall I forget them all?
no
  -
memory.forget {"last":true}
  Okay, I forgot that your car key is in the drawer.
memory.forget {"about":"my boat"}
  I don't know anything about your boat.
memory.forget {"all":true}
  That's one thing: that your car is blue. Shall I forget it?
yes
  Okay, I forgot that your car is blue.
memory.forget {"all":true}
  There's nothing to forget.
undo
  Okay, I remember again that your car is blue.
undo
  Okay, I remember again that your car key is in the drawer.
memory.forget {"all":true}
  Shall I forget all 2 things you told me?
yes
  Okay, I forgot 2 things.
undo
  Okay, I remember 2 things again.
memory.recall {"about":"car"}
  You told me yesterday that your car is blue, and today that your car key is in the drawer.`,
	} {
		t.Run(name, func(t *testing.T) {
			clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
			m := kept.New(kept.Config{Rows: open(t).Memory(), Now: clock.Now})
			tools := append(memory.Tools(memory.Config{Memory: m, Now: clock.Now}), tooltest.Fine())
			tooltest.Play(t, tooltest.Box(t, tools...), clock, script)
		})
	}
}
