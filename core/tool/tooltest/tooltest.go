// Package tooltest plays written talks against tools, for their tests.
package tooltest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// Clock is a clock that only a script moves.
type Clock struct{ now time.Time }

// At makes a Clock that shows a time, such as "2026-11-21 16:20", in a zone by its IANA name.
func At(t testing.TB, reading, zone string) *Clock {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.ParseInLocation("2006-01-02 15:04", reading, loc)
	if err != nil {
		t.Fatal(err)
	}
	return &Clock{now}
}

// Now is the time shown.
func (c *Clock) Now() time.Time { return c.now }

// Box puts tools into a box.
func Box(t testing.TB, tools ...tool.Tool) *tool.Box {
	t.Helper()
	b := tool.New(tool.Config{})
	if err := b.Add(tools...); err != nil {
		t.Fatal(err)
	}
	return b
}

// Fine is the tool of tool.Fine, for boxes without core/tool/talk.
func Fine() tool.Tool {
	return tool.Internal(tool.Of(tool.Fine.Tool, "Acknowledges.", models.Read, func(context.Context, struct{}) (models.Result, error) {
		return models.Result{Say: "Okay."}, nil
	}))
}

// Play runs a script, line by line:
//
//	timers.set {"duration":"PT5M"}    calls a tool; without arguments the braces may be left out
//	  5 minutes, starting now.        what must be said, indented; "-" for nothing
//	+90s                              the clock goes on
//	yes, no                           answers the open question
//	> the pasta one                   fills the open question's slot
//	undo                              takes the last action back
//	# words                           a remark
//
// Everywhere it checks that a reply asks something where it ends in a question mark, and only there.
func Play(t *testing.T, b *tool.Box, c *Clock, script string) {
	t.Helper()
	p := player{t: t, box: b, clock: c}
	for n, line := range strings.Split(script, "\n") {
		p.line = n + 1
		p.step(line)
	}
	if p.open {
		t.Errorf("at the end nothing is expected of %q", p.did)
	}
}

type player struct {
	t     *testing.T
	box   *tool.Box
	clock *Clock
	line  int
	did   string
	open  bool // a reply is yet to be compared
	last  models.Result
}

func (p *player) step(line string) {
	p.t.Helper()
	line = strings.TrimLeft(line, "\t")
	switch {
	case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
	case strings.HasPrefix(line, "  "):
		p.expect(strings.TrimSpace(line))
	case strings.HasPrefix(line, "+"):
		d, err := time.ParseDuration(line[1:])
		if err != nil {
			p.t.Fatalf("line %d: %v", p.line, err)
		}
		p.clock.now = p.clock.now.Add(d)
	default:
		p.do(strings.TrimSpace(line))
	}
}

func (p *player) expect(want string) {
	p.t.Helper()
	if want == "-" {
		want = ""
	}
	if p.last.Say != want {
		p.t.Errorf("line %d: %s\n said %q\n want %q", p.line, p.did, p.last.Say, want)
	}
	p.open = false
}

func (p *player) do(line string) {
	p.t.Helper()
	if p.open {
		p.t.Errorf("line %d: nothing is expected of %q, which said %q", p.line, p.did, p.last.Say)
	}
	p.did, p.open = line, true
	var err error
	switch ask := p.last.Ask; {
	case line == "undo":
		if p.last, err = p.box.Undo(p.t.Context()); errors.Is(err, tool.ErrNothing) {
			err = nil
		}
	case line == "yes":
		p.last, err = p.answer(ask, func() models.Call { return ask.Call })
	case line == "no" && ask != nil && ask.No == nil:
		p.last = models.Result{}
	case line == "no":
		p.last, err = p.answer(ask, func() models.Call { return *ask.No })
	case strings.HasPrefix(line, "> "):
		p.last, err = p.answer(ask, func() models.Call { return Fill(p.t, *ask, line[2:]) })
	default:
		name, args, _ := strings.Cut(line, " ")
		p.last, err = p.box.Call(p.t.Context(), models.Call{Tool: name, Arguments: []byte(args)})
	}
	if err != nil {
		p.t.Errorf("line %d: %s: %v", p.line, line, err)
	}
	if asks := strings.HasSuffix(p.last.Say, "?"); asks != (p.last.Ask != nil) {
		p.t.Errorf("line %d: %s: said %q, but asks %+v", p.line, line, p.last.Say, p.last.Ask)
	}
}

func (p *player) answer(a *models.Ask, call func() models.Call) (models.Result, error) {
	p.t.Helper()
	if a == nil {
		p.t.Fatalf("line %d: %q answers no question; last said was %q", p.line, p.did, p.last.Say)
	}
	return p.box.Call(p.t.Context(), call())
}

// Fill puts the user's words into the slot that a question leaves open.
func Fill(t testing.TB, a models.Ask, words string) models.Call {
	t.Helper()
	args := map[string]any{}
	if len(a.Call.Arguments) > 0 {
		if err := json.Unmarshal(a.Call.Arguments, &args); err != nil {
			t.Fatal(err)
		}
	}
	args[a.Slot] = words
	return *tool.CallOf(a.Call.Tool, args)
}
