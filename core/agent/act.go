package agent

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// ran is a call that was made.
type ran struct {
	call   models.Call
	spec   models.Spec
	result models.Result
	err    error
	said   bool // the user heard what came of it
}

func (r ran) changes() bool { return r.spec.Class != models.Read }

// act makes calls that were checked, in their order, and puts what came of them before the model. Done is true where
// that is the end of the answer: at a question, or when all that was asked is done.
func (t *turn) act(ctx context.Context, th thought) (done bool, err error) {
	from, again := len(t.ran), 0
	ctx = t.mark(ctx)
	for i, c := range th.Calls {
		if t.repeated(c) {
			again++
			continue
		}
		r, err := t.call(ctx, c)
		if err != nil {
			return true, err
		}
		if r.Ask != nil {
			return true, t.question(r, th.Calls[i+1:])
		}
	}
	now := t.ran[from:]
	if again == len(th.Calls) { // it turns in a circle
		t.results()
		return true, nil
	}
	for i := range now {
		t.outside = t.outside || now[i].spec.Outside
		if now[i].changes() && now[i].err == nil {
			if now[i].said = true; !t.sentence(now[i].result.Say) {
				return true, errGone
			}
		}
	}
	if t.finished(now) {
		if t.said.Len() == 0 {
			t.sentence("Done.")
		}
		return true, nil
	}
	t.tell(ctx, th, now)
	return false, nil
}

// mark says who calls, for policy.
func (t *turn) mark(ctx context.Context) context.Context {
	o := t.origin
	o.Model, o.Outside = true, o.Outside || t.outside
	return models.WithOrigin(ctx, o)
}

// call runs one tool. The error is only what ended ctx; what goes wrong in a tool is a result.
func (t *turn) call(ctx context.Context, c models.Call) (models.Result, error) {
	spec, _ := t.offer.spec(c.Tool)
	r, err := t.a.c.Tools.Call(ctx, c)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if err != nil {
		t.a.c.Log.Debug().Err(err).Str("tool", c.Tool).Msg("a tool failed") // arguments are private
		r.Ask = nil
		if r.Say == "" {
			r.Say = "Sorry, that did not work."
		}
	}
	t.ran = append(t.ran, ran{call: c, spec: spec, result: r, err: err})
	return r, nil
}

// repeated says whether a call that changes something was made before in this answer, and worked.
func (t *turn) repeated(c models.Call) bool {
	return slices.ContainsFunc(t.ran, func(r ran) bool {
		return r.err == nil && r.changes() && r.call.Tool == c.Tool && bytes.Equal(r.call.Arguments, c.Arguments)
	})
}

// finished says whether calls did all that the words asked for, so that the model need not be asked again.
func (t *turn) finished(now []ran) bool {
	return !manifold(t.words) && !slices.ContainsFunc(now, func(r ran) bool { return r.err != nil || !r.changes() })
}

// manifold says whether words may ask for more than one thing.
func manifold(words string) bool {
	words = strings.ToLower(strings.Trim(words, " .!?"))
	return strings.ContainsAny(words, ",;.?!\n") || slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return w == "and" || w == "then" || w == "also" || w == "but" || w == "after" || w == "plus"
	})
}

// question ends the answer with what a tool wants to know, or wants to be allowed.
func (t *turn) question(r models.Result, left []models.Call) error {
	t.ran[len(t.ran)-1].said = true
	t.results()
	if len(left) > 0 && !t.sentence("One thing at a time; ask me for the rest again afterwards.") {
		return errGone
	}
	text := strings.TrimSpace(r.Say)
	if t.said.Len() > 0 {
		text = " " + text
	}
	t.said.WriteString(text)
	if !t.yield(models.Answer{Text: text, Ask: r.Ask}, nil) {
		return errGone
	}
	return nil
}

// results says in the tools' own words what the user has not heard yet; false where there is nothing.
func (t *turn) results() bool {
	any := false
	for i := range t.ran {
		if t.ran[i].said || t.ran[i].result.Say == "" {
			continue
		}
		t.ran[i].said, any = true, true
		if !t.sentence(t.ran[i].result.Say) {
			return true
		}
	}
	return any
}

func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
