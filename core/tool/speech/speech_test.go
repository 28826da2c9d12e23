package speech_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/speech"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

type mouth struct {
	last   string
	hushed int
}

func (m *mouth) Last() string { return m.last }
func (m *mouth) Hush()        { m.hushed++ }

type bell struct {
	rings []schedule.Promise
	err   error
}

func (b *bell) Ringing() []schedule.Promise { return b.rings }

func (b *bell) Stop(context.Context) ([]schedule.Promise, error) {
	rang := b.rings
	b.rings = nil
	return rang, b.err
}

func (b *bell) Restore(_ context.Context, p schedule.Promise) error {
	b.rings = append(b.rings, p)
	return nil
}

func TestTalk(t *testing.T) {
	m, b := &mouth{}, &bell{}
	box := tooltest.Box(t, speech.Tools(speech.Config{Speaker: m, Bell: b})...)
	clock := tooltest.At(t, "2026-11-21 16:20", "UTC")
	tooltest.Play(t, box, clock, `
speech.repeat
  I haven't said anything yet.
speech.stop
  -
undo
  There's nothing to undo.
`)
	m.last = "It's 4:20 PM."
	b.rings = []schedule.Promise{{ID: 7, Kind: schedule.Alarm, At: time.Unix(1800000000, 0), State: schedule.Ringing}}
	tooltest.Play(t, box, clock, `
speech.repeat
  It's 4:20 PM.
speech.stop
  -
`)
	if m.hushed != 2 || len(b.rings) != 0 {
		t.Errorf("hushed %d times, %d still ring", m.hushed, len(b.rings))
	}
	tooltest.Play(t, box, clock, `
undo
  Okay, it rings again.
`)
	if len(b.rings) != 1 || b.rings[0].ID != 7 {
		t.Errorf("rings after undo: %v", b.rings)
	}
}

func TestSilentEvenWhereStoringFails(t *testing.T) {
	m := &mouth{}
	b := &bell{rings: []schedule.Promise{{ID: 1}}, err: errors.New("disk is full")}
	box := tooltest.Box(t, speech.Tools(speech.Config{Speaker: m, Bell: b})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "speech.stop"}); err == nil || r.Say == "" || m.hushed != 1 {
		t.Errorf("said %q, error %v, hushed %d times", r.Say, err, m.hushed)
	}
}

func TestWithoutABell(t *testing.T) {
	m := &mouth{}
	box := tooltest.Box(t, speech.Tools(speech.Config{Speaker: m})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "speech.stop"}); err != nil || r.Say != "" || m.hushed != 1 {
		t.Errorf("said %q, error %v, hushed %d times", r.Say, err, m.hushed)
	}
}
