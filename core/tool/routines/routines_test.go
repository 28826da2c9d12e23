package routines_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/routines"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

// orders are the commands that are understood here.
func orders(text string) (models.Call, bool) {
	switch strings.ToLower(text) {
	case "mute", "mute the microphone":
		return models.Call{Tool: "house.mute"}, true
	case "lock the door":
		return models.Call{Tool: "house.lock"}, true
	}
	return models.Call{}, false
}

// house are two tools; the second needs a yes.
func house() []tool.Tool {
	return []tool.Tool{
		tool.Of("house.mute", "Mutes.", models.Write, func(context.Context, struct{}) (models.Result, error) { return tool.Said("Muted."), nil }),
		tool.Of("house.lock", "Locks.", models.Write, func(context.Context, struct{}) (models.Result, error) {
			return models.Result{Say: "Shall I lock it?", Ask: &models.Ask{Call: models.Call{Tool: "house.locked"}}}, nil
		}),
		tool.Internal(tool.Of("house.locked", "Locks.", models.Write, func(context.Context, struct{}) (models.Result, error) { return tool.Said("Locked."), nil })),
	}
}

func TestTalks(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	db, err := rows.Open(t.Context(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(db, user)
	box := tooltest.Box(t, house()...)
	book := routine.New(routine.Config{Rows: st.Routines(), Box: box, Read: orders, Now: clock.Now})
	times := schedule.New(schedule.Config{Rows: st.Schedule(), Now: clock.Now})
	if err := box.Add(routines.Tools(routines.Config{Book: book, Times: times, Now: clock.Now})...); err != nil {
		t.Fatal(err)
	}
	tooltest.Play(t, box, clock, `
routines.list
  You have no routines yet.
routines.run {"name":"movie time"}
  You have no routines yet.
routines.create {"actions":"movie time, mute the microphone and say enjoy the film"}
  When you say "movie time", I'll mute the microphone and say "enjoy the film".
routines.create {"actions":"good night mute the microphone and then lock the door and say sleep well"}
  When you say "good night", I'll mute the microphone, lock the door and say "sleep well".
routines.create {"actions":"bed time then mute"}
  When you say "bed time", I'll mute.
undo
  Okay, I removed the routine bed time.
routines.create {"actions":"Movie time mute"}
  There is a routine of that name already.
routines.create {"name":"cinema","actions":"dim my lights and mute"}
  I don't know how to dim your lights, so I made no routine.
routines.create {"name":"mute","actions":"mute"}
  That is a command of mine already. Choose another name.
routines.create {"name":"cinema"}
  What should I do when you say "cinema"?
> mute
  When you say "cinema", I'll mute.
undo
  Okay, I removed the routine cinema.
routines.create {"name":"model's own","calls":[{"tool":"house.mute","arguments":"{}"}]}
  When you say "model's own", I'll run house.mute.
undo
  Okay, I removed the routine model's own.
routines.list
  You have 2 routines: movie time and good night.
routines.run {"name":"the movie time routine"}
  Muted. Enjoy the film.
routines.run {"name":"good night"}
  Muted. Shall I lock it?
yes
  Locked. Sleep well.
routines.run {"name":"good night"}
  Muted. Shall I lock it?
no
  Sleep well.
routines.run {"name":"boat"}
  I can't find a routine of that name. You have movie time and good night. Which one should I run?
> movie time
  Muted. Enjoy the film.
routines.plan {"name":"movie time"}
  When should I run movie time?
> 2026-11-22T20:00:00+01:00
  I'll run movie time tomorrow at 8 PM.
routines.plan {"name":"movie time","repeat":"FREQ=WEEKLY;BYDAY=FR;BYHOUR=20;BYMINUTE=0"}
  I'll run movie time every Friday at 8 PM.
undo
  Okay, movie time no longer runs by itself.
routines.show {"name":"movie time"}
  When you say "movie time", I mute the microphone and say "enjoy the film". It runs by itself tomorrow at 8 PM.
routines.unplan {"name":"movie time"}
  Okay, movie time no longer runs by itself.
undo
  Okay, movie time runs by itself again.
routines.delete {"name":"movie time"}
  Okay, I removed the routine movie time.
routines.list
  You have 1 routine: good night.
undo
  Okay, the routine movie time is back.
routines.show {"name":"movie time"}
  When you say "movie time", I mute the microphone and say "enjoy the film". It runs by itself tomorrow at 8 PM.
routines.unplan {"name":"good night"}
  good night does not run by itself.`)
}
