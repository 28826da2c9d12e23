package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/models"
)

// reading is a script whose prompts take a second to be read beforehand.
func reading(turns ...string) *script {
	s := says(turns...)
	s.other = func(r models.Request) (line, bool) {
		return line{text: " ", wait: time.Second}, r.MaxTokens == -1
	}
	return s
}

func limits(s *script) (all []int) {
	for _, r := range s.requests() {
		all = append(all, r.MaxTokens)
	}
	return all
}

func TestPrepare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := reading(reply("Hello."))
		a := newAgent(t, m, toolbox())
		began := time.Now()
		a.Prepare(t.Context(), "how are you")
		a.Prepare(t.Context(), "how are you")
		if time.Since(began) > 0 {
			t.Error("Prepare did not return at once")
		}
		time.Sleep(300 * time.Millisecond)
		got := hear(t.Context(), a, "how are you")
		if got.text != "Hello." || time.Since(began) != time.Second {
			t.Errorf("%q after %v", got.text, time.Since(began))
		}
		r := m.requests()
		if len(r) != 2 || r[0].MaxTokens != -1 || r[1].MaxTokens <= 0 || models.Digest(r[0].Messages) != models.Digest(r[1].Messages) ||
			string(r[0].Schema) != string(r[1].Schema) {
			t.Errorf("the prompt read is not the one asked: %v", limits(m))
		}
	})
}

func TestOtherWordsEndWhatWasPrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := reading(reply("Hello."), reply("Once more."))
		a := newAgent(t, m, toolbox())
		began := time.Now()
		a.Prepare(t.Context(), "how are")
		a.Prepare(t.Context(), "how are you")
		got := hear(t.Context(), a, "how are you today")
		if got.text != "Hello." || time.Since(began) != 0 {
			t.Errorf("%q after %v", got.text, time.Since(began))
		}
		contains(t, lastPrompt(m), "how are you today")
		other := models.WithOrigin(t.Context(), models.Origin{Session: "web"})
		a.Prepare(t.Context(), "hello")
		if got := hear(other, a, "hello"); got.text != "Once more." || time.Since(began) != 0 {
			t.Errorf("another session waited: %q after %v", got.text, time.Since(began))
		}
		a.Close()
	})
}

// A prompt that is never read does not hold up its answer for long.
func TestAPromptThatIsNeverRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := says(reply("Hello."))
		m.other = func(r models.Request) (line, bool) { return line{hang: true}, r.MaxTokens == -1 }
		a := newAgent(t, m, toolbox())
		began := time.Now()
		a.Prepare(t.Context(), "hi")
		if got := hear(t.Context(), a, "hi"); got.text != "Hello." || time.Since(began) != patience {
			t.Errorf("%q after %v", got.text, time.Since(began))
		}
	})
}

func TestAFailedPrepareLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := says(reply("Hello."))
		m.other = func(r models.Request) (line, bool) { return line{err: models.ErrBusy}, r.MaxTokens == -1 }
		a := newAgent(t, m, toolbox())
		a.Prepare(t.Context(), "hi")
		synctest.Wait()
		if got := hear(t.Context(), a, "hi"); got.text != "Hello." {
			t.Errorf("%+v", got)
		}
	})
}

func TestCloseEndsPrepare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := says()
		m.other = func(models.Request) (line, bool) { return line{hang: true}, true }
		a := newAgent(t, m, toolbox())
		a.Prepare(t.Context(), "hi")
		synctest.Wait()
		a.Close()
	})
}

func TestAnAnswerHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, m := range map[string]*script{
			models.Excuse(models.ErrLate):            {turns: []line{{hang: true}}},
			"Well… " + models.Excuse(models.ErrLate): {turns: []line{{text: `{"type":"reply","text":"Well`, hang: true}}},
			"It's 4:20 PM.":                          {turns: []line{{text: uses("clock.time", "{}")}, {hang: true}}},
		} {
			began := time.Now()
			got := hear(t.Context(), newAgent(t, m, toolbox()), "is it tea time")
			if got.text != name || got.err != nil || time.Since(began) != 2*time.Minute {
				t.Errorf("%q, %v after %v, want %q", got.text, got.err, time.Since(began), name)
			}
		}
	})
}

