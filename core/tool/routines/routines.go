// Package routines lets the user make routines by voice, and run them.
package routines

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed routines.md
var page string

// Book keeps routines and runs them; *routine.Book is one.
type Book interface {
	Actions(text string) ([]routine.Action, error)
	Add(ctx context.Context, r routine.Routine) (routine.Routine, error)
	List(ctx context.Context) ([]routine.Routine, error)
	Find(ctx context.Context, text string) ([]routine.Routine, error)
	Run(ctx context.Context, r routine.Routine) (models.Result, error)
	Answer(ctx context.Context, run string, yes bool) (models.Result, error)
	Remove(ctx context.Context, id int64) (routine.Routine, error)
	Restore(ctx context.Context, r routine.Routine) error
}

// Times keeps promised times; *schedule.Book does.
type Times interface {
	Add(ctx context.Context, p schedule.Promise) (schedule.Promise, error)
	Waiting(ctx context.Context, kinds ...schedule.Kind) ([]schedule.Promise, error)
	Cancel(ctx context.Context, kind schedule.Kind, id int64) (schedule.Promise, error)
	Restore(ctx context.Context, p schedule.Promise) error
}

// Config is what the routine tools stand on.
type Config struct {
	Book  Book
	Times Times
	Now   func() time.Time // in the user's zone; nil is time.Now
	// Limit is how long a routine may run; 0 is five minutes.
	Limit time.Duration
}

type routines struct{ Config }

// Tools makes the routines.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Limit == 0 {
		c.Limit = 5 * time.Minute
	}
	r := routines{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("routines.create", about("routines.create"), models.Write, r.create),
		tool.Of("routines.list", about("routines.list"), models.Read, r.list),
		tool.Of("routines.show", about("routines.show"), models.Read, r.show),
		tool.Patient(tool.Of("routines.run", about("routines.run"), models.Write, r.run), c.Limit),
		tool.Of("routines.plan", about("routines.plan"), models.Write, r.plan),
		tool.Of("routines.unplan", about("routines.unplan"), models.Write, r.unplan),
		tool.Of("routines.delete", about("routines.delete"), models.Write, r.delete),
		tool.Internal(tool.Patient(tool.Of(routine.YesTool, about(routine.YesTool), models.Write, r.agree), c.Limit)),
		tool.Internal(tool.Patient(tool.Of(routine.NoTool, about(routine.NoTool), models.Write, r.skip), c.Limit)),
		tool.Internal(tool.Of("routines.restore", about("routines.restore"), models.Write, r.restore)),
		tool.Internal(tool.Of("routines.drop", about("routines.drop"), models.Write, r.drop)),
		tool.Internal(tool.Of("routines.cancel", about("routines.cancel"), models.Write, r.cancel)),
	}
}

type createArgs struct {
	Name    string    `json:"name,omitempty" jsonschema:"what the user says to run it, such as movie time" limits:"0..200"`
	Actions string    `json:"actions,omitempty" jsonschema:"what is to be done, as commands in words, one after the other" limits:"0..2500"`
	Calls   []callArg `json:"calls,omitempty" jsonschema:"or the same as calls of tools"`
}

type callArg struct {
	Tool      string `json:"tool" jsonschema:"name of a tool"`
	Arguments string `json:"arguments,omitempty" jsonschema:"its arguments, a JSON object as text"`
}

func (r routines) create(ctx context.Context, a createArgs) (models.Result, error) {
	if a.Name = tool.Trim(a.Name); a.Name == "" && a.Actions != "" && len(a.Calls) == 0 {
		a.Name, a.Actions = r.apart(a.Actions)
	}
	if a.Name == "" {
		return ask("What should I call it?", "name", "routines.create", a), nil
	}
	if strings.TrimSpace(a.Actions) == "" && len(a.Calls) == 0 {
		return ask(fmt.Sprintf("What should I do when you say %q?", a.Name), "actions", "routines.create", a), nil
	}
	actions, err := r.actions(a)
	if err != nil {
		return refused(err)
	}
	made, err := r.Book.Add(ctx, routine.Routine{Name: a.Name, Actions: actions, Model: models.OriginOf(ctx).Model})
	if err != nil {
		return refused(err)
	}
	out := tool.Said("When you say %q, I'll %s.", made.Name, does(made.Actions))
	out.Undo = tool.CallOf("routines.drop", idArgs{made.ID})
	return tool.With(out, data(made)), nil
}

// mostName and mostBefore are how many words a routine's name has at most, where nothing but what follows parts it from
// what is to be done, and where a comma does.
const (
	mostName   = 6
	mostBefore = 4
)

