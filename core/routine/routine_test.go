package routine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 3, 27, 8, 30, 0, 0, time.UTC)

// box is a toolbox of a few tools that writes down what was called.
type box struct {
	called []string
	origin []models.Origin
	asks   int
}

var errOdd = errors.New("unfit arguments")

func (b *box) Check(c models.Call) error {
	if strings.HasPrefix(c.Tool, "secret.") {
		return errors.New("no such tool")
	}
	if len(c.Arguments) > 0 && !json.Valid(c.Arguments) {
		return errOdd
	}
	return nil
}

func (b *box) Call(ctx context.Context, c models.Call) (models.Result, error) {
	b.called = append(b.called, c.Tool+" "+string(c.Arguments))
	b.origin = append(b.origin, models.OriginOf(ctx))
	switch c.Tool {
	case "mail.send": // asks for the user's word
		b.asks++
		id := fmt.Sprint(b.asks)
		return models.Result{Say: "Shall I send it?", Ask: &models.Ask{Approval: id, Call: models.Call{Tool: "approvals.grant", Arguments: json.RawMessage(`"` + id + `"`)},
			No: &models.Call{Tool: "approvals.refuse", Arguments: json.RawMessage(`"` + id + `"`)}}}, nil
	case "approvals.grant":
		return models.Result{Say: "Sent."}, nil
	case "approvals.refuse":
		return models.Result{Say: "I left that."}, nil
	case "tasks.delete":
		return models.Result{Say: "Shall I delete all 5 tasks?", Ask: &models.Ask{Call: models.Call{Tool: "tasks.drop"}}}, nil
	case "alarms.set":
		return models.Result{Say: "For what time?", Ask: &models.Ask{Slot: "time", Call: c}}, nil
	case "broken.tool":
		return models.Result{Say: "Sorry, that went wrong."}, errors.New("boom")
	case "mute.tool":
		return models.Result{}, errors.New("boom")
	}
	return models.Result{Say: "Did " + c.Tool + "."}, nil
}

// orders are the commands that are understood; the time in them is told by the clock.
func orders(clock func() time.Time) func(string) (models.Call, bool) {
	return func(text string) (models.Call, bool) {
		switch text = strings.ToLower(text); text {
		case "mute", "mute the microphone":
			return models.Call{Tool: "microphone.mute"}, true
		case "set a timer for ten minutes", "start a timer for ten minutes":
			return models.Call{Tool: "timers.set", Arguments: json.RawMessage(`{"duration":"PT10M"}`)}, true
		case "remind me to eat at noon":
			return models.Call{Tool: "reminders.create", Arguments: fmt.Appendf(nil, `{"time":%q}`, clock().Format(time.DateOnly))}, true
		case "add salt and pepper to my list":
			return models.Call{Tool: "tasks.create", Arguments: json.RawMessage(`{"description":"salt and pepper"}`)}, true
		case "send the mail":
			return models.Call{Tool: "mail.send"}, true
		case "delete all tasks":
			return models.Call{Tool: "tasks.delete"}, true
		case "set an alarm":
			return models.Call{Tool: "alarms.set"}, true
		case "break":
			return models.Call{Tool: "broken.tool"}, true
		case "run movie time":
			return models.Call{Tool: "routines.run"}, true
		}
		return models.Call{}, false
	}
}

type shelf struct {
	*routine.Book
	box   *box
	clock time.Time
}

