package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

const (
	mostCalls     = 64      // in one answer
	longestCall   = 1 << 20 // bytes of one call's arguments
	longestAnswer = 8 << 20 // bytes of an answer that came whole
)

// answer puts one answer together.
type answer struct {
	engine *Engine
	names  *wire.Names
	model  string
	mute   bool // nothing was asked for but to read the prompt
	yield  func(models.Delta, error) bool

	calls   []part
	finish  string
	usage   *usage
	timings *timings
}

// part is a call as far as it is known.
type part struct {
	index     int
	id, name  string
	arguments []byte
}

var (
	done     = []byte("[DONE]")
	errBreak = errors.New("the asker has had enough")
)

// read follows a stream to its end.
func (a *answer) read(ctx context.Context, events *wire.Events) error {
	for {
		ev, err := events.Next()
		switch {
		case err != nil && (a.finish == "" || ctx.Err() != nil || errors.Is(err, models.ErrNonsense)):
			return a.engine.peer.Broken(ctx, err)
		case err != nil || bytes.Equal(ev.Data, done):
			return a.close(ctx)
		}
		switch err := a.take(ev); {
		case errors.Is(err, errBreak):
			return nil
		case err != nil:
			return err
		}
	}
}

// whole reads an answer that did not come as a stream.
func (a *answer) whole(ctx context.Context, body io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(body, longestAnswer+1))
	switch {
	case err != nil:
		return a.engine.peer.Broken(ctx, err)
	case len(text) > longestAnswer:
		return a.engine.peer.Nonsense("an answer of over %d MiB", longestAnswer>>20)
	}
	switch err := a.take(wire.Event{Data: text}); {
	case errors.Is(err, errBreak):
		return nil
	case err != nil:
		return err
	}
	return a.close(ctx)
}

// take hands on what one chunk says.
func (a *answer) take(ev wire.Event) error {
	var c chunk
	if err := json.Unmarshal(ev.Data, &c); err != nil {
		return a.engine.peer.Nonsense("%v in %.60q", err, ev.Data)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" || ev.Name == "error" {
		return a.engine.peer.Refused(0, ev.Data)
	}
	if c.Usage != nil {
		a.usage = c.Usage
	}
	if c.Timings != nil {
		a.timings = c.Timings
	}
	a.model = cmp.Or(c.Model, a.model)
	for i := range c.Choices {
		if err := a.choice(&c.Choices[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) choice(c *choice) error {
	for _, s := range []*said{&c.Delta, &c.Message} {
		for i := range s.Calls {
			if err := a.piece(&s.Calls[i]); err != nil {
				return err
			}
		}
		text := s.Content + s.Refusal
		alive := s.Reasoning != "" || s.Thinking != "" || len(s.Calls) > 0
		if (text != "" || alive) && !a.mute && !a.yield(models.Delta{Text: text}, nil) {
			return errBreak
		}
	}
	a.finish = cmp.Or(c.Finish, a.finish)
	return nil
}

// piece adds to the call that it belongs to. A piece without an index begins a call when it has an ID or a name.
func (a *answer) piece(p *piece) error {
	at := len(a.calls) - 1
	if p.Index != nil {
		at = slices.IndexFunc(a.calls, func(c part) bool { return c.index == *p.Index })
	} else if p.ID != "" || p.Function.Name != "" {
		at = -1
	}
	if at < 0 {
		if len(a.calls) == mostCalls {
			return a.engine.peer.Nonsense("over %d calls in one answer", mostCalls)
		}
		at = len(a.calls)
		a.calls = append(a.calls, part{index: at})
		if p.Index != nil {
			a.calls[at].index = *p.Index
		}
	}
	c := &a.calls[at]
	c.id = cmp.Or(p.ID, c.id)
	c.name = cmp.Or(p.Function.Name, c.name)
	var text string
	if args := p.Function.Arguments; json.Unmarshal(args, &text) == nil {
		c.arguments = append(c.arguments, text...)
	} else {
		c.arguments = append(c.arguments, args...)
	}
	if len(c.arguments) > longestCall {
		return a.engine.peer.Nonsense("arguments of over %d MiB", longestCall>>20)
	}
	return nil
}

// close hands on the calls, which are whole now, and what it all cost.
func (a *answer) close(ctx context.Context) error {
	if ctx.Err() != nil {
		return a.engine.peer.Ended(ctx)
	}
	for i, c := range a.calls {
		whole := models.ToolCall{ID: cmp.Or(c.id, fmt.Sprintf("call_%d", i+1))}
		whole.Tool, whole.Arguments = a.names.Own(c.name), wire.Arguments(c.arguments)
		if whole.Tool == "" {
			return a.engine.peer.Nonsense("a call without a tool's name")
		}
		if !a.mute && !a.yield(models.Delta{Call: &whole}, nil) {
			return nil
		}
	}
	a.yield(models.Delta{Usage: a.cost()}, nil)
	return nil
}

// cost puts the server's two ways to tell it together.
func (a *answer) cost() *models.Usage {
	u := &models.Usage{Engine: a.engine.cfg.Name, Model: a.model, Finish: "stop"}
	switch {
	case len(a.calls) > 0 || a.finish == "tool_calls" || a.finish == "function_call":
		u.Finish = "tool"
	case a.finish == "length":
		u.Finish = "length"
	}
	if t := a.timings; t != nil {
		u.Prompt, u.Cached, u.Generated = t.Cached+t.Read, t.Cached, t.Generated
		u.Reading, u.Writing = milliseconds(t.Reading), milliseconds(t.Writing)
	}
	if s := a.usage; s != nil {
		u.Prompt, u.Generated = cmp.Or(s.Prompt, u.Prompt), cmp.Or(s.Generated, u.Generated)
		u.Cached = cmp.Or(s.Details.Cached, u.Cached)
	}
	return u
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
