package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// desk saves a task's progress as a job would.
type desk struct {
	saved json.RawMessage
	doing []string
	part  float64
	die   string // ends at the save whose step is this, as a crash would
	after int    // of so many saves of it
}

var errCrash = errors.New("crash")

func (d *desk) save(_ context.Context, state any, progress float64, doing string) error {
	raw, err := json.Marshal(state)
	if err != nil {
		return err
	}
	d.saved, d.part = raw, progress
	d.doing = append(d.doing, doing)
	if doing == d.die && d.die != "" {
		if d.after--; d.after < 0 {
			return errCrash
		}
	}
	return nil
}

func (d *desk) progress(t *testing.T) Progress {
	t.Helper()
	var p Progress
	if err := json.Unmarshal(d.saved, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func input(goal string) json.RawMessage {
	raw, err := json.Marshal(TaskInput{Goal: goal})
	if err != nil {
		panic(err)
	}
	return raw
}

const (
	good    = `{"good":true,"missing":""}`
	pdfPlan = `{"steps":[{"do":"Read the PDF","tool":"documents.read"},{"do":"Summarize it","tool":""},{"do":"Remember the summary","tool":"memory.remember"}]}`
)

// pdfTask is a model that summarizes a PDF and remembers it.
func pdfTask() *script {
	return says(pdfPlan, uses("documents.read", `{"path":"report.pdf"}`), reply("Sales rose by 4 percent."),
		uses("memory.remember", `{"text":"The report says that sales rose by 4 percent."}`), good)
}

const pdfSaid = "I'll remember: The report says that sales rose by 4 percent."

func TestSummarizeThisPDFAndRememberIt(t *testing.T) {
	b, m, d := toolbox(), pdfTask(), &desk{}
	bs := &bus.Bus{}
	var events []string
	bs.Tap(func(_ bus.Meta, e any) {
		switch e := e.(type) {
		case Planned:
			events = append(events, fmt.Sprintf("planned %d", len(e.Steps)))
		case Stepped:
			events = append(events, fmt.Sprintf("step %d of %d %s %s", e.Step, e.Of, e.Tool, e.Outcome))
		case Criticised:
			events = append(events, fmt.Sprintf("good %v", e.Good))
		}
	})
	a := New(Config{Model: m, Tools: b, Bus: bs, Now: func() time.Time { return monday }})
	r, err := a.Task(t.Context(), input("summarize this PDF and remember it"), nil, d.save)
	if err != nil || r.Say != pdfSaid {
		t.Fatalf("%q, %v", r.Say, err)
	}
	if want := `documents.read{"path":"report.pdf"} memory.remember{"text":"The report says that sales rose by 4 percent."}`; b.calls() != want || len(b.faults) > 0 {
		t.Errorf("called %s", b.calls())
	}
	if got, want := strings.Join(events, ", "), "planned 3, step 1 of 3 documents.read done, step 2 of 3  done, step 3 of 3 memory.remember done, good true"; got != want {
		t.Errorf("events %s", got)
	}
	// The plan was made before anything was read, and says so to policy.
	last := b.origins[1]
	if !last.Model || !last.Outside || strings.Join(last.Planned, " ") != "documents.read memory.remember" || b.origins[0].Outside {
		t.Errorf("origins %+v", b.origins)
	}
	for _, r := range m.requests() {
		if len(r.Schema) == 0 || r.Work != models.Planning {
			t.Errorf("%s without a schema", r.Work)
		}
	}
	contains(t, m.requests()[2].Messages[1].Text, "<<outside ", "sales rose by 4 percent")
	talk, _ := a.c.Sessions.Lines(t.Context(), "")
	if len(talk.Lines) != 1 || talk.Lines[0].Text != pdfSaid || !talk.Lines[0].Outside {
		t.Errorf("the report is not in the talk: %+v", talk)
	}
}

// However a task is interrupted, it goes on where it was, and changes nothing twice.
func TestATaskGoesOnAfterEveryCrash(t *testing.T) {
	for crash := 0; ; crash++ {
		b, m, d := toolbox(), pdfTask(), &desk{}
		a := newAgent(t, m, b)
		left := crash
		r, err := a.Task(t.Context(), input("summarize this PDF and remember it"), nil, func(ctx context.Context, s any, p float64, doing string) error {
			if err := d.save(ctx, s, p, doing); err != nil {
				return err
			}
			if left--; left < 0 {
				return errCrash // saved, and nothing after it
			}
			return nil
		})
		if err == nil {
			if r.Say != pdfSaid || crash < 8 {
				t.Errorf("%d saves: %q", crash, r.Say)
			}
			return
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		// The model's turns go on where they were, save for the request whose answer was lost.
		before := d.progress(t)
		m.turns = restart(before)
		r, err = a.Task(t.Context(), input("summarize this PDF and remember it"), d.saved, d.save)
		if err != nil {
			t.Fatalf("crash %d: %v", crash, err)
		}
		writes := strings.Count(b.calls(), "memory.remember")
		unsure := strings.Contains(r.Say, "do not know whether")
		if writes > 1 || writes == 0 && !unsure || !unsure && r.Say != pdfSaid {
			t.Errorf("crash %d: said %q, called %s", crash, r.Say, b.calls())
		}
		if b.faults != nil {
			t.Error(b.faults)
		}
	}
}

// restart gives the answers that the steps which are left need.
func restart(p Progress) (all []line) {
	answers := []string{uses("documents.read", `{"path":"report.pdf"}`), reply("Sales rose by 4 percent."), uses("memory.remember", `{"text":"The report says that sales rose by 4 percent."}`)}
	for i, s := range p.Steps {
		if s.State == "" || s.State == Begun && s.Call == nil {
			all = append(all, line{text: answers[i]})
		}
	}
	if !p.Checked {
		all = append(all, line{text: good})
	}
	return all
}

func TestTasks(t *testing.T) {
	plan := func(steps ...string) string {
		var all []string
		for _, s := range steps {
			do, tool, _ := strings.Cut(s, "|")
			all = append(all, fmt.Sprintf(`{"do":%q,"tool":%q}`, do, tool))
		}
		return `{"steps":[` + strings.Join(all, ",") + `]}`
	}
	timer := uses("timers.set", `{"duration":"PT5M"}`)
	for name, tt := range map[string]struct {
		model []string
		say   string
		calls string
	}{
		"nothing changed": {[]string{plan("Look at the clock|clock.time"), uses("clock.time", "{}"), good, "It is twenty past four."}, "It is twenty past four.", "clock.time{}"},
		"no report":       {[]string{plan("Think|"), reply("It is Tuesday."), good}, "It is Tuesday.", ""},
		"something is missing": {[]string{plan("Set a timer|timers.set"), timer, `{"good":false,"missing":"the note"}`, plan("Note it|memory.remember"), uses("memory.remember", `{"text":"eggs"}`), good},
			"Timer set for 5 minutes. I'll remember: eggs", `timers.set{"duration":"PT5M"} memory.remember{"text":"eggs"}`},
		"never content": {[]string{plan("Set a timer|timers.set"), timer, `{"good":false,"missing":"more"}`, plan("Look|clock.time"), uses("clock.time", "{}"), `{"good":false,"missing":"more"}`, plan("Look|clock.time"), uses("clock.time", "{}")},
			"Timer set for 5 minutes.", `timers.set{"duration":"PT5M"} clock.time{} clock.time{}`},
		"the same change again": {[]string{plan("Set a timer|timers.set"), timer, `{"good":false,"missing":"a timer"}`, plan("Set it|timers.set"), timer, good}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"a step fails": {[]string{plan("Light|lights.on", "Set a timer|timers.set"), uses("lights.on", "{}"), uses("lights.on", "{}"), uses("lights.on", "{}"), uses("lights.on", "{}"), uses("lights.on", "{}"), uses("lights.on", "{}"), uses("lights.on", "{}"), timer, good},
			"The lamp does not answer. Timer set for 5 minutes.", strings.Repeat("lights.on{} ", 7) + `timers.set{"duration":"PT5M"}`},
		"bad plan, mended":          {[]string{plan("Boil|eggs.boil"), `{"steps":[]}`, plan("Set a timer|timers.set"), timer, good}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"bad plans":                 {[]string{"No.", "{}", plan("Boil|eggs.boil")}, models.Excuse(models.ErrNonsense), ""},
		"wrong tool in a step":      {[]string{plan("Set a timer|timers.set"), uses("memory.remember", `{"text":"x"}`), reply("I did it."), timer, good}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"claims in place of a call": {append([]string{plan("Set a timer|timers.set")}, append(strings.Split(strings.Repeat(reply("Done.")+"\n", 7), "\n")[:7], good)...), "I could not do this: Set a timer.", ""},
		"no critic":                 {[]string{plan("Set a timer|timers.set"), timer, "{", "{", "{"}, "Timer set for 5 minutes.", `timers.set{"duration":"PT5M"}`},
		"a step without a tool cannot change anything": {[]string{plan("Think|"), timer, reply("Thought."), good, "I thought."}, "I thought.", ""},
		"broken model": {[]string{plan("Set a timer|timers.set", "Think|"), timer}, "Timer set for 5 minutes. " + models.Excuse(models.ErrBroken), `timers.set{"duration":"PT5M"}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := toolbox()
			r, err := newAgent(t, says(tt.model...), b).Task(t.Context(), input("do it"), nil, (&desk{}).save)
			if r.Say != tt.say || b.calls() != tt.calls || len(b.faults) > 0 {
				t.Errorf("said %q (%v), called %s", r.Say, err, b.calls())
			}
			if (err != nil) != strings.HasPrefix(name, "b") && name != "bad plan, mended" {
				t.Error(err)
			}
		})
	}
}

// approving is a toolbox whose approvals work.
type approving struct {
	*box
	fail bool
	used []string
}

func (b *approving) Approved(_ context.Context, c models.Call, approval string) (models.Result, error) {
	b.used = append(b.used, approval+":"+c.Tool+string(c.Arguments))
	if b.fail {
		return models.Result{Say: "Okay, I won't."}, errors.New("refused")
	}
	return models.Result{Say: "Sent."}, nil
}

func TestATaskWaitsForTheUsersWord(t *testing.T) {
	for name, tt := range map[string]struct {
		fail bool
		want string
	}{"yes": {false, "Sent. Timer set for 5 minutes."}, "no": {true, "Okay, I won't. Timer set for 5 minutes."}} {
		t.Run(name, func(t *testing.T) {
			b := &approving{box: toolbox(), fail: tt.fail}
			m := says(`{"steps":[{"do":"Mail Anna","tool":"mail.send"},{"do":"Set a timer","tool":"timers.set"}]}`, uses("mail.send", `{"to":"Anna","text":"late"}`), uses("timers.set", `{"duration":"PT5M"}`), good)
			a := New(Config{Model: m, Tools: b})
			d := &desk{}
			r, err := a.Task(t.Context(), input("mail Anna and set a timer"), nil, d.save)
			if err != nil || r.Ask == nil || r.Ask.Approval != "a1" || r.Say != "Send it to Anna. Yes or no?" {
				t.Fatalf("%+v, %v", r, err)
			}
			r, err = a.Task(t.Context(), input("mail Anna and set a timer"), d.saved, d.save)
			if err != nil || r.Say != tt.want || r.Ask != nil {
				t.Errorf("%+v, %v", r, err)
			}
			if len(b.used) != 1 || b.used[0] != `a1:mail.send{"text":"late","to":"Anna"}` || strings.Count(b.calls(), "mail.send") != 1 {
				t.Errorf("used %v, called %s", b.used, b.calls())
			}
		})
	}
}

func TestATaskIsBounded(t *testing.T) {
	b := toolbox()
	m := &script{other: func(r models.Request) (line, bool) {
		text := uses("clock.time", "{}")
		if strings.Contains(string(r.Schema), "steps") {
			text = `{"steps":[{"do":"Look","tool":""}]}`
		}
		return line{text: text, usage: &models.Usage{Prompt: 900, Generated: 100}}, true
	}}
	a := New(Config{Model: m, Tools: b, TaskTokens: 5000})
	r, err := a.Task(t.Context(), input("look"), nil, (&desk{}).save)
	if err != nil || !strings.Contains(r.Say, "more than a task may cost") {
		t.Errorf("%q, %v", r.Say, err)
	}
	if n := len(m.requests()); n > 8 {
		t.Errorf("%d requests", n)
	}
	synctest.Test(t, func(t *testing.T) {
		a := New(Config{Model: &script{turns: []line{{hang: true}}}, Tools: b})
		r, err := a.Task(t.Context(), input("look"), nil, (&desk{}).save)
		if !errors.Is(err, models.ErrLate) || r.Say != models.Excuse(models.ErrLate) {
			t.Errorf("%q, %v", r.Say, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errGone) })
		a = New(Config{Model: &script{turns: []line{{hang: true}}}, Tools: b})
		if _, err := a.Task(ctx, input("look"), nil, (&desk{}).save); !errors.Is(err, errGone) {
			t.Error(err)
		}
	})
}

func TestLongTextsAreMadeShortInChunks(t *testing.T) {
	long := strings.Repeat("The sales of the northern branch rose by four percent in the third quarter. ", 600)
	b := toolbox()
	b.give["documents.read"] = func(context.Context, models.Call) (models.Result, error) {
		raw, err := json.Marshal(map[string]string{"text": long})
		return models.Result{Say: "I read it.", Data: raw}, err
	}
	m := pdfTask()
	m.other = func(r models.Request) (line, bool) {
		if n := tokensOf(r.Messages); n > 4096 {
			t.Errorf("a prompt of %d tokens", n)
		}
		return line{text: "Sales of the north rose."}, r.Work == models.Summarizing
	}
	a := newAgent(t, m, b)
	if r, err := a.Task(t.Context(), input("summarize this PDF and remember it"), nil, (&desk{}).save); err != nil || r.Say != pdfSaid {
		t.Errorf("%q, %v", r.Say, err)
	}
	chunks := 0
	for _, r := range m.requests() {
		if r.Work == models.Summarizing {
			chunks++
			contains(t, r.Messages[1].Text, "<<outside ")
		}
	}
	if chunks < 3 || chunks > maxChunks {
		t.Errorf("%d chunks", chunks)
	}
}

type office struct {
	kind, title string
	in          any
	err         error
}

func (o *office) Start(_ context.Context, kind, title string, input any) (int64, error) {
	o.kind, o.title, o.in = kind, title, input
	return 7, o.err
}

func TestLongWorkBecomesAJob(t *testing.T) {
	for name, tt := range map[string]struct {
		words string
		model []string
		goal  string
	}{
		"the model's choice": {"do my taxes", []string{uses(TaskTool, `{"goal":"Do the taxes of 2025"}`)}, "Do the taxes of 2025"},
		"plan":               {"plan my week in Bremen", nil, "plan my week in Bremen"},
		"and then":           {"read the report and then summarize it and then remember it", nil, "read the report and then summarize it and then remember it"},
	} {
		t.Run(name, func(t *testing.T) {
			o := &office{}
			a := New(Config{Model: says(tt.model...), Tools: toolbox(), Jobs: o})
			ctx := models.WithOrigin(t.Context(), models.Origin{Channel: "voice", Session: "s", Speaker: "kim"})
			got := hear(ctx, a, tt.words)
			if got.text != "I'm at work on it, and I'll tell you when it's done." || o.kind != TaskKind {
				t.Errorf("%+v %+v", got, o)
			}
			if want := (TaskInput{Goal: tt.goal, Session: "s", Channel: "voice", Speaker: "kim"}); o.in != want {
				t.Errorf("%+v", o.in)
			}
		})
	}
	a := New(Config{Model: says(), Tools: toolbox(), Jobs: &office{err: errors.New("no disk")}})
	if got := hear(t.Context(), a, "plan my week in Bremen"); got.text == "" || got.err != nil {
		t.Errorf("%+v", got)
	}
}

func TestWithoutJobsTheUserWaits(t *testing.T) {
	m := pdfTask()
	m.turns = append([]line{{text: uses(TaskTool, `{"goal":"summarize report.pdf and remember it"}`)}}, m.turns...)
	if got := hear(t.Context(), newAgent(t, m, toolbox()), "summarize this PDF and remember it"); got.text != "Let me work through that. "+pdfSaid {
		t.Errorf("%+v", got)
	}
}

// Work that the user waits for may take longer than an answer.
func TestAnInlineTaskHasItsOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := pdfTask()
		for i := range m.turns {
			m.turns[i].size, m.turns[i].wait = 1000, time.Minute
		}
		if got := hear(t.Context(), newAgent(t, m, toolbox()), "plan to summarize the PDF"); !strings.HasSuffix(got.text, pdfSaid) {
			t.Errorf("%+v", got)
		}
	})
}

// What was done before an inline task broke is told.
func TestABrokenInlineTaskTellsWhatItDid(t *testing.T) {
	m := says(`{"steps":[{"do":"Set a timer","tool":"timers.set"},{"do":"Think","tool":""}]}`, uses("timers.set", `{"duration":"PT5M"}`))
	got := hear(t.Context(), newAgent(t, m, toolbox()), "plan the boiling of an egg")
	if want := "Let me work through that. Timer set for 5 minutes. " + models.Excuse(models.ErrBroken); got.text != want {
		t.Errorf("%q, want %q", got.text, want)
	}
}

func TestATaskNeedsAGoal(t *testing.T) {
	a := newAgent(t, says(), toolbox())
	for _, in := range []string{``, `{}`, `{"goal":" "}`, `[`} {
		if r, err := a.Task(t.Context(), json.RawMessage(in), nil, (&desk{}).save); err == nil || r.Say == "" {
			t.Errorf("%s: %+v, %v", in, r, err)
		}
	}
	if _, err := a.Task(t.Context(), input("x"), json.RawMessage(`{"steps":5}`), (&desk{}).save); err == nil {
		t.Error("broken progress is taken")
	}
}
