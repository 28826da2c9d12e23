package agent

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// errGone says that nobody listens to the answer any more.
var errGone = errors.New("nobody listens any more")

// turn is one answer being worked out.
type turn struct {
	a        *Agent
	words    string
	session  string
	origin   models.Origin
	marker   string // of this answer's fences
	offer    *offer
	messages []models.Message
	slim     bool  // the model's context holds no more than the words themselves
	outside  bool  // strangers' words are among the messages
	ran      []ran // calls that were made
	said     strings.Builder
	yield    func(models.Answer, error) bool
}

// Answer gives what is to be said about the words heard, piece by piece as it is written; who asks is in the
// OriginOf(ctx). What goes wrong becomes a sentence. The only error is the cause with which ctx ended.
func (a *Agent) Answer(ctx context.Context, h event.Heard) iter.Seq2[models.Answer, error] {
	return func(yield func(models.Answer, error) bool) {
		ready := a.begin(ctx, h.Text)
		defer a.rest(models.OriginOf(ctx).Session)
		t := ready
		if t == nil {
			t = a.turn(ctx, h.Text)
		}
		t.origin, t.yield = models.OriginOf(ctx), yield // the guess did not know who speaks
		t.run(ctx)
	}
}

// turn prepares an answer: it puts together all that the model has to read.
func (a *Agent) turn(ctx context.Context, words string) *turn {
	o := models.OriginOf(ctx)
	t := &turn{a: a, words: words, session: o.Session, origin: o, marker: prompt.Marker(), offer: a.offering()}
	beside, outside := a.beside(ctx, words, t.marker)
	system := a.stable(t.offer) + a.daily(ctx)
	room := a.c.Context - a.c.MaxTokens - prompt.Tokens(system+beside+words) - 50
	p := a.recall(ctx, t.session, room)
	t.outside = outside || p.outside
	t.messages = append(t.messages, models.Message{Role: models.System, Text: system + p.before()})
	t.messages = append(t.messages, p.messages()...)
	t.messages = append(t.messages, models.Message{Role: models.User, Text: beside + words})
	return t
}

// run answers, and says in one sentence what went wrong if it could not.
func (t *turn) run(ctx context.Context) {
	inner, cancel := context.WithTimeoutCause(ctx, t.a.c.Limit, models.ErrLate)
	defer cancel()
	goal, err := t.answer(inner)
	if inner.Err() != nil && ctx.Err() == nil && err != nil && !errors.Is(err, errGone) {
		err = context.Cause(inner)
	}
	if goal != "" {
		err = t.long(ctx, goal) // which has a limit of its own
	}
	switch {
	case ctx.Err() != nil && err != nil:
		t.keep(ctx)
		if !errors.Is(err, errGone) {
			t.yield(models.Answer{}, context.Cause(ctx))
		}
		return
	case err != nil && !errors.Is(err, errGone):
		t.a.c.Log.Warn().Err(public(err)).Msg("the model did not answer")
		if t.halfway() || !t.results() {
			t.excuse(err)
		}
	}
	t.keep(ctx)
}

// public is an error without the words of a model, which may be the user's.
func public(err error) error {
	var f *wire.Fault
	if errors.As(err, &f) {
		return models.ErrNonsense
	}
	return err
}

func (t *turn) keep(ctx context.Context) {
	t.a.keep(ctx, t.session, t.words, t.said.String(), t.outside)
}

// answer is the quick path: the model replies or calls tools, and reads what came of it. A goal is work that takes more
// than that.
func (t *turn) answer(ctx context.Context) (goal string, err error) {
	if goal, ok := slow(t.words); ok {
		return goal, nil
	}
	if t.full() && (!t.thin(ctx) || t.full()) {
		return "", models.ErrTooLong
	}
	for round := 0; ; round++ {
		final := round >= t.a.c.Rounds
		if final {
			t.offer = replyOnly
			t.add(models.User, "That was the last use of a tool. Reply now.")
		}
		th, err := t.think(ctx)
		if errors.Is(err, models.ErrTooLong) && t.thin(ctx) {
			th, err = t.think(ctx)
		}
		if err != nil {
			return "", err
		}
		if len(th.Calls) == 0 {
			return "", t.reply(th)
		}
		if goal := taskOf(th.Calls); goal != "" {
			return goal, nil
		}
		if done, err := t.act(ctx, th); done || err != nil {
			return "", err
		}
	}
}