// apart parts what was said after "when I say" into the name and what is to be done: at a comma, or else where the rest
// is all commands. Where nothing fits, what is to be done is asked for.
func (r routines) apart(text string) (name, actions string) {
	before, behind, comma := strings.Cut(text, ",")
	if comma && len(strings.Fields(before)) <= mostBefore {
		return before, strings.TrimPrefix(strings.TrimSpace(behind), "then ")
	}
	said := strings.Fields(text)
	for n := 1; n <= mostName+2 && n < len(said); n++ {
		rest := strings.Join(said[n:], " ")
		if _, err := r.Book.Actions(rest); err == nil {
			return bareName(strings.Join(said[:n], " ")), rest
		}
	}
	if len(said) > mostName {
		return strings.Join(said[:2], " "), strings.Join(said[2:], " ")
	}
	return text, ""
}

// bareName takes off a name what only leads to what is to be done.
func bareName(name string) string {
	name = strings.Trim(name, " ,;:")
	for _, lead := range []string{" then", " do", " please", " you should", " i want you to", " you"} {
		name = strings.TrimSuffix(name, lead)
	}
	return name
}

func (r routines) actions(a createArgs) ([]routine.Action, error) {
	if len(a.Calls) == 0 {
		return r.Book.Actions(a.Actions)
	}
	var out []routine.Action
	for _, c := range a.Calls {
		act := routine.Action{Tool: c.Tool}
		if strings.TrimSpace(c.Arguments) != "" {
			act.Arguments = json.RawMessage(c.Arguments)
		}
		out = append(out, act)
	}
	return out, nil
}

// refused says what is wrong with a routine that the user described; other errors stay errors.
func refused(err error) (models.Result, error) {
	if unread, ok := errors.AsType[*routine.UnreadError](err); ok {
		return tool.Said("I don't know how to %s, so I made no routine.", tool.Mirror(unread.Words)), nil
	}
	for unfit, say := range map[error]string{
		routine.ErrTaken:   "There is a routine of that name already.",
		routine.ErrCommand: "That is a command of mine already. Choose another name.",
		routine.ErrName:    "A routine needs a short name.",
		routine.ErrEmpty:   "A routine needs something to do.",
		routine.ErrLong:    "That is too much for one routine.",
		routine.ErrMany:    "You have more routines than I can keep already.",
		routine.ErrNested:  "A routine can't run or change routines.",
	} {
		if errors.Is(err, unfit) {
			return models.Result{Say: say}, nil
		}
	}
	return models.Result{}, err
}

// does words what is done: "mute the microphone, set a timer for ten minutes and say enjoy the film".
func does(actions []routine.Action) string {
	var out []string
	for _, a := range actions {
		switch {
		case a.Tool == "":
			out = append(out, fmt.Sprintf("say %q", a.Say))
		case a.Words != "":
			out = append(out, tool.Mirror(a.Words))
		default:
			out = append(out, "run "+a.Tool)
		}
	}
	return tool.List(out)
}

// one finds the routine that is meant, or gives the reply to say instead: then its ID is 0.
func (r routines) one(ctx context.Context, text, call, verb string, args any) (routine.Routine, models.Result, error) {
	all, err := r.Book.List(ctx)
	if err != nil {
		return routine.Routine{}, models.Result{}, err
	}
	if len(all) == 0 {
		return routine.Routine{}, tool.Said("You have no routines yet."), nil
	}
	text = strings.TrimSuffix(tool.Trim(text, "the", "my"), " routine")
	question := fmt.Sprintf("You have %s. Which one %s?", names(all), verb)
	if text == "" {
		return routine.Routine{}, ask(question, "name", call, args), nil
	}
	found, err := r.Book.Find(ctx, text)
	switch {
	case err != nil:
		return routine.Routine{}, models.Result{}, err
	case len(found) == 0:
		return routine.Routine{}, ask("I can't find a routine of that name. "+question, "name", call, args), nil
	}
	return found[0], models.Result{}, nil
}

func names(all []routine.Routine) string {
	var out []string
	for _, r := range all {
		out = append(out, r.Name)
	}
	return tool.Some(out, spoken)
}

const spoken = 5 // routines that one can listen to

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

// row is a routine for a program or a model.
type row struct {
	Name    string           `json:"name"`
	Actions []routine.Action `json:"actions"`
}

func data(all ...routine.Routine) []row {
	out := []row{}
	for _, r := range all {
		out = append(out, row{r.Name, r.Actions})
	}
	return out
}

// plans are the times at which a routine runs by itself.
func (r routines) plans(ctx context.Context, name string) ([]schedule.Promise, error) {
	if r.Times == nil {
		return nil, nil
	}
	all, err := r.Times.Waiting(ctx, schedule.Routine)
	return slices.DeleteFunc(all, func(p schedule.Promise) bool { return p.Text != name }), err
}
