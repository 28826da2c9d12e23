package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// Decision is what a policy says of a call.
type Decision uint8

const (
	Deny  Decision = iota // never
	Ask                   // only when the user agrees
	Allow                 // at once
)

// Policy decides whether a call may be made.
type Policy func(ctx context.Context, s models.Spec, c models.Call) Decision

// Careful lets read and write pass, which change nothing that cannot be undone, and asks before anything else.
func Careful(_ context.Context, s models.Spec, _ models.Call) Decision {
	switch s.Class {
	case models.Read, models.Write:
		return Allow
	case models.Outward, models.Dangerous:
		return Ask
	}
	return Deny
}

// Consent asks the user whether a call may be made and waits for the answer.
type Consent interface {
	Grant(ctx context.Context, s models.Spec, c models.Call) (bool, error)
}

// ErrDenied says that policy or the user did not let a call pass. The error is a *Denial.
var ErrDenied = errors.New("denied")

// Denial says why a call was not made, in words for the user.
type Denial struct{ Say string }

func (d *Denial) Error() string { return fmt.Sprintf("%v: %s", ErrDenied, d.Say) }

// Is makes errors.Is(err, ErrDenied) true.
func (d *Denial) Is(target error) bool { return target == ErrDenied }

// guarded runs a tool only where policy, and where it says so the user, agrees.
func guarded(t Tool, p Policy, c Consent) Tool { return guard{t, p, c} }

type guard struct {
	Tool
	policy  Policy
	consent Consent
}

func (g guard) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	spec := g.Spec()
	call := models.Call{Tool: spec.Name, Arguments: args}
	switch g.policy(ctx, spec, call) {
	case Allow:
		return g.Tool.Run(ctx, args)
	case Ask:
		return g.ask(ctx, spec, call)
	}
	return models.Result{}, &Denial{"I'm not allowed to do that."}
}

func (g guard) ask(ctx context.Context, s models.Spec, c models.Call) (models.Result, error) {
	if g.consent == nil {
		return models.Result{}, &Denial{unasked(s.Class)}
	}
	ok, err := g.consent.Grant(ctx, s, c)
	if err != nil {
		return models.Result{}, fmt.Errorf("asking for consent: %w", err)
	}
	if !ok {
		return models.Result{}, &Denial{"Okay, I won't."}
	}
	return g.Tool.Run(ctx, c.Arguments)
}

func unasked(c models.Class) string {
	if c == models.Outward {
		return "I can't do that, because it would tell someone outside this machine and I have no way to ask you first."
	}
	return "I can't do that, because it couldn't be undone and I have no way to ask you first."
}
