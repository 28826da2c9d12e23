package microphone_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool/microphone"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

type ear struct{ muted bool }

func (e *ear) Mute(on bool) { e.muted = on }
func (e *ear) Muted() bool  { return e.muted }

type prefs map[string]string

func (p prefs) Set(_ context.Context, key, value, _ string) error {
	if p == nil {
		return errors.New("disk is full")
	}
	p[key] = value
	return nil
}

func TestTalk(t *testing.T) {
	e, p := &ear{}, prefs{}
	box := tooltest.Box(t, microphone.Tools(microphone.Config{Microphone: e, Preferences: p})...)
	clock := tooltest.At(t, "2026-11-21 16:20", "UTC")
	tooltest.Play(t, box, clock, `
microphone.unmute
  I'm listening already.
microphone.mute
  I've stopped listening. Use the key or the command line to unmute me.
microphone.mute
  The microphone is off already.
`)
	if !e.muted || p["muted"] != "true" {
		t.Errorf("muted %t, kept %q", e.muted, p["muted"])
	}
	tooltest.Play(t, box, clock, `
microphone.unmute
  I'm listening again.
undo
  I've stopped listening. Use the key or the command line to unmute me.
undo
  I'm listening again.
`)
	if e.muted || p["muted"] != "false" {
		t.Errorf("muted %t, kept %q", e.muted, p["muted"])
	}
}

func TestClosedEvenWhereStoringFails(t *testing.T) {
	e := &ear{}
	box := tooltest.Box(t, microphone.Tools(microphone.Config{Microphone: e, Preferences: prefs(nil)})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "microphone.mute"}); err == nil || r.Say == "" || !e.muted {
		t.Errorf("said %q, error %v, muted %t", r.Say, err, e.muted)
	}
}
