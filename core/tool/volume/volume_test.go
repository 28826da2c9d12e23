package volume_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/core/tool/volume"
	"github.com/solo-assistant/solo/models"
)

type speaker struct{ percent int }

func (s *speaker) Volume() int      { return s.percent }
func (s *speaker) SetVolume(to int) { s.percent = to }

type prefs map[string]string

func (p prefs) Set(_ context.Context, key, value, _ string) error {
	if p == nil {
		return errors.New("disk is full")
	}
	p[key] = value
	return nil
}

func TestTalk(t *testing.T) {
	s, p := &speaker{percent: 80}, prefs{}
	box := tooltest.Box(t, volume.Tools(volume.Config{Speaker: s, Preferences: p})...)
	tooltest.Play(t, box, tooltest.At(t, "2026-11-21 16:20", "UTC"), `
volume.change {"by":10}
  Volume 90 percent.
volume.change {"by":30}
  Volume 100 percent.
volume.change {"by":10}
  That's as loud as I go.
undo
  Volume 90 percent.
undo
  Volume 80 percent.
volume.change {"by":-100}
  Volume 5 percent.
volume.change {"by":-10}
  That's as quiet as I go.
volume.set {"to":0}
  Volume 0 percent.
volume.change {"by":-10}
  That's as quiet as I go.
volume.change {"by":10}
  Volume 10 percent.
`)
	if s.percent != 10 || p["volume"] != "10" {
		t.Errorf("speaker at %d, kept %q", s.percent, p["volume"])
	}
}

func TestOutOfRange(t *testing.T) {
	s := &speaker{percent: 50}
	box := tooltest.Box(t, volume.Tools(volume.Config{Speaker: s})...)
	for _, args := range []string{`{"to":101}`, `{"to":-1}`, `{}`, `{"to":"loud"}`} {
		if _, err := box.Call(t.Context(), models.Call{Tool: "volume.set", Arguments: []byte(args)}); err == nil || s.percent != 50 {
			t.Errorf("%s: error %v, speaker at %d", args, err, s.percent)
		}
	}
}

func TestNotKeptIsNotSet(t *testing.T) {
	s := &speaker{percent: 50}
	box := tooltest.Box(t, volume.Tools(volume.Config{Speaker: s, Preferences: prefs(nil)})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "volume.set", Arguments: []byte(`{"to":20}`)}); err == nil || r.Say == "" || s.percent != 50 {
		t.Errorf("said %q, error %v, speaker at %d", r.Say, err, s.percent)
	}
}
