// Package approvals takes the user's yes and no, and tells what waits for them and what was sent.
package approvals

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

//go:embed approvals.md
var page string

// Book keeps the user's word; *consent.Book is one.
type Book interface {
	Open(ctx context.Context) ([]consent.Approval, error)
	Get(ctx context.Context, id string) (consent.Approval, error)
	Grant(ctx context.Context, id string) error
	Refuse(ctx context.Context, id string) error
	Ledger(ctx context.Context, n int) ([]consent.Entry, error)
}

// Box runs what was agreed to; *tool.Box is one.
type Box interface {
	Approved(ctx context.Context, c models.Call, approval string) (models.Result, error)
}

// Jobs tell whether one of them waits for an approval, and so makes the call itself; *job.Jobs is one.
type Jobs interface {
	Waits(ctx context.Context, approval string) (bool, error)
}

// Config is what the approvals stand on.
type Config struct {
	Book Book
	Box  Box
	Jobs Jobs             // nil for none
	Now  func() time.Time // in the user's zone; nil is time.Now
}

// longest bounds a yes: what it runs has a limit of its own.
const longest = 30 * time.Minute

type approvals struct{ Config }

// Tools makes consent.list and consent.ledger, and the internal consent.grant and consent.refuse.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	a := approvals{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("consent.list", about("consent.list"), models.Read, a.list),
		tool.Of("consent.ledger", about("consent.ledger"), models.Read, a.ledger),
		tool.Internal(tool.Patient(tool.Of(consent.GrantTool, about(consent.GrantTool), models.Write, a.grant), longest)),
		tool.Internal(tool.Of(consent.RefuseTool, about(consent.RefuseTool), models.Write, a.refuse)),
	}
}

type none struct{}

type idArgs struct {
	ID string `json:"id" jsonschema:"id of the approval" limits:"1..64"`
}

// grant writes the yes down and makes the call, unless a job waits to make it.
func (a approvals) grant(ctx context.Context, args idArgs) (models.Result, error) {
	waiting, err := a.Book.Get(ctx, args.ID)
	if err != nil {
		return failed(err)
	}
	job := false
	if a.Jobs != nil {
		if job, err = a.Jobs.Waits(ctx, args.ID); err != nil {
			return models.Result{}, err
		}
	}
	if err := a.Book.Grant(ctx, args.ID); err != nil {
		return failed(err)
	}
	if job {
		return tool.Said("Okay, I'll go on with it."), nil
	}
	if waiting.Tool == "" {
		return tool.Said("Okay."), nil
	}
	r, err := a.Box.Approved(ctx, waiting.Call(), args.ID)
	r.Undo = nil // the Box remembers it
	return r, err
}

func (a approvals) refuse(ctx context.Context, args idArgs) (models.Result, error) {
	waiting, err := a.Book.Get(ctx, args.ID)
	if err != nil {
		return failed(err)
	}
	if err := a.Book.Refuse(ctx, args.ID); err != nil {
		return failed(err)
	}
	if waiting.Tool == "" {
		return tool.Said("Okay, nothing was sent."), nil
	}
	return tool.Said("Okay, I won't."), nil
}

// failed says why an approval is of no use, which is no fault of the program.
func failed(err error) (models.Result, error) {
	var fault *consent.Fault
	if errors.As(err, &fault) {
		return tool.Said("%s", fault.Say()), nil
	}
	return models.Result{}, err
}

// list asks again where one thing waits: the next words may answer it.
func (a approvals) list(ctx context.Context, _ none) (models.Result, error) {
	open, err := a.Book.Open(ctx)
	if err != nil {
		return models.Result{}, err
	}
	type line struct {
		Say   string    `json:"say"`
		Until time.Time `json:"until"`
	}
	lines := []line{}
	var said []string
	for _, x := range open {
		lines = append(lines, line{x.Say, x.Until.In(a.Now().Location())})
		said = append(said, statement(x.Say))
	}
	r := models.Result{Say: tool.Upper(tool.Count(len(open), "thing")) + " wait for your yes: " + strings.Join(said, "; ") + "."}
	switch len(open) {
	case 0:
		r.Say = "Nothing is waiting for your approval."
	case 1:
		r.Say, r.Ask = open[0].Say, open[0].Question()
	}
	return tool.With(r, lines), nil
}

// statement is a question without its end.
func statement(say string) string {
	for _, end := range []string{". Yes or no?", ". Shall I?"} {
		say = strings.TrimSuffix(say, end)
	}
	return say
}

type ledgerArgs struct {
	Count int `json:"count,omitempty" jsonschema:"how many of the last entries, 5 if left out" limits:"1..100"`
}

func (a approvals) ledger(ctx context.Context, args ledgerArgs) (models.Result, error) {
	if args.Count == 0 {
		args.Count = 5
	}
	entries, err := a.Book.Ledger(ctx, args.Count)
	if err != nil {
		return models.Result{}, err
	}
	lines := []sent{}
	for _, e := range entries {
		lines = append(lines, sent{e.At.In(a.Now().Location()), e.Provider, e.Purpose, e.Say(), e.Approval == consent.Standing})
	}
	if len(entries) == 0 {
		return tool.With(tool.Said("I have sent nothing out of this machine."), lines), nil
	}
	var said []string
	for i, e := range entries[:min(len(entries), 3)] {
		lead := "before that, "
		if i == 0 {
			lead = "the last thing that I sent was "
		}
		said = append(said, lead+a.what(e))
	}
	return tool.With(tool.Said("%s.", tool.Upper(strings.Join(said, "; "))), lines), nil
}

// sent is an entry in short, for a program or a model; the ledger command shows it to the letter.
type sent struct {
	At       time.Time `json:"at"`
	To       string    `json:"to"`
	Purpose  string    `json:"purpose"`
	What     string    `json:"what"`
	Standing bool      `json:"standing,omitempty"` // by a permission once and for all
}

// what is "your question 'why is the sky blue' to Anthropic, today at 4:20 PM, by your word".
func (a approvals) what(e consent.Entry) string {
	word := "by your word"
	if e.Approval == consent.Standing {
		word = "as you permitted once and for all"
	}
	return e.Say() + ", " + when.Say(e.At, a.Now()) + ", " + word
}
