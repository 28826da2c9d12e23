package agent

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/models"
)

// offer is what the model may use: tools, and how it is told of them.
type offer struct {
	specs  []models.Spec
	lines  string          // for the prompt
	schema json.RawMessage // of an answer
}

// replyOnly is the offer of no tools at all.
var replyOnly = &offer{schema: wire.Schema(nil)}

// onlyReply tells a model without tools how to answer.
const onlyReply = `Answer with one JSON object: {"type":"reply","text":"what you say"}`

// offering gives what of the toolbox a model is offered. Long work is the agent's own tool.
func (a *Agent) offering() *offer {
	specs := append(a.visible(), taskSpec)
	return a.offer(specs)
}

func (a *Agent) visible() []models.Spec {
	if a.c.Tools == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.c.Tools.Specs()), func(s models.Spec) bool {
		theme, _, _ := strings.Cut(s.Name, ".")
		return slices.Contains(a.c.Hidden, s.Name) || slices.Contains(a.c.Hidden, theme)
	})
}

// offer makes the schema and the lines of some tools, once for each choice of them.
func (a *Agent) offer(specs []models.Spec) *offer {
	var key strings.Builder
	for _, s := range specs {
		key.WriteString(s.Name)
		key.WriteByte(0)
		key.Write(s.Schema)
		key.WriteString(s.Description)
		key.WriteByte(0)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.offered[key.String()]
	if o == nil {
		o = &offer{specs: specs, lines: prompt.Tools(specs), schema: wire.Schema(specs)}
		if len(a.offered) >= 64 {
			clear(a.offered) // tools come and go; what is in use is made again
		}
		a.offered[key.String()] = o
	}
	return o
}

func (o *offer) spec(name string) (models.Spec, bool) {
	i := slices.IndexFunc(o.specs, func(s models.Spec) bool { return s.Name == name })
	if i < 0 {
		return models.Spec{}, false
	}
	return o.specs[i], true
}

// problems tells everything that is wrong with calls. Only calls without any may be run.
func (a *Agent) problems(o *offer, calls []models.Call) []string {
	var all []string
	for _, c := range calls {
		if _, ok := o.spec(c.Tool); !ok {
			all = append(all, c.Tool+": there is no such tool here")
			continue
		}
		if err := a.check(c); err != nil {
			all = append(all, c.Tool+": "+err.Error())
		}
	}
	return all
}

func (a *Agent) check(c models.Call) error {
	if c.Tool != TaskTool {
		return a.c.Tools.Check(c)
	}
	if goalOf(c) == "" {
		return errors.New("goal: is missing")
	}
	return nil
}

func goalOf(c models.Call) string {
	var args struct{ Goal string }
	if json.Unmarshal(c.Arguments, &args) != nil {
		return ""
	}
	return strings.TrimSpace(args.Goal)
}
