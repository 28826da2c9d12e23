package talk_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/talk"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

type named string

func (n named) Get(context.Context, string) (string, bool, error) {
	if n == "?" {
		return "", false, errors.New("disk is gone")
	}
	return string(n), n != "", nil
}

func TestTalk(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 08:20", "UTC")
	box := tooltest.Box(t, talk.Tools(talk.Config{Preferences: named("Anna"), Now: clock.Now})...)
	tooltest.Play(t, box, clock, `
talk.hello
  Good morning, Anna.
+5h
talk.hello
  Good afternoon, Anna.
talk.thanks
  You're welcome.
talk.thanks
  My pleasure.
talk.thanks
  Any time.
talk.goodbye
  See you later, Anna.
+6h
talk.hello
  Good evening, Anna.
+3h
talk.goodbye
  Good night, Anna.
+4h
talk.hello
  Hello, Anna.
`)
}

func TestGreetsStrangers(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 08:20", "UTC")
	for _, p := range []talk.Preferences{nil, named(""), named("?")} {
		box := tooltest.Box(t, talk.Tools(talk.Config{Preferences: p, Now: clock.Now})...)
		tooltest.Play(t, box, clock, "talk.hello\n  Good morning.\ntalk.goodbye\n  Goodbye.")
	}
}

func TestFineIsOnlyAnAnswer(t *testing.T) {
	asks := tool.Of("x.ask", "", models.Read, func(context.Context, struct{}) (models.Result, error) {
		return models.Result{Say: "Right?", Ask: &models.Ask{Call: tool.Fine}}, nil
	})
	box := tooltest.Box(t, append(talk.Tools(talk.Config{}), asks)...)
	if _, err := box.Call(t.Context(), tool.Fine); !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("unasked: %v", err)
	}
	tooltest.Play(t, box, tooltest.At(t, "2026-11-21 08:20", "UTC"), "x.ask\n  Right?\nyes\n  Okay.\nx.ask\n  Right?\nyes\n  Good.")
}
