package mind_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/intent"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/models"
)

var (
	_    mind.Intents = (*intent.Commands)(nil)
	zone              = func() *time.Location {
		z, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			panic(err)
		}
		return z
	}()
	monday = time.Date(2026, 11, 23, 14, 30, 0, 0, zone)
)

// box is a toolbox that writes down its calls and answers as it was told to.
type box struct {
	calls   []string
	results map[string]models.Result
	errs    map[string]error
}

func (b *box) Call(_ context.Context, c models.Call) (models.Result, error) {
	b.calls = append(b.calls, strings.TrimSpace(c.Tool+" "+string(c.Arguments)))
	r, ok := b.results[c.Tool]
	if !ok {
		r.Say = "Done."
	}
	return r, b.errs[c.Tool]
}

type talk struct {
	t    *testing.T
	mind *mind.Mind
	box  *box
	now  time.Time
	sub  *bus.Sub[event.Understood]
}

func newTalk(t *testing.T, change func(*mind.Config, *box)) *talk {
	k := &talk{t: t, box: &box{results: map[string]models.Result{}, errs: map[string]error{}}, now: monday}
	b := new(bus.Bus)
	k.sub = bus.Subscribe[event.Understood](b, "test", 64, bus.DropOldest)
	c := mind.Config{Intents: intent.English(), Tools: k.box, Bus: b, Now: func() time.Time { return k.now }}
	if change != nil {
		change(&c, k.box)
	}
	k.mind = mind.New(c)
	return k
}