// A tool that is at work when the user speaks over it sees its ctx end, and the answer ends with the cause.
func TestABargeInEndsTheTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := toolbox()
		b.add("web.search", models.Read, noArgs, func(ctx context.Context, _ models.Call) (models.Result, error) {
			<-ctx.Done()
			return models.Result{}, ctx.Err()
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("barge-in")
		time.AfterFunc(time.Second, func() { cancel(why) })
		got := hear(ctx, newAgent(t, says(uses("web.search", "{}")), b), "search")
		if !errors.Is(got.err, why) || got.text != "" {
			t.Errorf("%+v", got)
		}
	})
}

func TestVeryLongAnswers(t *testing.T) {
	long := strings.Repeat("All work and no play. ", 40_000)
	m := &script{turns: []line{{text: `{"type":"reply","text":"` + long, size: 4000}}}
	got := hear(t.Context(), newAgent(t, m, toolbox()), "write a novel")
	if got.err != nil || len(got.text) < 200_000 || len(got.text) > 300_000 || !strings.HasSuffix(got.text, cutShort) {
		t.Errorf("%d bytes, %v", len(got.text), got.err)
	}
	m = &script{turns: []line{{text: `{"type":"reply","text":"It began`, usage: &models.Usage{Finish: "length"}}}}
	if got := hear(t.Context(), newAgent(t, m, toolbox()), "tell me all"); got.text != "It began… "+cutShort {
		t.Errorf("%q", got.text)
	}
}

func TestVeryLongWords(t *testing.T) {
	got := hear(t.Context(), newAgent(t, says(), toolbox()), strings.Repeat("word ", 10_000))
	if got.text != models.Excuse(models.ErrTooLong) {
		t.Errorf("%q", got.text)
	}
}

func TestNativeCalls(t *testing.T) {
	call := func(id, tool, args string) models.ToolCall {
		return models.ToolCall{ID: id, Call: models.Call{Tool: tool, Arguments: []byte(args)}}
	}
	m := &script{turns: []line{
		{calls: []models.ToolCall{call("1", "timers.set", `{"length":5}`)}},
		{calls: []models.ToolCall{call("2", "clock.time", ``), call("3", "documents.read", `{"path":"a"}`)}},
		{text: "It is late."},
	}}
	b := toolbox()
	a := New(Config{Model: m, Tools: b, Native: true})
	if got := hear(t.Context(), a, "is it late"); got.text != "It is late." {
		t.Errorf("%+v", got)
	}
	if b.calls() != `clock.time{} documents.read{"path":"a"}` || len(b.faults) > 0 {
		t.Errorf("%s %v", b.calls(), b.faults)
	}
	r := m.requests()
	if len(r[0].Schema) > 0 || len(r[0].Tools) != len(b.specs)+1 || strings.Contains(r[0].Messages[0].Text, "tool_call") {
		t.Error("tools are not offered natively")
	}
	last := r[2].Messages
	if n := len(last); last[n-1].Role != models.Tool || last[n-1].For != "3" || last[n-2].For != "2" || len(last[n-3].Calls) != 2 {
		t.Errorf("%+v", last)
	}
	contains(t, last[len(last)-1].Text, "<<outside ")
	if !slices.ContainsFunc(b.origins, func(o models.Origin) bool { return o.Model }) {
		t.Error("no origin")
	}
}

// Who speaks is known only when the words are final; policy hears of it all the same.
func TestAPreparedTurnKnowsWhoSpeaks(t *testing.T) {
	m := says(uses("timers.set", `{"duration":"PT5M"}`))
	m.other = func(r models.Request) (line, bool) { return line{}, r.MaxTokens == -1 }
	b := toolbox()
	a := newAgent(t, m, b)
	a.Prepare(t.Context(), "egg")
	hear(models.WithOrigin(t.Context(), models.Origin{Channel: "voice", Speaker: "guest"}), a, "egg")
	if len(b.origins) != 1 || b.origins[0].Speaker != "guest" || b.origins[0].Channel != "voice" || !b.origins[0].Model {
		t.Errorf("%+v", b.origins)
	}
}

// A prompt that was read before the user's barge-in was known is not used.
func TestABargeInMakesThePromptStale(t *testing.T) {
	m := says(reply("Paris is a city on the Seine."), reply("Yes."))
	m.other = func(r models.Request) (line, bool) { return line{}, r.MaxTokens == -1 }
	a := newAgent(t, m, toolbox())
	hear(t.Context(), a, "what is Paris")
	a.Prepare(t.Context(), "stop that")
	a.Spoke(t.Context(), "Paris is")
	hear(t.Context(), a, "stop that")
	contains(t, lastPrompt(m), "<assistant> Paris is —")
	lacks(t, lastPrompt(m), "Seine")
}
