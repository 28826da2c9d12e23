package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

// dash ends what was said of an answer that the user spoke over.
const dash = "—"

// past is the earlier talk as the model reads it.
type past struct {
	summary string
	lines   []Line
	left    bool // something is neither in lines nor in the summary
	outside bool // strangers' words shine through
	long    bool // it ought to be made short
}

// recall reads a session's talk. One that cannot be read is left out, and the prompt says so.
func (a *Agent) recall(ctx context.Context, session string, room int) past {
	t, err := a.c.Sessions.Lines(ctx, session)
	if err != nil {
		a.c.Log.Warn().Err(err).Msg("the earlier talk is left out of the prompt")
		return past{left: true}
	}
	lines := Corrected(t.Lines)
	p := past{long: cost(lines) > a.c.Talk}
	sum := parseSummary(t.Summary)
	p.summary = sum.clean
	if sum.outside != "" && a.c.Now().Sub(sum.at) < a.c.Outside {
		p.summary, p.outside = strings.TrimSpace(p.summary+"\n"+sum.outside), true
	} else if sum.outside != "" {
		p.left = true
	}
	room = min(room, a.c.Talk) - prompt.Tokens(p.summary)
	for _, l := range slices.Backward(lines) {
		if l.Outside && a.c.Now().Sub(l.At) >= a.c.Outside {
			p.left = true
			continue
		}
		if room -= lineCost(l); room < 0 {
			p.left = true
			break
		}
		p.outside = p.outside || l.Outside
		p.lines = append(p.lines, l)
	}
	slices.Reverse(p.lines)
	return p
}

// Corrected applies what the user spoke over: of such an answer only what was heard is left.
func Corrected(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		if n := len(out) - 1; n >= 0 && l.Role == models.Assistant && out[n].Role == models.Assistant && strings.HasSuffix(l.Text, dash) {
			l.Outside = l.Outside || out[n].Outside
			out[n] = l
			continue
		}
		out = append(out, l)
	}
	return out
}

func lineCost(l Line) int { return 4 + prompt.Tokens(l.Text) }

func cost(lines []Line) int {
	n := 0
	for _, l := range lines {
		n += lineCost(l)
	}
	return n
}

// before is what the system prompt tells of the talk before the lines that follow it.
func (p past) before() string {
	var b strings.Builder
	if p.summary != "" {
		b.WriteString("\n# Earlier, in short\n" + prompt.Defuse(p.summary) + "\n")
	}
	if p.left {
		b.WriteString("\n(Some of the earlier talk is left out here.)\n")
	}
	return b.String()
}

// messages are the lines, the user's first.
func (p past) messages() []models.Message {
	var out []models.Message
	for _, l := range p.lines {
		if len(out) == 0 && l.Role == models.Assistant {
			out = append(out, models.Message{Role: models.User, Text: "(You spoke first.)"})
		}
		out = append(out, models.Message{Role: l.Role, Text: prompt.Defuse(l.Text)})
	}
	return out
}

// maxLast is how many sessions' last answers are known.
const maxLast = 200

// keep writes down what was said in a turn, also where the turn was given up.
func (a *Agent) keep(ctx context.Context, session, heard, said string, outside bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	now := a.c.Now()
	lines := []Line{{Role: models.User, Text: heard, At: now}}
	if said = strings.TrimSpace(said); said != "" {
		lines = append(lines, Line{Role: models.Assistant, Text: said, At: now, Outside: outside})
	}
	if err := a.c.Sessions.Add(ctx, session, lines...); err != nil {
		a.c.Log.Warn().Err(err).Msg("a turn was not kept")
	}
	a.mu.Lock()
	if len(a.last) >= maxLast {
		clear(a.last) // of talks that ended long ago
	}
	a.last[session] = said
	a.mu.Unlock()
	a.stale(session)
}

// begins says whether an answer begins with what was spoken. Something else that was spoken, a reminder, is not the answer.
func begins(meant, spoken string) bool {
	m, s := words.Fold(meant), words.Fold(spoken)
	n := min(2, len(m), len(s))
	return n == 0 || slices.Equal(m[:n-1], s[:n-1]) && strings.HasPrefix(m[n-1], s[n-1])
}

// line adds something that Solo said of itself.
func (a *Agent) line(ctx context.Context, session, text string, outside bool) {
	if err := a.c.Sessions.Add(ctx, session, Line{Role: models.Assistant, Text: text, At: a.c.Now(), Outside: outside}); err != nil {
		a.c.Log.Warn().Err(err).Msg("a report was not kept")
	}
}

// Note keeps a turn in the talk that the agent did not answer itself, so that the next words can refer to it.
func (a *Agent) Note(ctx context.Context, heard, answer string) {
	a.keep(ctx, models.OriginOf(ctx).Session, heard, answer, false)
}

// Spoke says what was really said aloud of the last answer, after the user spoke over it: no more of it is left in the
// talk. Text that covers the whole answer changes nothing.
func (a *Agent) Spoke(ctx context.Context, text string) {
	session := models.OriginOf(ctx).Session
	a.mu.Lock()
	meant := a.last[session]
	delete(a.last, session)
	a.mu.Unlock()
	text = strings.TrimSpace(text)
	if meant == "" || len(strings.Fields(text)) >= len(strings.Fields(meant)) || !begins(meant, text) {
		return
	}
	text = strings.TrimSpace(strings.TrimRight(text, " .,;:—-") + " " + dash)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := a.c.Sessions.Add(ctx, session, Line{Role: models.Assistant, Text: text, At: a.c.Now()}); err != nil {
		a.c.Log.Warn().Err(err).Msg("an interrupted answer was not shortened")
	}
	a.stale(session)
}
