package undo_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/core/tool/undo"
	"github.com/solo-assistant/solo/models"
)

func TestTalk(t *testing.T) {
	on := false
	turn := func(to bool, say, back string) tool.Tool {
		return tool.Of(map[bool]string{true: "lamp.on", false: "lamp.off"}[to], "", models.Write,
			func(context.Context, struct{}) (models.Result, error) {
				on = to
				return models.Result{Say: say, Undo: tool.CallOf(back, nil)}, nil
			})
	}
	box := tooltest.Box(t, turn(true, "The lamp is on.", "lamp.off"), turn(false, "The lamp is off.", "lamp.on"))
	if err := box.Add(undo.Tools(box)...); err != nil {
		t.Fatal(err)
	}
	tooltest.Play(t, box, tooltest.At(t, "2026-11-21 16:20", "UTC"), `
undo.last
  There's nothing to undo.
lamp.on
  The lamp is on.
undo.last
  The lamp is off.
undo.last
  There's nothing to undo.
`)
	if on {
		t.Error("the lamp is on after undo")
	}
}

type broken struct{}

func (broken) Undo(context.Context) (models.Result, error) {
	return models.Result{Say: "I couldn't undo that."}, errors.New("it rang already")
}

func TestFailureIsSaid(t *testing.T) {
	box := tooltest.Box(t, undo.Tools(broken{})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "undo.last"}); err == nil || r.Say != "I couldn't undo that." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
}