// full says that the answer would not fit behind what the model has to read.
func (t *turn) full() bool { return tokensOf(t.messages)+t.a.c.MaxTokens > t.a.c.Context }

// thin leaves out all but the persona and the words, where nothing was done or said yet: a model with a small context
// then answers at least, though it can do nothing. False where that was tried already, or is too late.
func (t *turn) thin(ctx context.Context) bool {
	if t.slim || len(t.ran) > 0 || t.said.Len() > 0 {
		return false
	}
	t.a.c.Log.Warn().Msg("the model's context is too small for the tools; it answers without them")
	t.slim, t.outside, t.offer = true, false, replyOnly
	t.messages = []models.Message{
		{Role: models.System, Text: t.a.persona.text(Soul) + "\n" + onlyReply + t.a.daily(ctx)},
		{Role: models.User, Text: t.words},
	}
	return true
}

// think asks the model until its answer can be used, at most Mends times more.
func (t *turn) think(ctx context.Context) (thought, error) {
	for mend := 0; ; mend++ {
		r := t.a.request(models.Quick, join(t.messages), t.offer)
		th, err := t.a.ask(ctx, r, t.speech())
		if err == nil {
			err = t.unfit(th)
		}
		var f *wire.Fault
		if err == nil || !errors.As(err, &f) {
			return th, err
		}
		t.a.c.Log.Debug().Strs("problems", f.Problems).Str("raw", th.raw).Msg("the answer cannot be used")
		if mend >= t.a.c.Mends {
			return th, f
		}
		t.mend(th, f)
	}
}

// unfit tells what is wrong with an answer that could be read.
func (t *turn) unfit(th thought) error {
	problems := t.a.problems(t.offer, th.Calls)
	if len(th.Calls) > 1 && taskOf(th.Calls) != "" {
		problems = append(problems, TaskTool+": it cannot be called together with others; put all of it into the goal")
	}
	if th.cut && len(th.Calls) > 0 {
		problems = append(problems, "the answer was too long and broke off")
	}
	if len(problems) > 0 {
		return &wire.Fault{Problems: problems}
	}
	if len(th.Calls) == 0 && !sayable(th.Text) && !sayable(t.said.String()) {
		return &wire.Fault{Problems: []string{"the text of the reply is empty"}}
	}
	return nil
}

// mend shows the model its own answer and all that is wrong with it.
func (t *turn) mend(th thought, f *wire.Fault) {
	raw, _ := prompt.Cut(th.raw, 200)
	if raw = strings.TrimSpace(raw); raw == "" {
		raw = "(nothing)"
	}
	t.add(models.Assistant, raw)
	t.add(models.User, "That cannot be used:\n- "+strings.Join(f.Problems, "\n- ")+"\nAnswer again, with one JSON object.")
}

func (t *turn) add(role models.Role, text string) {
	t.messages = append(t.messages, models.Message{Role: role, Text: text})
}

// slow says whether the words themselves ask for work of several steps.
func slow(words string) (goal string, ok bool) {
	low := strings.ToLower(strings.TrimSpace(words))
	if rest, ok := strings.CutPrefix(low, "plan "); ok && len(strings.Fields(rest)) > 1 {
		return words, true
	}
	steps := strings.Count(low, "and then ") + strings.Count(low, "after that ") + strings.Count(low, ", then ") + strings.Count(low, "finally ")
	return words, steps >= 2
}

func taskOf(calls []models.Call) string {
	for _, c := range calls {
		if c.Tool == TaskTool {
			return goalOf(c)
		}
	}
	return ""
}
