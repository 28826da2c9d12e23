package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

func TestRules(t *testing.T) {
	user, model := models.Origin{}, models.Origin{Model: true}
	strange := models.Origin{Model: true, Outside: true}
	planned := models.Origin{Model: true, Outside: true, Planned: []string{"mail.send"}}
	heard := models.Origin{Outside: true} // the user speaks while a page lies open
	guest, unknown, guestly := models.Origin{Channel: "guest"}, models.Origin{Channel: "voice", Speaker: "unknown"}, models.Origin{Channel: "guest", Model: true}
	allow, ask, deny := tool.Rules{Allow: []string{"mail.send"}}, tool.Rules{Ask: []string{"mail"}}, tool.Rules{Deny: []string{"mail"}}
	all := tool.Rules{Allow: []string{"mail.send"}, Ask: []string{"mail.send"}, Deny: []string{"mail.send"}}
	name := tool.Rules{Allow: []string{"mail.send"}, Deny: []string{"mail"}}
	near := tool.Rules{Allow: []string{"mail.sen", "ma", "mail.", "send", "MAIL"}}
	const a, q, d = tool.Allow, tool.Ask, tool.Deny
	for _, tt := range []struct {
		what                         string
		rules                        tool.Rules
		by                           models.Origin
		read, write, outward, danger tool.Decision
	}{
		{"the user", tool.Rules{}, user, a, a, q, q},
		{"a model", tool.Rules{}, model, a, a, q, q},
		{"a model that read a page", tool.Rules{}, strange, a, q, q, q},
		{"as it was planned", tool.Rules{}, planned, a, a, q, q},
		{"the user beside a page", tool.Rules{}, heard, a, a, q, q},
		{"a guest", tool.Rules{}, guest, a, d, d, d},
		{"a guest's model", tool.Rules{}, guestly, a, d, d, d},
		{"a voice that nobody knows", tool.Rules{}, unknown, a, d, d, d},
		{"a door held to outward", tool.Rules{}, models.Origin{Channel: "phone"}, a, a, q, d},
		{"a speaker held to write", tool.Rules{}, models.Origin{Channel: "phone", Speaker: "Ben"}, a, a, d, d},
		{"a door that may do nothing", tool.Rules{}, models.Origin{Channel: "mute"}, d, d, d, d},
		{"a door whose setting is wrong", tool.Rules{}, models.Origin{Channel: "typo"}, d, d, d, d},
		{"allowed, beyond what the door may", allow, models.Origin{Channel: "phone"}, a, a, a, d},
		{"allowed, the user", allow, user, a, a, a, a},
		{"allowed, a model", allow, model, a, a, a, a},
		{"allowed, a model that read a page", allow, strange, a, a, q, q},
		{"allowed, as it was planned", allow, planned, a, a, q, q},
		{"allowed, a guest", allow, guest, a, d, d, d},
		{"to be asked, the user", ask, user, q, q, q, q},
		{"to be asked, as planned", ask, planned, q, q, q, q},
		{"denied, the user", deny, user, d, d, d, d},
		{"denied, a model that read a page", deny, strange, d, d, d, d},
		{"all three", all, user, d, d, d, d},
		{"allowed by name, denied by theme", name, user, a, a, a, a},
		{"names that only look like it", near, user, a, a, q, q},
	} {
		tt.rules.May = []string{"guest=read", "unknown=read", "phone = outward", "Ben=write", "mute=none", "typo=reed"}
		for class, want := range map[models.Class]tool.Decision{models.Read: tt.read, models.Write: tt.write, models.Outward: tt.outward, models.Dangerous: tt.danger, "odd": d} {
			s := models.Spec{Name: "mail.send", Class: class}
			if got := tt.rules.Decide(models.WithOrigin(t.Context(), tt.by), s, models.Call{Tool: s.Name}); got != want {
				t.Errorf("%s, %s: %v, want %v", tt.what, class, got, want)
			}
		}
	}
	for _, bad := range []string{"guest", "guest=", "=read", "guest=reed", "guest=Read", ""} {
		if err := tool.New(tool.Config{Rules: tool.Rules{May: []string{bad}}}).Add(saying("a.b", "", models.Read)); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	s := models.Spec{Name: "a.b", Class: models.Write}
	if got := tool.Careful(models.WithOrigin(t.Context(), guest), s, models.Call{}); got != d {
		t.Errorf("Careful lets a guest write: %v", got)
	}
}

func TestStrays(t *testing.T) {
	specs := []models.Spec{{Name: "mail.send"}, {Name: "web.get"}}
	r := tool.Rules{Deny: []string{"mail", "mali.send"}, Allow: []string{"web.get", "web.got"}, Ask: []string{"x"}}
	want := []string{`allow: there is no tool or theme "web.got"`, `ask: there is no tool or theme "x"`, `deny: there is no tool or theme "mali.send"`}
	if got := r.Strays(specs); !slices.Equal(got, want) {
		t.Errorf("strays %q", got)
	}
}

// asker is a Consent whose approvals are numbered.
type asker struct{ calls []models.Call }

func (a *asker) Ask(_ context.Context, _ models.Spec, c models.Call) (models.Result, error) {
	a.calls = append(a.calls, c)
	return models.Result{Say: "May I?", Ask: &models.Ask{Call: models.Call{Tool: "x.yes"}, Approval: fmt.Sprint(len(a.calls))}}, nil
}

type spoken string

func (s spoken) Error() string { return "no: " + string(s) }
func (s spoken) Say() string   { return string(s) }

func TestApproved(t *testing.T) {
	type to struct {
		To string `json:"to" limits:"1..10"`
	}
	ran, spends := 0, 0
	send := tool.Worded(tool.Of("mail.send", "", models.Outward, func(_ context.Context, a to) (models.Result, error) {
		ran++
		return models.Result{Say: "Sent to " + a.To + ".", Undo: tool.CallOf("mail.back", nil)}, nil
	}), "Send it to {to}")
	back := tool.Internal(saying("mail.back", "Back.", models.Write))
	book := &asker{}
	conf := tool.Config{Consent: book, Spend: func(_ context.Context, id string, c models.Call) error {
		if spends++; id != "1" || string(c.Arguments) != `{"to":"Anna"}` {
			return spoken("That was something else.")
		}
		return nil
	}}
	b := box(t, conf, send, back)
	if s := b.Specs()[0]; s.Ask != "Send it to {to}" {
		t.Errorf("spec %+v", s)
	}
	anna, eve := models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Anna"}`)}, models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Eve"}`)}
	if r, err := b.Call(t.Context(), models.Call{Tool: "mail.send", Arguments: []byte(`{"to":7}`)}); !errors.Is(err, tool.ErrArguments) || len(book.calls) != 0 {
		t.Errorf("unfit, and yet asked: %q, %v", r.Say, err)
	}
	if r, err := b.Call(t.Context(), anna); err != nil || r.Ask == nil || ran != 0 {
		t.Errorf("said %q, %v, ran %d", r.Say, err, ran)
	}
	for name, tt := range map[string]struct {
		call models.Call
		id   string
		say  string
		err  error
	}{
		"something else":  {eve, "1", "That was something else.", tool.ErrDenied},
		"another id":      {anna, "2", "That was something else.", tool.ErrDenied},
		"no id":           {anna, "", "I can't do that, because it would tell someone outside this machine and I have no way to ask you first.", tool.ErrDenied},
		"unfit arguments": {models.Call{Tool: "mail.send", Arguments: []byte(`{"to":""}`)}, "1", "Sorry, I didn't get all of that.", tool.ErrArguments},
		"no such tool":    {models.Call{Tool: "mail.sent"}, "1", "I don't know how to do that.", tool.ErrUnknown},
	} {
		if r, err := b.Approved(t.Context(), tt.call, tt.id); !errors.Is(err, tt.err) || r.Say != tt.say || ran != 0 {
			t.Errorf("%s: said %q, %v, ran %d", name, r.Say, err, ran)
		}
	}
	if spends != 2 {
		t.Errorf("used approvals %d times", spends)
	}
	if r, err := b.Approved(t.Context(), anna, "1"); err != nil || r.Say != "Sent to Anna." || ran != 1 {
		t.Errorf("said %q, %v, ran %d", r.Say, err, ran)
	}
	if r, err := b.Undo(t.Context()); err != nil || r.Say != "Back." {
		t.Errorf("undoing said %q, %v", r.Say, err)
	}
	guest := models.WithOrigin(t.Context(), models.Origin{Channel: "guest"})
	if _, err := b.Approved(guest, anna, "1"); !errors.Is(err, tool.ErrDenied) || ran != 1 {
		t.Errorf("a guest with an approval: %v", err)
	}
	conf.Deny = []string{"mail"}
	if _, err := box(t, conf, send, back).Approved(t.Context(), anna, "1"); !errors.Is(err, tool.ErrDenied) || ran != 1 {
		t.Errorf("denied by a setting, and approved: %v", err)
	}
	if _, err := box(t, tool.Config{Consent: book}, send, back).Approved(t.Context(), anna, "1"); !errors.Is(err, tool.ErrDenied) || ran != 1 {
		t.Errorf("nobody knows of approvals: %v", err)
	}
}

// A yes to the question of an approval runs its internal tool without another question; a model cannot say it.
func TestTheAnswerToAnApproval(t *testing.T) {
	ask := tool.Of("think.deeply", "", models.Read, func(context.Context, none) (models.Result, error) {
		return models.Result{Say: "Shall I?", Ask: &models.Ask{Call: models.Call{Tool: "think.send"}, Approval: "a"}}, nil
	})
	plain := tool.Of("think.plainly", "", models.Read, func(context.Context, none) (models.Result, error) {
		return models.Result{Say: "Shall I?", Ask: &models.Ask{Call: models.Call{Tool: "think.send"}}}, nil
	})
	send := tool.Internal(saying("think.send", "Sent.", models.Outward))
	b := box(t, tool.Config{}, ask, plain, send)
	yes := models.Call{Tool: "think.send"}
	call := func(ctx context.Context, c models.Call) error {
		_, err := b.Call(ctx, c)
		return err
	}
	model := models.WithOrigin(t.Context(), models.Origin{Model: true})
	if err := call(model, models.Call{Tool: "think.deeply"}); err != nil {
		t.Fatal(err)
	}
	if err := call(model, yes); !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("a model answered: %v", err)
	}
	if err := call(t.Context(), yes); err != nil {
		t.Errorf("the user answered: %v", err)
	}
	if err := call(t.Context(), yes); !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("twice: %v", err)
	}
	for range 2 { // a question that is asked again can still be answered once
		if err := call(t.Context(), models.Call{Tool: "think.deeply"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(call(t.Context(), yes)); err != nil {
		t.Error(err)
	}
	if err := call(t.Context(), yes); !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("once for each asking: %v", err)
	}
	if err := call(t.Context(), models.Call{Tool: "think.plainly"}); err != nil {
		t.Fatal(err)
	}
	if err := call(t.Context(), yes); !errors.Is(err, tool.ErrDenied) {
		t.Errorf("a yes to a question that is no approval: %v", err)
	}
}

func TestCheckRunsNothing(t *testing.T) {
	type args struct {
		Text string `json:"text" limits:"1..5"`
		N    int    `json:"n" limits:"0..3"`
	}
	ran := false
	run := func(context.Context, args) (models.Result, error) { ran = true; return models.Result{}, nil }
	b := box(t, tool.Config{}, tool.Foreign(tool.Patient(tool.Of("x.do", "", models.Read, run), time.Hour)),
		tool.Internal(tool.Of("x.own", "", models.Read, run)), raw{})
	var bad *tool.ArgumentError
	if err := b.Check(models.Call{Tool: "x.do", Arguments: []byte(`{"text":"","n":9,"m":1}`)}); !errors.As(err, &bad) || len(bad.Problems) != 3 {
		t.Errorf("all that is wrong: %v", err)
	}
	for c, want := range map[string]error{
		"x.do {\"text\":\"a\",\"n\":1}": nil, "x.do": tool.ErrArguments, "x.do [1]": tool.ErrArguments, "x.no": tool.ErrUnknown, "x.own {\"text\":\"a\",\"n\":1}": tool.ErrUnknown,
		"x.raw": nil, "x.raw {\"any\":1}": nil, "x.raw [1]": tool.ErrArguments, "x.raw {": tool.ErrArguments,
	} {
		name, arguments, _ := strings.Cut(c, " ")
		if err := b.Check(models.Call{Tool: name, Arguments: []byte(arguments)}); !errors.Is(err, want) {
			t.Errorf("%s: %v", c, err)
		}
	}
	if s := b.Specs()[0]; ran || !s.Outside || s.Name != "x.do" {
		t.Errorf("ran %v, spec %+v", ran, s)
	}
}

// raw is a tool that Of did not make.
type raw struct{}

func (raw) Spec() models.Spec { return models.Spec{Name: "x.raw", Class: models.Read} }
func (raw) Run(context.Context, json.RawMessage) (models.Result, error) {
	return models.Result{Say: "Raw."}, nil
}

func TestAPatientToolHasItsOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(name string) tool.Tool {
			return tool.Of(name, "", models.Read, func(ctx context.Context, _ none) (models.Result, error) {
				select {
				case <-time.After(time.Minute):
					return models.Result{Say: "At last."}, nil
				case <-ctx.Done():
					return models.Result{}, ctx.Err()
				}
			})
		}
		b := box(t, tool.Config{Limit: time.Second, Policy: tool.Careful, Spend: func(context.Context, string, models.Call) error { return nil }},
			tool.Internal(tool.Patient(slow("x.inner"), 2*time.Minute)), tool.Patient(slow("x.long"), 2*time.Minute), slow("x.short"), tool.Patient(slow("x.brisk"), time.Millisecond))
		for name, want := range map[string]error{"x.long": nil, "x.short": tool.ErrLate, "x.brisk": tool.ErrLate} {
			if _, err := b.Call(t.Context(), models.Call{Tool: name}); !errors.Is(err, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.Approved(t.Context(), models.Call{Tool: "x.inner"}, "a"); err != nil {
			t.Errorf("approved: %v", err)
		}
		if err := tool.New(tool.Config{}).Add(tool.Patient(slow("x.none"), 0)); err == nil {
			t.Error("took a limit of nothing")
		}
	})
}

func TestModelsCallNoMoreThanTheyMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := box(t, tool.Config{Rates: tool.Rates{Reads: 60, Writes: 6, Each: []string{"r.rare=2", " r.odd = 120 "}}},
			saying("r.one", "One.", models.Read), saying("r.two", "Two.", models.Read), saying("r.rare", "Rare.", models.Read), saying("w.one", "One.", models.Write))
		model := models.WithOrigin(t.Context(), models.Origin{Model: true})
		passed := func(name string, tries int) int {
			n := 0
			for range tries {
				r, err := b.Call(model, models.Call{Tool: name})
				if err == nil {
					n++
				} else if !errors.Is(err, tool.ErrOften) || !errors.Is(err, tool.ErrDenied) || !strings.Contains(r.Say, "too often") {
					t.Errorf("%s: %q, %v", name, r.Say, err)
				}
			}
			return n
		}
		expect := func(name string, want int) {
			t.Helper()
			if got := passed(name, 200); got != want {
				t.Errorf("%s passed %d times, want %d", name, got, want)
			}
		}
		expect("r.rare", 2)
		expect("r.one", 58) // of the class's 60
		expect("r.two", 0)
		expect("w.one", 6)
		time.Sleep(10 * time.Second)
		expect("w.one", 1)
		expect("r.two", 10)
		time.Sleep(time.Hour)
		expect("w.one", 6) // and no more for having waited
		for range 500 {
			if _, err := b.Call(t.Context(), models.Call{Tool: "w.one"}); err != nil {
				t.Fatalf("the user: %v", err)
			}
		}
	})
	for _, bad := range []string{"web", "web=", "web=x", "web=0", "web=-1", "=", "=5", "web=1.5"} {
		if err := tool.New(tool.Config{Rates: tool.Rates{Each: []string{bad}}}).Add(saying("a.b", "", models.Read)); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
