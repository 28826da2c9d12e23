package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

const (
	mostBlocks    = 256     // in one answer
	longestCall   = 1 << 20 // bytes of one call's arguments
	longestAnswer = 8 << 20 // bytes of an answer that came whole
)

// block is a call of a tool as far as it is known.
type block struct {
	id, name  string
	arguments []byte
}

// answer puts one answer together.
type answer struct {
	engine *Engine
	names  *wire.Names
	model  string
	mute   bool // nothing was asked for but to read the prompt; such an answer comes whole
	yield  func(models.Delta, error) bool

	blocks map[int]*block
	calls  int
	reason string
	usage  usage
}

var (
	errBreak = errors.New("the asker has had enough")
	errDone  = errors.New("the answer is whole")
)

// read follows a stream to its end.
func (a *answer) read(ctx context.Context, events *wire.Events) error {
	for {
		ev, err := events.Next()
		if err == nil {
			err = a.take(ev)
			switch {
			case err == nil:
				continue
			case errors.Is(err, errBreak):
				return nil
			case !errors.Is(err, errDone):
				return err
			}
			return a.close(ctx)
		}
		if a.reason != "" && ctx.Err() == nil && len(a.blocks) == 0 && !errors.Is(err, models.ErrNonsense) {
			return a.close(ctx) // only the end mark is missing
		}
		return a.engine.peer.Broken(ctx, err)
	}
}

// take hands on what one event says. Events of other types are allowed to come, and are passed over.
func (a *answer) take(ev wire.Event) error {
	var e event
	if err := json.Unmarshal(ev.Data, &e); err != nil {
		return a.engine.peer.Nonsense("%v in %.60q", err, ev.Data)
	}
	switch e.Type {
	case "message_start":
		a.model, a.usage = cmp.Or(e.Message.Model, a.model), e.Message.Usage
	case "content_block_start":
		return a.begin(e.Index, e.Block)
	case "content_block_delta":
		return a.more(e)
	case "content_block_stop":
		return a.ended(e.Index)
	case "message_delta":
		a.reason = cmp.Or(e.Delta.Reason, a.reason)
		a.count(e.Usage)
	case "message_stop":
		if a.reason == "" || len(a.blocks) > 0 {
			return a.engine.peer.Nonsense("an end in the middle")
		}
		return errDone
	case "error":
		return a.engine.peer.Refused(0, ev.Data)
	}
	return nil
}

// say hands on text; alive tells of work that is no text.
func (a *answer) say(text string, alive bool) error {
	if (text != "" || alive) && !a.yield(models.Delta{Text: text}, nil) {
		return errBreak
	}
	return nil
}

func (a *answer) begin(index int, p piece) error {
	if p.Type != "tool_use" {
		return a.say(p.Text, p.Type != "text")
	}
	if len(a.blocks) == mostBlocks {
		return a.engine.peer.Nonsense("over %d blocks in one answer", mostBlocks)
	}
	b := &block{id: p.ID, name: p.Name}
	if string(p.Input) != "{}" { // which only holds the place of what is to come
		b.arguments = append(b.arguments, p.Input...)
	}
	a.blocks[index] = b
	return a.say("", true)
}

func (a *answer) more(e event) error {
	if e.Delta.Type != "input_json_delta" {
		return a.say(e.Delta.Text, e.Delta.Type != "text_delta")
	}
	b := a.blocks[e.Index]
	if b == nil {
		return nil // of a tool that runs at the provider
	}
	if len(b.arguments)+len(e.Delta.JSON) > longestCall {
		return a.engine.peer.Nonsense("arguments of over %d MiB", longestCall>>20)
	}
	b.arguments = append(b.arguments, e.Delta.JSON...)
	return a.say("", true)
}

// ended hands on the call that a block was, if it was one.
func (a *answer) ended(index int) error {
	b := a.blocks[index]
	if b == nil {
		return nil
	}
	delete(a.blocks, index)
	if b.name == "" {
		return a.engine.peer.Nonsense("a call without a tool's name")
	}
	a.calls++
	call := models.ToolCall{ID: cmp.Or(b.id, fmt.Sprintf("call_%d", a.calls))}
	call.Tool, call.Arguments = a.names.Own(b.name), wire.Arguments(b.arguments)
	if !a.yield(models.Delta{Call: &call}, nil) {
		return errBreak
	}
	return nil
}

// count takes the newer numbers; they are totals.
func (a *answer) count(u usage) {
	a.usage = usage{Input: cmp.Or(u.Input, a.usage.Input), Read: cmp.Or(u.Read, a.usage.Read),
		Written: cmp.Or(u.Written, a.usage.Written), Output: cmp.Or(u.Output, a.usage.Output)}
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
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		return a.engine.peer.Nonsense("%v in %.60q", err, text)
	}
	a.model, a.reason, a.usage = cmp.Or(r.Model, a.model), r.Reason, r.Usage
	for i, p := range r.Content {
		if a.mute {
			break
		}
		err := a.begin(i, p)
		if err == nil {
			err = a.ended(i)
		}
		if errors.Is(err, errBreak) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return a.close(ctx)
}

// close tells what it all cost.
func (a *answer) close(ctx context.Context) error {
	if ctx.Err() != nil {
		return a.engine.peer.Ended(ctx)
	}
	u := &models.Usage{Engine: a.engine.cfg.Name, Model: a.model, Cached: a.usage.Read, Generated: a.usage.Output,
		Prompt: a.usage.Input + a.usage.Read + a.usage.Written, Finish: "stop"}
	switch {
	case a.calls > 0 || a.reason == "tool_use":
		u.Finish = "tool"
	case a.reason == "max_tokens" || a.reason == "model_context_window_exceeded":
		u.Finish = "length"
	}
	a.yield(models.Delta{Usage: u}, nil)
	return nil
}
