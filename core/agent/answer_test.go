package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/models"
)

func TestAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		words string
		model []string
		want  string
		calls string
	}{
		"reply":            {"why is the sky blue", []string{reply("Air scatters blue light most.")}, "Air scatters blue light most.", ""},
		"plain text":       {"hello", []string{"Hello there."}, "Hello there.", ""},
		"write ends it":    {"boil an egg for me", []string{uses("timers.set", `{"duration":"PT5M"}`)}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"read, then reply": {"is it tea time", []string{uses("clock.time", `{}`), reply("Almost, it's twenty past four.")}, "Almost, it's twenty past four.", `clock.time{}`},
		"two things, one by one": {"set an egg timer and tell me the time", []string{uses("timers.set", `{"duration":"PT5M"}`), uses("clock.time", `{}`), reply("It's twenty past four.")},
			"Timer set for 5 minutes. It's twenty past four.", `timers.set{"duration":"PT5M"} clock.time{}`},
		"two at once": {"set an egg timer and note that eggs are out", []string{`{"type":"multi_tool_call","calls":[{"tool":"timers.set","arguments":{"duration":"PT5M"}},{"tool":"memory.remember","arguments":{"text":"eggs are out"}}]}`, reply("")},
			"Timer set for 5 minutes. I'll remember: eggs are out", `timers.set{"duration":"PT5M"} memory.remember{"text":"eggs are out"}`},
		"outside":         {"what does the report say", []string{uses("documents.read", `{"path":"r.pdf"}`), reply("Sales rose.")}, "Sales rose.", `documents.read{"path":"r.pdf"}`},
		"failed, owned":   {"light please", []string{uses("lights.on", `{}`), reply("Sorry, the lamp is not there.")}, "Sorry, the lamp is not there.", `lights.on{}`},
		"failed, denied":  {"light please", []string{uses("lights.on", `{}`), reply("Done, the light is on!")}, "The lamp does not answer.", `lights.on{}`},
		"failed, glossed": {"light please", []string{uses("lights.on", `{}`), reply("No problem, it's on!")}, "The lamp does not answer.", `lights.on{}`},
		"one of two failed": {"light, and an egg timer", []string{`{"type":"multi_tool_call","calls":[{"tool":"lights.on"},{"tool":"timers.set","arguments":{"duration":"PT5M"}}]}`, reply("Both done.")},
			"Timer set for 5 minutes. The lamp does not answer.", `lights.on{} timers.set{"duration":"PT5M"}`},
		"a question": {"tell Anna I'm late", []string{uses("mail.send", `{"to":"Anna","text":"late"}`)}, "Send it to Anna. Yes or no?", `mail.send{"text":"late","to":"Anna"}`},
		"a question, more left": {"tell Anna and Bob I'm late", []string{`{"type":"multi_tool_call","calls":[{"tool":"mail.send","arguments":{"to":"Anna","text":"late"}},{"tool":"mail.send","arguments":{"to":"Bob","text":"late"}}]}`},
			"One thing at a time; ask me for the rest again afterwards. Send it to Anna. Yes or no?", `mail.send{"text":"late","to":"Anna"}`},
		"wrong tool, mended":      {"egg", []string{uses("eggs.boil", `{}`), uses("timers.set", `{"duration":"PT5M"}`)}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"wrong arguments, mended": {"egg", []string{uses("timers.set", `{"length":5}`), uses("timers.set", `{"duration":"PT5M"}`)}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"half JSON, repaired":     {"egg", []string{`{"type":"tool_call","tool":"timers.set","arguments":{"duration":"PT5M"}`}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"cut call, mended":        {"egg", []string{`{"type":"tool_call","tool":"timers.set","arguments":{"duration":"PT5`, uses("timers.set", `{"duration":"PT50M"}`)}, "Timer set for 5 minutes.", `timers.set{"duration":"PT50M"}`},
		"task with another":       {"egg", []string{`{"type":"multi_tool_call","calls":[{"tool":"agent.task","arguments":{"goal":"x"}},{"tool":"timers.set","arguments":{"duration":"PT5M"}}]}`, reply("Which one?")}, "Which one?", ""},
		"one of two unfit":        {"egg", []string{`{"type":"multi_tool_call","calls":[{"tool":"clock.time"},{"tool":"timers.set"}]}`, reply("For how long?")}, "For how long?", ""},
		"empty, mended":           {"hi", []string{reply(""), reply("Hello.")}, "Hello.", ""},
		"nothing at all":          {"hi", []string{"", " ", "\n"}, models.Excuse(models.ErrNonsense), ""},
		"always wrong":            {"egg", []string{uses("eggs.boil", `{}`), uses("eggs.boil", `{}`), uses("eggs.boil", `{}`)}, models.Excuse(models.ErrNonsense), ""},
		"nonsense after a result": {"is it tea time", []string{uses("clock.time", `{}`), `{"a":1}`, `{"a":1}`, `{"a":1}`}, "It's 4:20 PM.", `clock.time{}`},
		"in a circle":             {"egg, please", []string{uses("timers.set", `{"duration":"PT5M"}`), uses("timers.set", `{"duration":"PT5M"}`)}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"reads for ever": {"is it tea time", []string{uses("clock.time", `{}`), uses("clock.time", `{}`), uses("clock.time", `{}`), uses("clock.time", `{}`), uses("clock.time", `{}`), reply("Yes.")},
			"Yes.", `clock.time{} clock.time{} clock.time{} clock.time{}`},
		"the model is gone": {"hi", nil, models.Excuse(models.ErrBroken), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := toolbox()
			a := newAgent(t, says(tt.model...), b)
			got := hear(t.Context(), a, tt.words)
			if got.text != tt.want || got.err != nil {
				t.Errorf("said %q (%v), want %q", got.text, got.err, tt.want)
			}
			if b.calls() != tt.calls {
				t.Errorf("called %s, want %s", b.calls(), tt.calls)
			}
			if len(b.faults) > 0 {
				t.Errorf("run without a check: %v", b.faults)
			}
			if (got.ask != nil) != strings.Contains(name, "a question") {
				t.Errorf("ask %v", got.ask)
			}
		})
	}
}

func TestErrorsAreSentences(t *testing.T) {
	for _, err := range []error{models.ErrAbsent, models.ErrUnreachable, models.ErrNoModel, models.ErrTooLarge, models.ErrTooLong, models.ErrKey,
		models.ErrBusy, models.ErrLate, models.ErrBroken, models.ErrNonsense, models.ErrPrivate, models.ErrUnable, errors.New("x: y")} {
		got := hear(t.Context(), newAgent(t, &script{turns: []line{{err: err}, {err: err}}}, toolbox()), "hi")
		if got.text != models.Excuse(err) || got.err != nil {
			t.Errorf("%v: %q, %v", err, got.text, got.err)
		}
	}
}

func TestAModelWithASmallContextAnswersWithoutTools(t *testing.T) {
	m := &script{turns: []line{{err: models.ErrTooLong}, {text: reply("Faust is by Goethe.")}}}
	got := hear(t.Context(), newAgent(t, m, toolbox()), "who wrote faust")
	if got.text != "Faust is by Goethe." || got.err != nil {
		t.Fatalf("%q, %v", got.text, got.err)
	}
	full, slim := m.asked[0], m.asked[1]
	if tokensOf(slim.Messages) > tokensOf(full.Messages)/2 || len(slim.Schema) > len(full.Schema)/2 {
		t.Errorf("the second try has %d tokens after %d", tokensOf(slim.Messages), tokensOf(full.Messages))
	}
	if last := slim.Messages[len(slim.Messages)-1]; last.Text != "who wrote faust" {
		t.Errorf("asked %q", last.Text)
	}
	m = &script{turns: []line{{err: models.ErrTooLong}, {err: models.ErrTooLong}}}
	if got := hear(t.Context(), newAgent(t, m, toolbox()), "who wrote faust"); got.text != models.Excuse(models.ErrTooLong) {
		t.Errorf("%q", got.text)
	}
}

func TestWhatWasSaidStaysWhenTheModelBreaks(t *testing.T) {
	m := &script{turns: []line{{text: `{"type":"reply","text":"The capital of France`, err: models.ErrBroken}}}
	got := hear(t.Context(), newAgent(t, m, toolbox()), "what is the capital of France")
	if want := "The capital of France… " + models.Excuse(models.ErrBroken); got.text != want {
		t.Errorf("%q, want %q", got.text, want)
	}
}

func TestSentencesLeaveWhileTheyAreWritten(t *testing.T) {
	m := &script{turns: []line{{text: reply("First sentence. Second sentence."), size: 8}}}
	got := hear(t.Context(), newAgent(t, m, toolbox()), "talk")
	if len(got.pieces) < 3 || !strings.HasPrefix(strings.Join(got.pieces[:2], ""), "First") {
		t.Errorf("%q", got.pieces)
	}
}

func TestTheCauseIsGivenWhenCtxEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("barge-in")
	defer cancel(nil)
	m := &script{turns: []line{{text: `{"type":"reply","text":"A long`, hang: true}}}
	a := newAgent(t, m, toolbox())
	var got said
	for piece, err := range a.Answer(ctx, heard("talk")) {
		got.text += piece.Text
		got.err = err
		cancel(why)
	}
	if !errors.Is(got.err, why) || !strings.HasPrefix("A long", got.text) || got.text == "" {
		t.Errorf("%q, %v", got.text, got.err)
	}
}

func TestABrokenReplyAfterAResultIsExcused(t *testing.T) {
	m := &script{turns: []line{{text: uses("clock.time", "{}")}, {text: `{"type":"reply","text":"Almost, it is`, err: models.ErrBroken}}}
	got := hear(t.Context(), newAgent(t, m, toolbox()), "is it tea time")
	if want := "Almost, it is… " + models.Excuse(models.ErrBroken); got.text != want {
		t.Errorf("%q, want %q", got.text, want)
	}
}