func fresh(t testing.TB) *shelf {
	t.Helper()
	db, err := rows.Open(context.Background(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(context.Background(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{box: &box{}, clock: now}
	tell := func() time.Time { return s.clock }
	s.Book = routine.New(routine.Config{Rows: store.New(db, user).Routines(), Box: s.box, Read: orders(tell), Now: tell})
	return s
}

func (s *shelf) add(t testing.TB, name, text string) routine.Routine {
	t.Helper()
	actions, err := s.Actions(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	r, err := s.Add(t.Context(), routine.Routine{Name: name, Actions: actions})
	if err != nil {
		t.Fatalf("%q: %v", name, err)
	}
	return r
}

func told(actions []routine.Action) string {
	var out []string
	for _, a := range actions {
		if a.Tool == "" {
			out = append(out, fmt.Sprintf("say %q", a.Say))
		} else {
			out = append(out, a.Tool)
		}
	}
	return strings.Join(out, ", ")
}

func TestWhatIsToBeDone(t *testing.T) {
	s := fresh(t)
	for text, want := range map[string]string{
		"mute": "microphone.mute",
		"Mute the microphone and set a timer for ten minutes.":      "microphone.mute, timers.set",
		"mute, set a timer for ten minutes, and say enjoy the film": `microphone.mute, timers.set, say "enjoy the film"`,
		"add salt and pepper to my list":                            "tasks.create",
		"add salt and pepper to my list and then mute":              "tasks.create, microphone.mute",
		"say lights, camera and action then mute":                   `say "lights, camera and action", microphone.mute`,
		"mute; start a timer for ten minutes; say hello":            `microphone.mute, timers.set, say "hello"`,
		"remind me to eat at noon, then send the mail":              "reminders.create, mail.send",
		"mute and":       "",
		"":               "",
		" ,;. ":          "",
		"say":            "",
		"dim the lights": "",
		"mute and dim the lights and set a timer for ten minutes": "",
		"run movie time":                                              "",
		"mute and run movie time":                                     "",
		strings.Repeat("mute and ", 1000) + "mute":                    "",
		strings.Repeat("x", 1<<20):                                    "",
		strings.Repeat("mute, ", 20) + "mute":                         "",
		strings.TrimSuffix(strings.Repeat("mute, ", 20), ", "):        strings.TrimSuffix(strings.Repeat("microphone.mute, ", 20), ", "),
		"mute \x00\x1b[31m and'; DROP TABLE routines; -- set a timer": "",
		"MUTE THE MICROPHONE AND SAY İstanbul":                        `microphone.mute, say "İstanbul"`,
	} {
		got, err := s.Actions(text)
		if told(got) != want || (err == nil) != (want != "") {
			t.Errorf("%.60q: %s, %v, want %s", text, told(got), err, want)
		}
	}
	var unread *routine.UnreadError
	if _, err := s.Actions("mute and dim the lights and set a timer for ten minutes"); !errors.As(err, &unread) || unread.Words != "dim the lights" {
		t.Errorf("what was not read: %v", err)
	}
}

func TestWhatIsNoRoutine(t *testing.T) {
	s := fresh(t)
	s.add(t, "Movie time", "mute")
	mute := []routine.Action{{Tool: "microphone.mute"}}
	for name, tt := range map[string]struct {
		in   routine.Routine
		want error
	}{
		"no name":         {routine.Routine{Actions: mute}, routine.ErrName},
		"only signs":      {routine.Routine{Name: "\x00 -- ?", Actions: mute}, routine.ErrName},
		"1 MB":            {routine.Routine{Name: strings.Repeat("x", 1<<20), Actions: mute}, routine.ErrName},
		"taken":           {routine.Routine{Name: "movie  TIME!", Actions: mute}, routine.ErrTaken},
		"a command":       {routine.Routine{Name: "mute", Actions: mute}, routine.ErrCommand},
		"nothing to do":   {routine.Routine{Name: "x"}, routine.ErrEmpty},
		"an empty action": {routine.Routine{Name: "x", Actions: []routine.Action{{}}}, routine.ErrEmpty},
		"too much":        {routine.Routine{Name: "x", Actions: make([]routine.Action, 21)}, routine.ErrLong},
		"a long sentence": {routine.Routine{Name: "x", Actions: []routine.Action{{Say: strings.Repeat("x", 501)}}}, routine.ErrLong},
		"long arguments":  {routine.Routine{Name: "x", Actions: []routine.Action{{Tool: "a.b", Arguments: json.RawMessage(`"` + strings.Repeat("x", 1<<17) + `"`)}}}, routine.ErrLong},
		"odd arguments":   {routine.Routine{Name: "x", Actions: []routine.Action{{Tool: "a.b", Arguments: json.RawMessage(`{`)}}}, errOdd},
		"itself":          {routine.Routine{Name: "x", Actions: []routine.Action{{Tool: "routines.run"}}}, routine.ErrNested},
	} {
		if _, err := s.Add(t.Context(), tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	if _, err := s.Add(t.Context(), routine.Routine{Name: "x", Actions: []routine.Action{{Tool: "secret.door"}}}); err == nil {
		t.Error("a tool that is not there was taken")
	}
	if _, err := s.Remove(t.Context(), 99); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("removing nothing: %v", err)
	}
	if err := s.Restore(t.Context(), routine.Routine{Name: "x", Actions: mute}); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("restoring without a number: %v", err)
	}
}

func TestCalled(t *testing.T) {
	s := fresh(t)
	if _, ok := s.Called(t.Context(), "movie time"); ok {
		t.Error("called, but there is none")
	}
	r := s.add(t, "Movie time", "mute")
	s.add(t, "I'm leaving", "mute")
	for text, want := range map[string]string{
		"movie time": "Movie time", "Movie time!": "Movie time", "hey solo movie time please": "Movie time", "it's movie time": "Movie time",
		"MOVIE TIME now": "Movie time", "i'm leaving": "I'm leaving", "I’m leaving.": "I'm leaving", "movie": "", "time": "", "what time is it": "",
		"is it movie time yet": "", "": "", strings.Repeat("movie time ", 1e5): "", "movie time'; DROP TABLE routines": "",
	} {
		if got, ok := s.Called(t.Context(), text); got != want || ok != (want != "") {
			t.Errorf("%.40q calls %q, %v, want %q", text, got, ok, want)
		}
	}
	gone, err := s.Remove(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Called(t.Context(), "movie time"); ok {
		t.Error("called, but it was removed")
	}
	if err := s.Restore(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Called(t.Context(), "movie time"); !ok {
		t.Error("not called, but it was restored")
	}
	found, err := s.Find(t.Context(), "the movie")
	if err != nil || len(found) != 1 || found[0].ID != r.ID || found[0].Name != "Movie time" {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestRun(t *testing.T) {
	s := fresh(t)
	r := s.add(t, "Movie time", "mute, set a timer for ten minutes, break, remind me to eat at noon and say enjoy the film")
	s.clock = now.Add(48 * time.Hour)
	got, err := s.Run(t.Context(), r)
	if err != nil || got.Say != "Did microphone.mute. Did timers.set. Sorry, that went wrong. Did reminders.create. Enjoy the film." || got.Ask != nil {
		t.Fatalf("said %+v, %v", got, err)
	}
	if last := s.box.called[3]; last != `reminders.create {"time":"2026-03-29"}` {
		t.Errorf("the time is that of the day on which the routine was made: %s", last)
	}
	if now, err := s.Get(t.Context(), r.ID); err != nil || !now.Ran.Equal(s.clock) {
		t.Errorf("ran at %v, %v", now.Ran, err)
	}
	if err := func() error { _, err := s.Remove(t.Context(), r.ID); return err }(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), r); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("one that was removed ran: %v", err)
	}
}

// Each action that needs the user's word waits for it, and the rest goes on after yes and after no.
func TestConsentHoldsForEachAction(t *testing.T) {
	s := fresh(t)
	r := s.add(t, "Good night", "mute, send the mail, set a timer for ten minutes, send the mail and delete all tasks")
	got, err := s.Run(t.Context(), r)
	if err != nil || got.Say != "Did microphone.mute. Shall I send it?" || got.Ask == nil || got.Ask.Call.Tool != routine.YesTool || got.Ask.No.Tool != routine.NoTool {
		t.Fatalf("said %+v, %v", got, err)
	}
	run := func(c models.Call) string {
		var h routine.Halted
		if err := json.Unmarshal(c.Arguments, &h); err != nil {
			t.Fatal(err)
		}
		return h.Run
	}
	first := run(got.Ask.Call)
	got, err = s.Answer(t.Context(), first, true)
	if err != nil || got.Say != "Sent. Did timers.set. Shall I send it?" || got.Ask == nil {
		t.Fatalf("after yes: %+v, %v", got, err)
	}
	if _, err := s.Answer(t.Context(), first, true); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("the same yes twice: %v", err)
	}
	got, err = s.Answer(t.Context(), run(*got.Ask.No), false)
	if err != nil || got.Say != "I left that. Shall I delete all 5 tasks?" || got.Ask == nil {
		t.Fatalf("after no: %+v, %v", got, err)
	}
	late := run(got.Ask.Call)
	if got, err = s.Answer(t.Context(), late, false); err != nil || got.Say != "Okay." {
		t.Errorf("after the last no: %+v, %v", got, err)
	}
	want := []string{"microphone.mute ", "mail.send ", `approvals.grant "1"`, `timers.set {"duration":"PT10M"}`, "mail.send ", `approvals.refuse "2"`, "tasks.delete "}
	if fmt.Sprint(s.box.called) != fmt.Sprint(want) {
		t.Errorf("called %q, want %q", s.box.called, want)
	}
	got, err = s.Run(t.Context(), r)
	if err != nil || got.Ask == nil {
		t.Fatal(got, err)
	}
	s.clock = s.clock.Add(6 * time.Minute)
	if _, err := s.Answer(t.Context(), run(got.Ask.Call), true); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("a yes after six minutes: %v", err)
	}
}

func TestQuestionsInTheMiddle(t *testing.T) {
	s := fresh(t)
	r := s.add(t, "Early", "set an alarm and mute")
	if got, err := s.Run(t.Context(), r); err != nil || got.Ask != nil || got.Say != `I left out "set an alarm": it needs more than the routine tells. Did microphone.mute.` {
		t.Errorf("said %+v, %v", got, err)
	}
	r = s.add(t, "Late", "mute and set an alarm")
	if got, err := s.Run(t.Context(), r); err != nil || got.Ask == nil || got.Ask.Slot != "time" || got.Say != "Did microphone.mute. For what time?" {
		t.Errorf("said %+v, %v", got, err)
	}
	r, err := s.Add(t.Context(), routine.Routine{Name: "Broken", Actions: []routine.Action{{Tool: "mute.tool"}, {Say: "done"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Run(t.Context(), r); err != nil || got.Say != "Mute.tool did not work. Done." {
		t.Errorf("said %+v, %v", got, err)
	}
}

// What a model put down is a model's call whenever it runs: policy sees that.
func TestAModelsRoutineStaysAModels(t *testing.T) {
	s := fresh(t)
	r, err := s.Add(t.Context(), routine.Routine{Name: "Evening", Model: true, Actions: []routine.Action{{Tool: "microphone.mute"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(models.WithOrigin(t.Context(), models.Origin{Channel: "voice"}), r); err != nil {
		t.Fatal(err)
	}
	if o := s.box.origin[0]; !o.Model || o.Channel != "voice" {
		t.Errorf("called as %+v", o)
	}
}

func FuzzActions(f *testing.F) {
	for _, text := range []string{"mute and set a timer for ten minutes", "say a, b; and then c", ", and then ", "add salt and pepper to my list plus mute"} {
		f.Add(text)
	}
	s := &shelf{box: &box{}}
	s.Book = routine.New(routine.Config{Box: s.box, Read: orders(time.Now)})
	f.Fuzz(func(t *testing.T, text string) {
		got, err := s.Actions(text)
		if (err == nil) != (len(got) > 0) || len(got) > routine.MaxActions {
			t.Fatalf("%q: %d actions, %v", text, len(got), err)
		}
		for _, a := range got {
			if a.Tool == "" && a.Say == "" {
				t.Fatalf("%q: an empty action", text)
			}
		}
	})
}
