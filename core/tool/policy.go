package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// Consent asks the user to approve a call.
type Consent interface {
	// Ask gives the question as a Result, whose Ask names the approval that waits for the answer. It does not wait.
	Ask(ctx context.Context, s models.Spec, c models.Call) (models.Result, error)
}

// keeper is a Consent that keeps a ledger.
type keeper interface {
	// Passed writes down a call that tells someone outside and that a setting lets pass, before it is made.
	Passed(ctx context.Context, s models.Spec, c models.Call) error
}

// ErrDenied says that policy or the user did not let a call pass. The error is a *Denial.
var ErrDenied = errors.New("denied")

// Denial says why a call was not made, in words for the user.
type Denial struct{ Say string }

func (d *Denial) Error() string { return fmt.Sprintf("%v: %s", ErrDenied, d.Say) }

// Is makes errors.Is(err, ErrDenied) true.
func (d *Denial) Is(target error) bool { return target == ErrDenied }

type approvedKey struct{}

// guarded runs a tool only where policy, and where it says so the user, agrees.
func guarded(t Tool, p Policy, c Consent) Tool { return guard{t, p, c} }

type guard struct {
	Tool
	policy  Policy
	consent Consent
}

func (g guard) unwrap() Tool { return g.Tool }

func (g guard) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	spec := g.Spec()
	call := models.Call{Tool: spec.Name, Arguments: args}
	switch d := g.policy(ctx, spec, call); {
	case ctx.Value(approvedKey{}) == spec.Name && d != Deny:
		return g.Tool.Run(ctx, args)
	case d == Allow:
		return g.pass(ctx, spec, call)
	case d == Ask:
		return g.ask(ctx, spec, call)
	}
	return models.Result{}, &Denial{"I'm not allowed to do that."}
}

// pass makes a call, which is in the ledger before where it tells someone outside.
func (g guard) pass(ctx context.Context, s models.Spec, c models.Call) (models.Result, error) {
	if k, ok := g.consent.(keeper); ok && s.Class == models.Outward {
		if err := fit(g.Tool, c.Arguments); err != nil {
			return models.Result{}, err
		}
		if err := k.Passed(ctx, s, c); err != nil {
			return models.Result{}, fmt.Errorf("writing down what goes out: %w", err)
		}
	}
	return g.Tool.Run(ctx, c.Arguments)
}

// ask gives the question. What is unfit to be run is not asked for.
func (g guard) ask(ctx context.Context, s models.Spec, c models.Call) (models.Result, error) {
	if err := fit(g.Tool, c.Arguments); err != nil {
		return models.Result{}, err
	}
	if g.consent == nil {
		return models.Result{}, &Denial{unasked(s.Class)}
	}
	r, err := g.consent.Ask(ctx, s, c)
	if err != nil {
		return models.Result{}, fmt.Errorf("asking for consent: %w", err)
	}
	if !waits(r) {
		return models.Result{}, errors.New("asking for consent: no question came back")
	}
	r.Undo = nil
	return r, nil
}

// waits tells whether a result waits for the user's word.
func waits(r models.Result) bool { return r.Ask != nil && r.Ask.Approval != "" }

func unasked(c models.Class) string {
	switch c {
	case models.Outward:
		return "I can't do that, because it would tell someone outside this machine and I have no way to ask you first."
	case models.Dangerous:
		return "I can't do that, because it couldn't be undone and I have no way to ask you first."
	}
	return "I can't do that, because I have no way to ask you first."
}

// spent runs a tool past policy where the approval that ctx names is for exactly this call.
func spent(t Tool, p Policy, spend func(context.Context, string, models.Call) error) Tool {
	return spender{t, p, spend}
}

type spender struct {
	Tool
	policy Policy
	spend  func(context.Context, string, models.Call) error
}

type approvalKey struct{}

func (s spender) unwrap() Tool { return s.Tool }

func (s spender) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	id, _ := ctx.Value(approvalKey{}).(string)
	c := models.Call{Tool: s.Spec().Name, Arguments: args}
	if err := fit(s.Tool, args); err != nil {
		return models.Result{}, err
	}
	if s.policy(ctx, s.Spec(), c) == Deny {
		return models.Result{}, &Denial{"I'm not allowed to do that."}
	}
	if s.spend == nil || id == "" {
		return models.Result{}, &Denial{unasked(s.Spec().Class)}
	}
	if err := s.spend(ctx, id, c); err != nil {
		return models.Result{}, fmt.Errorf("%w: %w", &Denial{sentence(err, "I can't do that without your word. Please ask me again.")}, err)
	}
	return s.Tool.Run(ctx, args)
}

// sentence is what an error has to say for itself.
func sentence(err error, otherwise string) string {
	var s interface {
		error
		Say() string
	}
	if errors.As(err, &s) && s.Say() != "" {
		return s.Say()
	}
	return otherwise
}
