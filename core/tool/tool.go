// Package tool is the toolbox: everything that Solo can do, behind one call, one policy and one log.
//
// A Tool has a Spec and a Run. The Box keeps the tools by name, checks policy, limits the time of a call, turns a panic
// into an error, tells the bus what was done and remembers how to undo it. Understood commands and language models go
// the same way. A Box is safe for use by several goroutines once all tools are added.
//
// Asking: a Result with Ask waits for the user. With a Slot, the next words become that argument of Ask.Call, turned into
// what the tool's schema wants of it: RFC 3339 for "time" and "due_time", ISO 8601 for "duration", the words themselves
// for all others ("the second one" and "both" are understood). Without a Slot, "yes" runs Ask.Call and "no" runs Ask.No;
// where there is nothing to do on yes, Ask.Call is Fine, which only acknowledges. These calls go through Box.Call with
// their arguments as they are: internal tools run for no others.
//
// Approving: where policy wants the user's word, Call gives the question of Consent in place of the tool's result. On yes
// the very same call goes through Approved, which uses the approval up.
//
// Policy, by the class of the tool and by who asks (models.Origin). Settings may allow, ask or deny by tool or theme, the
// name of the tool before its theme; nothing that is denied runs, and no setting lets a call pass where "always" stands:
//
//	                       user's own words   a model    a model that read strangers' text
//	read                   allow              allow      allow
//	write                  allow              allow      allow if planned before, else ask
//	outward, dangerous     ask                ask        always ask
//
// A channel or speaker may be held to a class (Rules.May): "guest" and "unknown" may only read. Internal tools run for no model.
// A yes to a question of an approval is not asked for again.
//
// An error of Call always comes with a Result whose Say can be spoken. An empty Say without an error means silence.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// Tool is one thing that Solo can do.
type Tool interface {
	Spec() models.Spec
	// Run does it. args is a JSON object, or empty for none.
	Run(ctx context.Context, args json.RawMessage) (models.Result, error)
}

// Of makes a tool of a Go function. Its arguments are the fields of A, a struct, by their json names: a field without
// omitempty or omitzero is required. The tag jsonschema describes a field, the tag limits bounds it: "0..100" is the
// range of a number or of a text's length in characters. A time.Time is RFC 3339, a Duration ISO 8601.
// Arguments are checked before run is called; ErrArguments names all that is wrong with them.
// An A that fits no schema is reported by Box.Add.
func Of[A any](name, about string, class models.Class, run func(context.Context, A) (models.Result, error)) Tool {
	t := &typed[A]{run: run}
	t.spec = models.Spec{Name: name, Description: strings.TrimSpace(about), Class: class}
	t.check, t.err = checkerOf[A]()
	if t.err == nil {
		t.spec.Schema, t.err = json.Marshal(t.check.schema)
	}
	return t
}

type typed[A any] struct {
	spec  models.Spec
	check *checker
	run   func(context.Context, A) (models.Result, error)
	err   error // why A cannot hold arguments
}

func (t *typed[A]) Spec() models.Spec { return t.spec }

// fit tells what is wrong with arguments.
func (t *typed[A]) fit(args json.RawMessage) error {
	if t.err != nil {
		return t.err
	}
	_, err := t.check.clean(args)
	return err
}

// usable tells Box.Add whether the tool was made well.
func (t *typed[A]) usable() error { return t.err }

func (t *typed[A]) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	if t.err != nil {
		return models.Result{}, t.err
	}
	clean, err := t.check.clean(args)
	if err != nil {
		return models.Result{}, err
	}
	var a A
	d := json.NewDecoder(bytes.NewReader(clean))
	if err := d.Decode(&a); err != nil {
		return models.Result{}, &ArgumentError{Problems: []string{err.Error()}}
	}
	return t.run(ctx, a)
}

// ErrArguments says that a call's arguments do not fit the tool's schema. The error is an *ArgumentError.
var ErrArguments = errors.New("unfit arguments")

// ArgumentError lists everything that is wrong with the arguments of a call.
type ArgumentError struct{ Problems []string }

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%v: %s", ErrArguments, strings.Join(e.Problems, "; "))
}

// Is makes errors.Is(err, ErrArguments) true.
func (e *ArgumentError) Is(target error) bool { return target == ErrArguments }
