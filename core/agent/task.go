package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// TaskKind is the kind of the jobs that the agent starts; Task does them.
const TaskKind = "task"

// TaskInput is what a job of TaskKind is started with.
type TaskInput struct {
	Goal    string `json:"goal"`
	Session string `json:"session,omitempty"`
	Channel string `json:"channel,omitempty"`
	Speaker string `json:"speaker,omitempty"`
	Outside bool   `json:"outside,omitempty"` // strangers' words were read before the goal was worded
}

// Progress is how far a task has come, and all that is needed to go on with it.
type Progress struct {
	Goal    string   `json:"goal"`
	Steps   []Step   `json:"steps,omitempty"`
	Planned []string `json:"planned,omitempty"` // tools named before strangers' words were read
	Outside bool     `json:"outside,omitempty"` // strangers' words were read
	Looks   int      `json:"looks,omitempty"`   // times that the work was criticised
	Checked bool     `json:"checked,omitempty"` // and found good, or good enough
	Tokens  int      `json:"tokens,omitempty"`  // that it cost so far
}

// Step is one step of a task.
type Step struct {
	Do       string        `json:"do"`
	Tool     string        `json:"tool,omitempty"`
	State    StepState     `json:"state,omitempty"`
	Note     string        `json:"note,omitempty"`     // what came of it, for the steps after it
	Say      string        `json:"say,omitempty"`      // the same for the user, in the tool's own words
	Outside  bool          `json:"outside,omitempty"`  // strangers wrote the note
	Call     *models.Call  `json:"call,omitempty"`     // a change that was begun
	Made     []models.Call `json:"made,omitempty"`     // changes that were made
	Approval string        `json:"approval,omitempty"` // that the change waits for
}

// StepState says how far a step is. "" is not begun.
type StepState string

const (
	Begun   StepState = "begun"
	Done    StepState = "done"
	Failed  StepState = "failed"
	Waiting StepState = "waiting" // for the user's word
	Unsure  StepState = "unsure"  // begun before a restart; nobody knows whether it was done
)

// maxLooks is how often finished work is criticised.
const maxLooks = 2

// errSpent ends a task that cost as much as it may.
var errSpent = errors.New("the task cost as many tokens as it may")

// Task plans a goal, does the steps and looks at what came of them. save is called before and after everything that
// must not be done twice; with what it was given last as saved, a task goes on where it was. A Result with Ask.Approval
// asks for the user's word: the task is to be run again, with what was saved, once it is given or refused.
// The Result can be spoken also where there is an error. Errors: those of models, the cause with which ctx ended, or
// save's own.
func (a *Agent) Task(ctx context.Context, input, saved json.RawMessage, save func(ctx context.Context, state any, progress float64, doing string) error) (models.Result, error) {
	var in TaskInput
	if err := json.Unmarshal(input, &in); err != nil || strings.TrimSpace(in.Goal) == "" {
		return models.Result{Say: "I don't know what to do any more."}, fmt.Errorf("reading a task's input: no goal (%w)", err)
	}
	e := &errand{a: a, in: in, save: save, p: Progress{Goal: in.Goal, Outside: in.Outside}}
	if len(saved) > 0 && string(saved) != "null" {
		if err := json.Unmarshal(saved, &e.p); err != nil {
			return models.Result{Say: "I lost track of what I was doing."}, fmt.Errorf("reading a task's progress: %w", err)
		}
		e.recover()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, a.c.TaskLimit, models.ErrLate)
	defer cancel()
	r, err := e.run(ctx)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		r.Say = strings.TrimSpace(e.told() + " " + models.Excuse(err))
		return r, fmt.Errorf("working on a task: %w", err)
	}
	return r, nil
}

// errand is a task at work.
type errand struct {
	a    *Agent
	in   TaskInput
	p    Progress
	save func(ctx context.Context, state any, progress float64, doing string) error
}

// recover decides what is to become of a step that was begun before a restart. One that may have changed something is
// not done again.
func (e *errand) recover() {
	for i := range e.p.Steps {
		s := &e.p.Steps[i]
		switch {
		case s.State == Begun && s.Call != nil:
			s.State, s.Note = Unsure, "It is not known whether this was done."
		case s.State == Begun:
			s.State = ""
		}
	}
}

func (e *errand) run(ctx context.Context) (models.Result, error) {
	if len(e.p.Steps) == 0 {
		if err := e.plan(ctx); err != nil {
			return models.Result{}, err
		}
	}
	for {
		asked, err := e.walk(ctx)
		if asked != nil && err == nil {
			return *asked, nil
		}
		if errors.Is(err, errSpent) {
			break
		}
		if err != nil {
			return models.Result{}, err
		}
		more, err := e.look(ctx)
		if err != nil {
			return models.Result{}, err
		}
		if !more {
			break
		}
	}
	return e.report(ctx)
}

// walk does the steps that are left. A Result ends it: the user is asked.
func (e *errand) walk(ctx context.Context) (*models.Result, error) {
	for i := range e.p.Steps {
		s := &e.p.Steps[i]
		if s.State != "" && s.State != Waiting {
			continue
		}
		asked, err := e.step(ctx, i)
		if err != nil || asked != nil {
			return asked, err
		}
	}
	return nil, nil
}

// keep saves the progress, with what is being done.
func (e *errand) keep(ctx context.Context, doing string) error {
	done := 0
	for _, s := range e.p.Steps {
		if s.State != "" && s.State != Begun && s.State != Waiting {
			done++
		}
	}
	progress := float64(done) / float64(max(1, len(e.p.Steps)+1)) // the last part is the look at it
	if err := e.save(ctx, e.p, progress, doing); err != nil {
		return fmt.Errorf("saving a task: %w", err)
	}
	return nil
}

// spend counts what a request cost.
func (e *errand) spend(tokens int) error {
	e.p.Tokens += tokens
	if e.p.Tokens > e.a.c.TaskTokens {
		return errSpent
	}
	return nil
}

// made says whether a change was made before in this task.
func (e *errand) made(c models.Call) bool {
	return slices.ContainsFunc(e.p.Steps, func(s Step) bool {
		return slices.ContainsFunc(s.Made, func(m models.Call) bool { return m.Tool == c.Tool && string(m.Arguments) == string(c.Arguments) })
	})
}

// long gives work of several steps away, or does it while the user waits.
func (t *turn) long(ctx context.Context, goal string) error {
	in := TaskInput{Goal: goal, Session: t.session, Channel: t.origin.Channel, Speaker: t.origin.Speaker, Outside: t.outside}
	if t.a.c.Jobs != nil {
		if _, err := t.a.c.Jobs.Start(ctx, TaskKind, short(goal, 80), in); err != nil {
			return fmt.Errorf("starting a task: %w", err)
		}
		t.sentence("I'm at work on it, and I'll tell you when it's done.")
		return nil
	}
	if !t.sentence("Let me work through that.") {
		return errGone
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("writing a task's input: %w", err)
	}
	r, err := t.a.task(ctx, raw)
	if err != nil && (ctx.Err() != nil || r.Say == "") {
		return err
	}
	t.ran = append(t.ran, ran{result: r})
	return t.question(r, nil)
}

// task does a task that nobody saves.
func (a *Agent) task(ctx context.Context, input json.RawMessage) (models.Result, error) {
	return a.Task(ctx, input, nil, func(context.Context, any, float64, string) error { return nil })
}
