package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/models"
)

const planning = `You plan the work of an assistant. Break the goal into as few steps as it takes, at most %d.
Each step does one thing. Name the one tool that it needs; leave tool empty where it only needs thought, such as summarizing or choosing.
Plan no step that tells the user something or that checks the work: both are done anyway.
Answer with one JSON object: {"steps":[{"do":"...","tool":"..."}]}
# Tools
%s`

// plan breaks the goal into steps.
func (e *errand) plan(ctx context.Context) error {
	steps, err := e.steps(ctx, "Goal: "+e.p.Goal, e.a.c.Steps)
	if err != nil {
		return err
	}
	e.p.Steps = steps
	if !e.p.Outside {
		for _, s := range steps {
			if s.Tool != "" && !slices.Contains(e.p.Planned, s.Tool) {
				e.p.Planned = append(e.p.Planned, s.Tool)
			}
		}
	}
	told := Planned{Goal: e.p.Goal}
	for _, s := range steps {
		told.Steps = append(told.Steps, s.Do)
	}
	e.a.events.planned(ctx, told)
	return e.keep(ctx, "planned")
}

// steps asks for at most n steps until they can be used.
func (e *errand) steps(ctx context.Context, user string, n int) ([]Step, error) {
	specs := e.a.visible()
	m := []models.Message{
		{Role: models.System, Text: fmt.Sprintf(planning, n, prompt.Tools(specs))},
		{Role: models.User, Text: user},
	}
	var plan struct{ Steps []Step }
	err := e.object(ctx, m, planSchema(specs, n), &plan, func() []string { return planProblems(plan.Steps, specs, n) })
	if err != nil {
		return nil, err
	}
	for i, s := range plan.Steps { // nothing but the words of a step comes from the model
		plan.Steps[i] = Step{Do: short(strings.TrimSpace(s.Do), 300), Tool: s.Tool}
	}
	return plan.Steps, nil
}

func planSchema(specs []models.Spec, n int) json.RawMessage {
	names := []string{""}
	for _, s := range specs {
		names = append(names, s.Name)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil // names are text
	}
	step := wire.Fixed("do", `{"type":"string"}`, "tool", `{"enum":`+string(list)+`}`)
	return wire.Fixed("steps", fmt.Sprintf(`{"type":"array","items":%s,"minItems":1,"maxItems":%d}`, step, n))
}

func planProblems(steps []Step, specs []models.Spec, n int) []string {
	var all []string
	if len(steps) == 0 || len(steps) > n {
		all = append(all, fmt.Sprintf("there are %d steps; it must be 1 to %d", len(steps), n))
	}
	for i, s := range steps {
		if strings.TrimSpace(s.Do) == "" {
			all = append(all, fmt.Sprintf("step %d: do is empty", i+1))
		}
		if s.Tool != "" && !slices.ContainsFunc(specs, func(t models.Spec) bool { return t.Name == s.Tool }) {
			all = append(all, fmt.Sprintf("step %d: there is no tool %q; leave tool empty or use one of the list", i+1, short(s.Tool, 40)))
		}
	}
	return all
}

// object asks for one object of a form, and sends it back for mending while it has problems.
func (e *errand) object(ctx context.Context, m []models.Message, schema json.RawMessage, into any, problems func() []string) error {
	for mend := 0; ; mend++ {
		raw, err := e.raw(ctx, m, schema)
		if err != nil {
			return err
		}
		err = wire.Decode(raw, into)
		var f *wire.Fault
		if err == nil {
			all := problems()
			if len(all) == 0 {
				return nil
			}
			f = &wire.Fault{Problems: all}
		} else if !errors.As(err, &f) {
			return err
		}
		if mend >= e.a.c.Mends {
			return f
		}
		shown, _ := prompt.Cut(raw, 200)
		m = append(m, models.Message{Role: models.Assistant, Text: max(shown, "(nothing)")},
			models.Message{Role: models.User, Text: "That cannot be used:\n- " + strings.Join(f.Problems, "\n- ") + "\nAnswer again, with one JSON object."})
	}
}

// raw asks for planning work and gives the answer as it is.
func (e *errand) raw(ctx context.Context, m []models.Message, schema json.RawMessage) (string, error) {
	r := models.Request{Work: models.Planning, Messages: m, Schema: schema, MaxTokens: e.a.c.MaxTokens, Temperature: e.a.c.Temperature}
	th, err := e.a.ask(ctx, r, func(string) bool { return true })
	if spent := e.spend(th.tokens); spent != nil && err == nil {
		err = spent
	}
	var f *wire.Fault
	if errors.As(err, &f) {
		err = nil // it is no reply and no call, and need not be
	}
	return th.raw, err
}

const criticising = `You check the work of an assistant against the goal that the user set. Judge by the results alone.
A step that failed for want of permission is not to be tried again.
Answer with one JSON object: {"good":true,"missing":""} or {"good":false,"missing":"what is left to do"}`

// look criticises the finished steps, and adds steps for what is missing. False where the work is at its end.
func (e *errand) look(ctx context.Context) (more bool, err error) {
	if e.p.Checked || e.p.Looks >= maxLooks {
		return false, nil
	}
	e.p.Looks++
	var verdict struct {
		Good    bool
		Missing string
	}
	m := []models.Message{{Role: models.System, Text: criticising}, {Role: models.User, Text: e.story(-1)}}
	schema := wire.Fixed("good", `{"type":"boolean"}`, "missing", `{"type":"string"}`)
	if err := e.object(ctx, m, schema, &verdict, func() []string { return nil }); err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		e.a.c.Log.Warn().Err(public(err)).Msg("a task was not criticised")
		verdict.Good = true
	}
	missing := short(strings.TrimSpace(verdict.Missing), 300)
	verdict.Good = verdict.Good || missing == ""
	e.p.Checked = verdict.Good
	added := 0
	if !verdict.Good {
		added = e.extend(ctx, missing)
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	e.a.events.criticised(ctx, Criticised{Goal: e.p.Goal, Good: verdict.Good, Missing: missing, Added: added})
	return added > 0, e.keep(ctx, "checked")
}

// maxMore is how many steps one look may add.
const maxMore = 4

// extend plans for what is missing. What was read before may have worded it, so that it adds nothing to Planned.
func (e *errand) extend(ctx context.Context, missing string) int {
	room := min(maxMore, 2*e.a.c.Steps-len(e.p.Steps))
	if room <= 0 {
		return 0
	}
	steps, err := e.steps(ctx, e.story(-1)+"\nThis is missing: "+prompt.Defuse(missing)+"\nPlan only the steps for it.", room)
	if err != nil {
		e.a.c.Log.Warn().Err(public(err)).Msg("nothing was planned for what is missing")
		return 0
	}
	e.p.Steps = append(e.p.Steps, steps...)
	return len(steps)
}
