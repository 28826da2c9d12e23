package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/models"
)

// thought is what came of one request.
type thought struct {
	wire.Answer
	raw    string            // as the model wrote it
	native []models.ToolCall // the calls, where the engine made them in its own way
	cut    bool              // the model was stopped at its longest answer
	tokens int               // that it cost, estimated where the engine does not tell
}

func (a *Agent) request(w models.Work, m []models.Message, o *offer) models.Request {
	r := models.Request{Work: w, Messages: m, Schema: o.schema, MaxTokens: a.c.MaxTokens, Temperature: a.c.Temperature}
	if a.c.Native {
		r.Schema, r.Tools = nil, o.specs
	}
	return r
}

// ask makes one request and gives the text of a reply to speak while it is written; speak returns false where nobody
// listens. Errors: *wire.Fault for an answer that cannot be used, errGone, what ended ctx, or the engine's own.
func (a *Agent) ask(ctx context.Context, r models.Request, speak func(string) bool) (thought, error) {
	var reader wire.Reader
	var th thought
	var usage *models.Usage
	for d, err := range a.c.Model.Stream(ctx, r) {
		if ctx.Err() != nil {
			return th, context.Cause(ctx)
		}
		if err != nil {
			return th, fmt.Errorf("asking the model: %w", err)
		}
		if d.Usage != nil {
			usage = d.Usage
		}
		if d.Call != nil && len(th.native) < wire.MaxCalls {
			th.native = append(th.native, *d.Call)
		}
		if piece := reader.Feed(d.Text); piece != "" && !speak(piece) {
			return th, errGone
		}
		if th.cut = reader.Len() > wire.MaxAnswer; th.cut {
			break
		}
	}
	if ctx.Err() != nil {
		return th, context.Cause(ctx)
	}
	th.raw = reader.Raw()
	th.tokens = spent(usage, r, th)
	th.cut = th.cut || usage != nil && usage.Finish == "length"
	return th.finish(&reader, speak)
}

// finish reads the answer as a whole.
func (th thought) finish(reader *wire.Reader, speak func(string) bool) (thought, error) {
	if len(th.native) > 0 {
		return th.natively()
	}
	rest, answer, err := reader.End()
	if err != nil {
		return th, err
	}
	th.Answer = answer
	if rest != "" && !speak(rest) {
		return th, errGone
	}
	return th, nil
}

// natively takes the calls that the engine made.
func (th thought) natively() (thought, error) {
	f := &wire.Fault{}
	for i, c := range th.native {
		args, err := wire.Arguments(c.Arguments)
		if err != nil {
			f.Problems = append(f.Problems, fmt.Sprintf("%s: %v", c.Tool, err))
		}
		th.native[i].Arguments = args
		th.Calls = append(th.Calls, th.native[i].Call)
	}
	if len(f.Problems) > 0 {
		th.native, th.Calls = nil, nil
		return th, f
	}
	th.Text = th.raw
	return th, nil
}

func spent(u *models.Usage, r models.Request, th thought) int {
	if u != nil && u.Prompt+u.Generated > 0 {
		return u.Prompt + u.Generated
	}
	return tokensOf(r.Messages) + prompt.Tokens(th.raw)
}

// text asks for plain words, all at once.
func (a *Agent) text(ctx context.Context, w models.Work, system, user string, most int) (string, int, error) {
	r := models.Request{Work: w, MaxTokens: most, Messages: []models.Message{{Role: models.System, Text: system}, {Role: models.User, Text: user}}}
	th, err := a.ask(ctx, r, func(string) bool { return true })
	var f *wire.Fault
	if err != nil && !errors.As(err, &f) {
		return "", th.tokens, err
	}
	text := th.Text
	if err != nil || len(th.Calls) > 0 {
		text = th.raw // words that look like a call are words all the same
	}
	if !sayable(text) {
		return "", th.tokens, &wire.Fault{Problems: []string{"the text is empty"}}
	}
	return text, th.tokens, nil
}
