package agent

import (
	"context"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/models"
)

const reporting = "Tell the user in one to three short spoken sentences what came of the work. Say only what the results say. No lists, no Markdown."

// report words what came of the task. Changes and failures are told in the words of the tools; where there were none,
// the model tells what was found out.
func (e *errand) report(ctx context.Context) (models.Result, error) {
	say := e.told()
	if say == "" {
		text, _, err := e.a.text(ctx, models.Quick, reporting, e.story(-1), 200)
		if ctx.Err() != nil {
			return models.Result{}, context.Cause(ctx)
		}
		if err != nil {
			e.a.c.Log.Warn().Err(public(err)).Msg("a task was reported without the model")
			text = e.last()
		}
		say = strings.TrimSpace(text)
	}
	if e.p.Tokens > e.a.c.TaskTokens {
		say += " I stopped there, because it took more than a task may cost."
	}
	e.a.line(ctx, e.in.Session, say, e.p.Outside)
	return models.Result{Say: strings.TrimSpace(say)}, nil
}

// told is what is certain: changes that were made, steps that failed, and what nobody knows.
func (e *errand) told() string {
	var all []string
	for _, s := range e.p.Steps {
		switch {
		case s.State == Unsure:
			all = append(all, "I was interrupted, and do not know whether I did this: "+strings.TrimRight(s.Do, ".")+". I did not do it again.")
		case s.State == Failed && s.Say != "":
			all = append(all, s.Say)
		case s.State == Failed:
			all = append(all, "I could not do this: "+strings.TrimRight(s.Do, ".")+".")
		case len(s.Made) > 0 && s.Say != "":
			all = append(all, s.Say)
		}
	}
	return strings.Join(all, " ")
}

// last is the newest result that was thought out.
func (e *errand) last() string {
	for i := len(e.p.Steps) - 1; i >= 0; i-- {
		if s := e.p.Steps[i]; s.State == Done && s.Note != "" {
			head, _ := prompt.Cut(s.Note, 150)
			return head
		}
	}
	return "I'm done, but there is nothing to tell."
}
