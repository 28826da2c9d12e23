package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
)

// note keeps what came of a call.
func (e *errand) note(ctx context.Context, s *Step, r ran) {
	if r.err != nil {
		e.a.c.Log.Debug().Err(r.err).Str("tool", r.call.Tool).Msg("a tool failed")
		r.result.Say = max(r.result.Say, "I could not do this: "+s.Do+".")
		s.Say = r.result.Say
	} else if r.changes() {
		s.Made = append(s.Made, r.call)
		s.Say = r.result.Say
	}
	if r.spec.Outside && r.err == nil {
		s.Outside, e.p.Outside = true, true
	}
	room := e.a.c.Context / 3
	text := r.result.Say
	if data := plain(r.result.Data); data != "" && data != text {
		text = strings.TrimSpace(text + "\n" + data)
	}
	if long := prompt.Tokens(text); long > room {
		e.p.Tokens += long // that it costs to make it short
	}
	text = e.a.digest(ctx, text, e.p.Goal, room)
	if r.err != nil {
		text = "FAILED: " + text
	}
	s.Note = strings.TrimSpace(s.Note + "\n" + r.call.Tool + ": " + text)
}

// story tells the model the goal, the steps and what came of them; i is the step to do now, -1 for none.
func (e *errand) story(i int) string {
	marker := prompt.Marker()
	room := e.a.c.Context/2 - prompt.Tokens(e.p.Goal)
	notes := make([]string, len(e.p.Steps))
	for k := len(e.p.Steps) - 1; k >= 0; k-- { // the latest results matter most
		s := e.p.Steps[k]
		note := cut(s.Note, max(room, 30))
		room -= prompt.Tokens(note)
		if s.Outside && note != "" {
			note = prompt.Fence(marker, "result", note)
		} else {
			note = prompt.Defuse(note)
		}
		state := string(s.State)
		if k == i {
			state = "now"
		}
		notes[k] = fmt.Sprintf("%d. %s (%s)\n%s", k+1, prompt.Defuse(s.Do), max(state, "to do"), note)
	}
	out := "Goal: " + prompt.Defuse(e.p.Goal) + "\nSteps:\n" + strings.Join(notes, "\n")
	if i >= 0 {
		out += fmt.Sprintf("\nDo step %d now: %s", i+1, prompt.Defuse(e.p.Steps[i].Do))
		if tool := e.p.Steps[i].Tool; tool != "" {
			out += " Use " + tool + "."
		}
	}
	return out
}