func (k *talk) hear(h event.Heard) string {
	k.t.Helper()
	var out []string
	for s, err := range k.mind.Answer(k.t.Context(), h) {
		if err != nil {
			k.t.Fatalf("%q: %v", h.Text, err)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func (k *talk) say(text string) string {
	k.t.Helper()
	return k.hear(event.Heard{Text: text, Sure: 1, Engine: "typed"})
}

func (k *talk) last() string {
	if len(k.box.calls) == 0 {
		return ""
	}
	return k.box.calls[len(k.box.calls)-1]
}

func TestCommandsBecomeCalls(t *testing.T) {
	for text, want := range map[string]string{
		"what time is it":                                   `clock.time {}`,
		"set a timer for ten minutes called pasta":          `timers.set {"duration":"PT10M","name":"pasta"}`,
		"set a timer":                                       `timers.set {}`,
		"cancel all timers":                                 `timers.cancel {"all":true}`,
		"remind me to call mom tomorrow at nine":            `reminders.create {"text":"call mom","time":"2026-11-24T09:00:00+01:00"}`,
		"remind me to call mom at five":                     `reminders.create {"text":"call mom","time":"2026-11-23T17:00:00+01:00"}`,
		"remind me in ten minutes to check the oven":        `reminders.create {"text":"check the oven","time":"2026-11-23T14:40:00+01:00"}`,
		"remind me to call mom":                             `reminders.create {"text":"call mom"}`,
		"remind me tomorrow to call mom":                    `reminders.create {"text":"call mom","time":"2026-11-24T09:00:00+01:00"}`,
		"remind me tonight to call mom":                     `reminders.create {"text":"call mom","time":"2026-11-23T19:00:00+01:00"}`,
		"remind me today to call mom":                       `reminders.create {"text":"call mom","time":"2026-11-23T15:00:00+01:00"}`,
		"remind me tomorrow morning to call mom":            `reminders.create {"text":"call mom","time":"2026-11-24T09:00:00+01:00"}`,
		"remind me tomorrow afternoon to call mom":          `reminders.create {"text":"call mom","time":"2026-11-24T15:00:00+01:00"}`,
		"remind me this afternoon to call mom":              `reminders.create {"text":"call mom","time":"2026-11-23T15:00:00+01:00"}`,
		"remind me this weekend to call mom":                `reminders.create {"text":"call mom","time":"2026-11-28T09:00:00+01:00"}`,
		"remind me to file the form by friday":              `reminders.create {"text":"file the form","time":"2026-11-27T09:00:00+01:00"}`,
		"remind me to water the roses in three weeks":       `reminders.create {"text":"water the roses","time":"2026-12-14T09:00:00+01:00"}`,
		"set an alarm for seven":                            `alarms.set {"time":"2026-11-23T19:00:00+01:00"}`,
		"set an alarm for 7:30 am":                          `alarms.set {"time":"2026-11-24T07:30:00+01:00"}`,
		"set an alarm for tomorrow":                         `alarms.set {}`,
		"add buy milk to my list for friday":                `tasks.create {"description":"buy milk","due_time":"2026-11-27T23:59:00+01:00"}`,
		"add milk to my shopping list":                      `tasks.create {"description":"milk","tags":["shopping"]}`,
		"what date is next friday":                          `clock.date {"day":"2026-12-04T00:00:00+01:00"}`,
		"what day is the 4th of july":                       `clock.day {"day":"2027-07-04T00:00:00+02:00"}`,
		"what's five plus six":                              `calc.compute {"expression":"5 + 6"}`,
		"convert 2.5 miles to kilometers":                   `calc.convert {"amount":2.5,"from":"mile","to":"kilometer"}`,
		"turn it down":                                      `volume.change {"by":-10}`,
		"set the volume to 40 percent":                      `volume.set {"to":40}`,
		"forget that":                                       `memory.forget {"last":true}`,
		"what do you know about me":                         `memory.recall {}`,
		"what do you know about my car":                     `memory.recall {"about":"my car"}`,
		"my name is Anna":                                   `profile.set_name {"name":"Anna"}`,
		"could you please say that again":                   `speech.repeat {}`,
		"what did you say":                                  `speech.repeat {}`,
		"snooze for five minutes":                           `timers.snooze {"duration":"PT5M"}`,
		"cancel the alarm at 8 pm":                          `alarms.cancel {"time":"2026-11-23T20:00:00+01:00"}`,
		"remind me to pay the rent on friday at 10 in cash": `reminders.create {"text":"pay the rent in cash","time":"2026-11-27T10:00:00+01:00"}`,
		"remind me to call Tom tomorrow about the bill":     `reminders.create {"text":"call Tom about the bill","time":"2026-11-24T09:00:00+01:00"}`,
	} {
		k := newTalk(t, nil)
		said := k.say(text)
		if got := k.last(); got != want {
			t.Errorf("%q calls %s (%s), want %s", text, got, said, want)
		}
		select {
		case e := <-k.sub.C:
			if name, _, _ := strings.Cut(want, " "); e.Val.Intent != name {
				t.Errorf("%q is understood as %q", text, e.Val.Intent)
			}
		default:
			t.Errorf("%q: nobody was told", text)
		}
	}
}

func TestSlotsOfTheEvent(t *testing.T) {
	k := newTalk(t, nil)
	k.say("remind me to call Tom tomorrow about the bill")
	e := <-k.sub.C
	if got := fmt.Sprint(e.Val.Slots); got != "map[text:call Tom about the bill time:tomorrow]" {
		t.Error(got)
	}
}

func ask(slot, tool, args string) *models.Ask {
	return &models.Ask{Slot: slot, Call: models.Call{Tool: tool, Arguments: json.RawMessage(args)}}
}

func TestQuestions(t *testing.T) {
	when := models.Result{Say: "When?", Ask: ask("time", "reminders.create", `{"text":"call mom"}`)}
	alarm := models.Result{Say: "When should it ring?", Ask: ask("time", "alarms.set", `{}`)}
	long := models.Result{Say: "How long?", Ask: ask("duration", "timers.set", `{"name":"tea"}`)}
	sure := models.Result{Say: "Right?", Ask: &models.Ask{Call: models.Call{Tool: "talk.fine"}, No: &models.Call{Tool: "reminders.drop", Arguments: json.RawMessage(`{"id":7}`)}}}
	name := models.Result{Say: "What is your name?", Ask: ask("name", "profile.set_name", ``)}
	for title, tt := range map[string]struct {
		tool   string
		result models.Result
		talk   []string // the first is the command
		calls  []string // after the first
		said   string   // the last answer
	}{
		"when":                    {"reminders.create", when, []string{"remind me to call mom", "tomorrow at nine"}, []string{`reminders.create {"text":"call mom","time":"2026-11-24T09:00:00+01:00"}`}, "When?"},
		"bare hour":               {"reminders.create", when, []string{"remind me to call mom", "five"}, []string{`reminders.create {"text":"call mom","time":"2026-11-23T17:00:00+01:00"}`}, "When?"},
		"in a sentence":           {"reminders.create", when, []string{"remind me to call mom", "let's say in two hours"}, []string{`reminders.create {"text":"call mom","time":"2026-11-23T16:30:00+01:00"}`}, "When?"},
		"no time":                 {"reminders.create", when, []string{"remind me to call mom", "blue"}, nil, "I did not catch the time. When?"},
		"no time twice":           {"reminders.create", when, []string{"remind me to call mom", "blue", "green"}, nil, "I still did not understand. Let's leave it."},
		"never mind":              {"reminders.create", when, []string{"remind me to call mom", "never mind"}, nil, "Okay."},
		"another command":         {"reminders.create", when, []string{"remind me to call mom", "what time is it", "five"}, []string{"clock.time {}"}, notUnderstood},
		"alarm without a day":     {"alarms.set", alarm, []string{"set an alarm for tomorrow", "at seven in the morning"}, []string{`alarms.set {"time":"2026-11-24T07:00:00+01:00"}`}, "When should it ring?"},
		"alarm asks for the hour": {"alarms.set", alarm, []string{"set an alarm", "tomorrow", "seven a.m."}, []string{`alarms.set {"time":"2026-11-24T07:00:00+01:00"}`}, "When should it ring?"},
		"how long":                {"timers.set", long, []string{"set a timer called tea", "ten minutes"}, []string{`timers.set {"duration":"PT10M","name":"tea"}`}, "How long?"},
		"yes":                     {"reminders.create", sure, []string{"remind me to call mom at five", "yes"}, []string{"talk.fine"}, "Done."},
		"that's right":            {"reminders.create", sure, []string{"remind me to call mom at five", "Yeah, that's right."}, []string{"talk.fine"}, "Done."},
		"no":                      {"reminders.create", sure, []string{"remind me to call mom at five", "no"}, []string{`reminders.drop {"id":7}`}, "Done."},
		"nope, cancel that":       {"reminders.create", sure, []string{"remind me to call mom at five", "nope, cancel that"}, []string{`reminders.drop {"id":7}`}, "Done."},
		"stop is no":              {"reminders.create", sure, []string{"remind me to call mom at five", "stop"}, []string{`reminders.drop {"id":7}`}, "Done."},
		"no and something else":   {"reminders.create", sure, []string{"remind me to call mom at five", "no, what time is it"}, []string{`reminders.drop {"id":7}`, "clock.time {}"}, "Done."},
		"neither":                 {"reminders.create", sure, []string{"remind me to call mom at five", "green"}, nil, "Please say yes or no."},
		"neither, then yes":       {"reminders.create", sure, []string{"remind me to call mom at five", "green", "yes please"}, []string{"talk.fine"}, "Done."},
		"a command drops it":      {"reminders.create", sure, []string{"remind me to call mom at five", "louder", "no"}, []string{`volume.change {"by":10}`}, notUnderstood},
		"name":                    {"profile.set_name", name, []string{"change my name", "it's Anna Maria"}, []string{`profile.set_name {"name":"Anna Maria"}`}, "What is your name?"},
		"the name as a command":   {"profile.set_name", name, []string{"change my name", "call me Anna"}, []string{`profile.set_name {"name":"Anna"}`}, "What is your name?"},
		"did you mean":            {"", models.Result{}, []string{"set a time for ten minutes", "yes"}, []string{`timers.set {"duration":"PT10M"}`}, "Done."},
		"did you mean, no":        {"", models.Result{}, []string{"set a time for ten minutes", "no"}, nil, "Okay."},
		"yes to nothing":          {"", models.Result{}, []string{"what time is it", "yes"}, nil, notUnderstood},
	} {
		t.Run(title, func(t *testing.T) {
			k := newTalk(t, func(_ *mind.Config, b *box) {
				if tt.tool != "" {
					b.results[tt.tool] = tt.result
				}
			})
			k.say(tt.talk[0])
			k.box.calls = k.box.calls[:min(len(k.box.calls), 1)]
			if strings.HasPrefix(title, "did you mean") {
				k.box.calls = append(k.box.calls, "")
			}
			said := ""
			for _, text := range tt.talk[1:] {
				said = k.say(text)
			}
			if got := k.box.calls[1:]; strings.Join(got, ", ") != strings.Join(tt.calls, ", ") {
				t.Errorf("calls %q, want %q", got, tt.calls)
			}
			if said != tt.said {
				t.Errorf("says %q, want %q", said, tt.said)
			}
		})
	}
}

const notUnderstood = "I did not understand that. I have no language model yet, so ask \"what can you do\" for what I know."

func TestAQuestionExpires(t *testing.T) {
	k := newTalk(t, func(_ *mind.Config, b *box) {
		b.results["reminders.create"] = models.Result{Say: "Right?", Ask: &models.Ask{Call: models.Call{Tool: "talk.fine"}}}
	})
	k.say("remind me to call mom at five")
	k.now = k.now.Add(61 * time.Second)
	if said := k.say("yes"); said != notUnderstood || k.last() == "talk.fine" {
		t.Errorf("%q after %s", said, k.last())
	}
}

func TestDroppedQuestion(t *testing.T) {
	k := newTalk(t, func(_ *mind.Config, b *box) {
		b.results["reminders.create"] = models.Result{Say: "Right?", Ask: &models.Ask{Call: models.Call{Tool: "talk.fine"}}}
	})
	k.say("remind me to call mom at five")
	k.mind.Drop()
	if said := k.say("yes"); said != notUnderstood {
		t.Error(said)
	}
}

func TestAStopThatAnswersIsTold(t *testing.T) {
	k := newTalk(t, func(_ *mind.Config, b *box) {
		b.results["reminders.create"] = models.Result{Say: "Right?", Ask: &models.Ask{Call: models.Call{Tool: "talk.fine"}}}
	})
	k.say("remind me to call mom at five")
	<-k.sub.C
	k.say("stop")
	if e := <-k.sub.C; e.Val.Intent != "speech.stop" {
		t.Errorf("%+v", e.Val)
	}
}

func TestDoubtfulWords(t *testing.T) {
	k := newTalk(t, nil)
	if said := k.hear(event.Heard{Text: "delete all my tasks", Sure: 0.1}); said != "Did you say: delete all my tasks?" || len(k.box.calls) > 0 {
		t.Errorf("%q %v", said, k.box.calls)
	}
	k.say("yes")
	if k.last() != `tasks.delete {"all":true}` {
		t.Error(k.last())
	}
	k.hear(event.Heard{Text: "what time is it", Sure: 0.1})
	if k.last() != "clock.time {}" {
		t.Errorf("a question is confirmed: %s", k.last())
	}
	k.hear(event.Heard{Text: "stop", Sure: 0.1})
	if k.last() != "speech.stop {}" {
		t.Errorf("stop is confirmed: %s", k.last())
	}
}

func TestToolsThatFail(t *testing.T) {
	k := newTalk(t, func(_ *mind.Config, b *box) {
		b.errs["clock.time"] = errors.New("no clock")
		b.results["clock.time"] = models.Result{}
		b.errs["timers.list"] = errors.New("denied")
		b.results["timers.list"] = models.Result{Say: "I may not do that."}
	})
	if said := k.say("what time is it"); said != "Sorry, that did not work." {
		t.Error(said)
	}
	if said := k.say("list my timers"); said != "I may not do that." {
		t.Error(said)
	}
}

func TestATurnThatEnds(t *testing.T) {
	gone := errors.New("barge-in")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	k := newTalk(t, nil)
	for said, err := range k.mind.Answer(ctx, event.Heard{Text: "what time is it", Sure: 1}) {
		if said != "" || !errors.Is(err, gone) {
			t.Errorf("%q, %v", said, err)
		}
	}
}

type agent struct{}

func (agent) Answer(_ context.Context, h event.Heard) iter.Seq2[models.Answer, error] {
	return func(yield func(models.Answer, error) bool) {
		_ = yield(models.Answer{Text: "You said"}, nil) && yield(models.Answer{Text: h.Text + "."}, nil)
	}
}

func TestTheAgentAnswersTheRest(t *testing.T) {
	k := newTalk(t, func(c *mind.Config, _ *box) { c.Agent = agent{} })
	if said := k.say("why is the sky blue"); said != "You said why is the sky blue." {
		t.Error(said)
	}
	if k.say("what time is it"); k.last() != "clock.time {}" {
		t.Error(k.last())
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{"remind me to call mom at 25:99", "set an alarm for tomorrow", "yes", "no, no", "add x to my list by the 99th", ""} {
		f.Add("remind me to call mom", s)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		k := newTalk(t, func(_ *mind.Config, b *box) {
			b.results["reminders.create"] = models.Result{Say: "When?", Ask: ask("time", "reminders.create", `{"text":"x"}`)}
		})
		for _, text := range []string{first, second} {
			k.say(text)
		}
		for _, c := range k.box.calls {
			if _, args, ok := strings.Cut(c, " "); ok && !json.Valid([]byte(args)) {
				t.Errorf("bad arguments %s", c)
			}
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	m := mind.New(mind.Config{Intents: intent.English(), Tools: &box{}, Now: func() time.Time { return monday }})
	for b.Loop() {
		for range m.Answer(b.Context(), event.Heard{Text: "remind me to call mom tomorrow at nine", Sure: 1}) {
		}
	}
}
