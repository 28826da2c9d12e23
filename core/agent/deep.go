package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

const deeply = "Think the question through. Answer in plain spoken sentences, the conclusion first. Say what you are not sure of."

// facts is how many facts may go with a question, and relevant how much of it a fact must share (0 to 1).
const (
	facts    = 6
	relevant = 0.2
)

// Deep gives the messages that a cloud would be sent for a question that is to be thought about deeply: the question,
// and of what is known only what it needs. No talk goes with it, nothing of the user's profile, nothing that strangers
// wrote, and no fact that names a person whom the question does not name. It sends nothing to a cloud.
func (a *Agent) Deep(ctx context.Context, about string) ([]models.Message, error) {
	about = strings.TrimSpace(about)
	if about == "" {
		return nil, fmt.Errorf("thinking deeply: %w", errNoQuestion)
	}
	text := about
	if known := a.needed(ctx, about); len(known) > 0 {
		text += "\n\nWhat I know that may matter:\n- " + strings.Join(known, "\n- ")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return []models.Message{{Role: models.System, Text: deeply}, {Role: models.User, Text: text}}, nil
}

// needed chooses facts by their words. The local model may leave some out, and can add none.
func (a *Agent) needed(ctx context.Context, about string) []string {
	if a.c.Memory == nil {
		return nil
	}
	all, err := a.c.Memory.About(ctx, about, 3*facts)
	if err != nil {
		a.c.Log.Warn().Err(err).Msg("no facts go with the question")
		return nil
	}
	sourced, _ := a.c.Memory.(Sourced)
	all = slices.DeleteFunc(slices.Clone(all), func(f string) bool {
		return sourced != nil && sourced.Outside(f) || namesOthers(f, about) || strings.TrimSpace(f) == ""
	})
	var out []string
	for _, m := range words.Rank(about, all, relevant) {
		if len(out) < facts {
			out = append(out, strings.Join(strings.Fields(all[m.Index]), " "))
		}
	}
	if len(out) < 3 || a.c.Model == nil {
		return out
	}
	return a.narrowed(ctx, about, out)
}

const narrowing = `A question is to be sent to someone outside. Choose which of the numbered facts are really needed to answer it; the fewer the better.
Answer with one JSON object: {"keep":[1,2]}`

// narrowed lets the local model leave facts out. Whatever it answers, none is added.
func (a *Agent) narrowed(ctx context.Context, about string, list []string) []string {
	var text strings.Builder
	for i, f := range list {
		fmt.Fprintf(&text, "%d. %s\n", i+1, prompt.Defuse(f))
	}
	r := models.Request{Work: models.Quick, MaxTokens: 60,
		Messages: []models.Message{{Role: models.System, Text: narrowing}, {Role: models.User, Text: "Question: " + about + "\nFacts:\n" + text.String()}},
		Schema:   wire.Fixed("keep", fmt.Sprintf(`{"type":"array","items":{"type":"integer","minimum":1,"maximum":%d},"maxItems":%d}`, len(list), len(list)))}
	th, err := a.ask(ctx, r, func(string) bool { return true })
	var choice struct{ Keep *[]int }
	if th.raw == "" || wire.Decode(th.raw, &choice) != nil || choice.Keep == nil {
		a.c.Log.Debug().Err(err).Msg("the facts for the question were not narrowed")
		return list
	}
	var out []string
	for i, f := range list {
		if slices.Contains(*choice.Keep, i+1) {
			out = append(out, f)
		}
	}
	return out
}
