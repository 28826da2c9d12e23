package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
)

// visitor carries the command line's questions to an assistant: the running one, or one made for them.
type visitor interface {
	visit(ctx context.Context, verb string, args any, each func(json.RawMessage) error) error
	cli.Understander
}

// visitor finds the running Solo, or opens the rows and does the work itself where none runs; with think, what is no
// command goes to a language model, and work in the background goes on.
func (a *app) visitor(ctx context.Context, think bool) (visitor, error) {
	err := local.Call(ctx, a.home.data, "ping", nil, nil)
	if err == nil {
		return remote{a.home.data}, nil
	}
	if !errors.Is(err, local.ErrNobody) {
		return nil, err
	}
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		return nil, err
	}
	return a.desk(ctx, db, think, false)
}

func (r remote) visit(ctx context.Context, verb string, args any, each func(json.RawMessage) error) error {
	return local.Call(ctx, r.home, verb, args, each)
}

func (d *desk) visit(ctx context.Context, verb string, args any, each func(json.RawMessage) error) error {
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return d.s.verbs()[verb](ctx, text, func(v any) error {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return each(line)
	})
}

// once asks one question of whoever can answer it and tells each value of the answer as a line.
func once[T cli.Line](ctx context.Context, a *app, think bool, verb string, args any, tell cli.Tell) error {
	v, err := a.visitor(ctx, think)
	if err != nil {
		return err
	}
	defer v.Close()
	return v.visit(ctx, verb, args, func(raw json.RawMessage) error {
		var line T
		if err := json.Unmarshal(raw, &line); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		tell(line)
		return nil
	})
}

// Desk opens a session of typed words.
func (a *app) Desk(ctx context.Context) (cli.Desk, error) {
	v, err := a.visitor(ctx, true)
	if err != nil {
		return nil, err
	}
	return talker{v}, nil
}

// talker is a session of typed words.
type talker struct{ visitor }

// question are the arguments of the verbs of a talk.
type question struct {
	Session string `json:"session"`
	Text    string `json:"text,omitempty"`
	Last    int    `json:"last,omitempty"`
}

// told is one line of a talk; one of its fields is set.
type told struct {
	Reply  *cli.Reply      `json:"reply,omitempty"`
	Action *cli.Action     `json:"action,omitempty"`
	Answer *cli.Answer     `json:"answer,omitempty"`
	Wants  *cli.Disclosure `json:"wants,omitempty"`
}

func (t talker) Ask(ctx context.Context, session, text string, tell cli.Tell) error {
	return t.visit(ctx, "ask", question{Session: session, Text: text}, func(raw json.RawMessage) error {
		var l told
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		switch {
		case l.Reply != nil:
			tell(*l.Reply)
		case l.Action != nil:
			tell(*l.Action)
		case l.Wants != nil:
			tell(*l.Wants)
		case l.Answer != nil:
			tell(*l.Answer)
		}
		return nil
	})
}

func (t talker) History(ctx context.Context, session string, n int, tell cli.Tell) error {
	return t.visit(ctx, "history", question{Session: session, Last: n}, func(raw json.RawMessage) error {
		var l cli.Said
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("read the talk: %w", err)
		}
		tell(l)
		return nil
	})
}

// ask answers a typed text and tells what is done for it, and each sentence.
func (s *assistant) ask(ctx context.Context, q question, tell func(any) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	say := func(l told) {
		if err := tell(l); err != nil {
			cancel(err) // who asked has left
		}
	}
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed", Session: q.Session})
	r, err := s.converse(ctx, s.dialog, q.Text, witness{
		sentence: func(turn uint64, text string) { say(told{Reply: &cli.Reply{Turn: turn, Text: text}}) },
		acted: func(e event.Acted) {
			say(told{Action: &cli.Action{Tool: e.Tool, Arguments: e.Arguments, Status: e.Status}})
		},
		wanted: func(a consent.Approval) { say(told{Wants: disclosed(a)}) },
	})
	if err != nil {
		return err
	}
	return tell(told{Answer: &cli.Answer{Text: r.text, Asks: r.asks}})
}

// witness is told what happens while an answer is thought, one thing at a time.
type witness struct {
	sentence func(turn uint64, text string)
	acted    func(event.Acted)
	wanted   func(consent.Approval)
}

// answered is a whole answer.
type answered struct {
	text string
	turn uint64
	asks bool // it ends with a question
}

// converse answers a text in one conversation, and tells the witness what is done for it.
func (s *assistant) converse(ctx context.Context, d *dialog.Conductor, text string, w witness) (answered, error) {
	var turn atomic.Uint64
	var mu sync.Mutex // actions are told by who does them, sentences by who says them
	defer s.bus.Tap(func(m bus.Meta, v any) {
		if m.Turn == 0 || m.Turn != turn.Load() {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch e := v.(type) {
		case event.Acted:
			w.acted(e)
		case consent.Wanted:
			w.wanted(e.Approval)
		}
	})()
	said, err := d.Typed(ctx, text, false, dialog.Reader{Began: turn.Store, Told: func(sentence string) {
		mu.Lock()
		defer mu.Unlock()
		w.sentence(turn.Load(), sentence)
	}})
	if err != nil {
		return answered{}, fmt.Errorf("answer %q: %w", text, err)
	}
	return answered{said, turn.Load(), strings.HasSuffix(strings.TrimSpace(said), "?")}, nil
}

// disclosed is all that the user would agree to.
func disclosed(a consent.Approval) *cli.Disclosure {
	d := &cli.Disclosure{Provider: a.Provider, Model: a.Model, Tool: a.Tool, Arguments: a.Arguments}
	if len(a.Messages) > 0 {
		d.Messages, _ = json.Marshal(a.Messages) // texts alone
	}
	return d
}

// past tells the last lines of a talk.
func (s *assistant) past(ctx context.Context, q question, tell func(any) error) error {
	lines, err := s.sessions.History(ctx, q.Session, q.Last)
	if err != nil {
		return err
	}
	for _, l := range agent.Corrected(lines) {
		who := "you"
		if l.Role != models.User {
			who = "solo"
		}
		if err := tell(cli.Said{Who: who, Text: l.Text, At: l.At}); err != nil {
			return err
		}
	}
	return nil
}
