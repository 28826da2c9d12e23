package wake_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/core/tool/wake"
	"github.com/solo-assistant/solo/models"
)

// ledger is a learner that remembers.
type ledger struct {
	err   error
	marks []string
}

func (l *ledger) False(context.Context) (wake.Wrong, error) {
	if l.err != nil {
		return wake.Wrong{}, l.err
	}
	l.marks = append(l.marks, "wrong 7")
	return wake.Wrong{Word: "hey solo", Mark: "wrong 7"}, nil
}

func (l *ledger) Right(_ context.Context, w wake.Wrong) error {
	if len(l.marks) == 0 || l.marks[0] != w.Mark || w.Word != "hey solo" {
		return wake.ErrNone
	}
	l.marks = nil
	return nil
}

func TestTalk(t *testing.T) {
	l := &ledger{err: wake.ErrNone}
	box, clock := tooltest.Box(t, wake.Tools(l)...), tooltest.At(t, "2026-11-21 16:20", "UTC")
	tooltest.Play(t, box, clock, `
wake.false
  I know of no wake in the last minutes that could have been false.
`)
	l.err = wake.ErrNotOwn
	tooltest.Play(t, box, clock, `
wake.false
  I can learn that only for a wake word of your own; solo wake train makes one.
`)
	l.err = nil
	tooltest.Play(t, box, clock, `
wake.false
  Sorry. I'm learning that this wasn't hey solo.
undo
  So it was hey solo. I'm learning it again.
`)
	if len(l.marks) != 0 {
		t.Errorf("left: %v", l.marks)
	}
}

func TestUndoneTooLate(t *testing.T) {
	l := &ledger{}
	box := tooltest.Box(t, wake.Tools(l)...)
	if _, err := box.Call(t.Context(), models.Call{Tool: "wake.false"}); err != nil {
		t.Fatal(err)
	}
	l.marks = nil
	if r, err := box.Undo(t.Context()); err != nil || r.Say != "I no longer know of that." {
		t.Errorf("said %q, %v", r.Say, err)
	}
}

func TestFailure(t *testing.T) {
	box := tooltest.Box(t, wake.Tools(&ledger{err: errors.New("disk is full")})...)
	if r, err := box.Call(t.Context(), models.Call{Tool: "wake.false"}); err == nil || r.Say == "" {
		t.Errorf("said %q, %v", r.Say, err)
	}
	if _, err := box.Call(t.Context(), models.Call{Tool: "wake.right", Arguments: []byte(`{"word":"hey solo","mark":"wrong 7"}`)}); err == nil {
		t.Error("wake.right runs for anyone")
	}
}
