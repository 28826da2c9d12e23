package ollama

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
)

const mostCalls = 64 // in one answer

// line is a piece of an answer; the last one is done and tells what it cost.
type line struct {
	Model   string `json:"model"`
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
		Calls    []struct {
			ID       string   `json:"id"`
			Function function `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Error      string        `json:"error"`
	RemoteHost string        `json:"remote_host"`
	Done       bool          `json:"done"`
	Reason     string        `json:"done_reason"`
	Loading    time.Duration `json:"load_duration"` // all in nanoseconds
	Prompt     int           `json:"prompt_eval_count"`
	Reading    time.Duration `json:"prompt_eval_duration"`
	Generated  int           `json:"eval_count"`
	Writing    time.Duration `json:"eval_duration"`
}

// answer puts one answer together.
type answer struct {
	engine *Engine
	names  *wire.Names
	model  string
	mute   bool // nothing was asked for but to read the prompt
	yield  func(models.Delta, error) bool
	calls  int
}

var errBreak = errors.New("the asker has had enough")

// read follows a stream to its end. An answer that did not come as a stream is one of a single line.
func (a *answer) read(ctx context.Context, lines *wire.Lines) error {
	for {
		text, err := lines.Next()
		if len(text) == 0 && err == nil {
			continue
		}
		if err != nil && !(errors.Is(err, io.ErrUnexpectedEOF) && json.Valid(text)) { // the last line may lack its end
			return a.engine.peer.Broken(ctx, err)
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return a.engine.peer.Nonsense("%v in %.60q", err, text)
		}
		switch err := a.take(&l, text); {
		case errors.Is(err, errBreak):
			return nil
		case err != nil:
			return err
		case l.Done && ctx.Err() != nil:
			return a.engine.peer.Ended(ctx)
		case l.Done:
			a.yield(models.Delta{Usage: a.cost(&l)}, nil)
			return nil
		}
	}
}

// take hands on what one line says.
func (a *answer) take(l *line, text []byte) error {
	if l.Error != "" {
		return a.engine.peer.Refused(0, text)
	}
	if l.RemoteHost != "" && !a.engine.Cloud(a.model) {
		a.engine.book.note(a.model, page{remote: true})
		return fmt.Errorf("%s: %w: %s runs in a cloud", a.engine.cfg.Name, models.ErrPrivate, a.model)
	}
	a.model = cmp.Or(l.Model, a.model)
	if m := &l.Message; (m.Content != "" || m.Thinking != "") && !a.mute && !a.yield(models.Delta{Text: m.Content}, nil) {
		return errBreak
	}
	for _, c := range l.Message.Calls {
		a.calls++
		switch {
		case c.Function.Name == "":
			return a.engine.peer.Nonsense("a call without a tool's name")
		case a.calls > mostCalls:
			return a.engine.peer.Nonsense("over %d calls in one answer", mostCalls)
		}
		call := models.ToolCall{ID: cmp.Or(c.ID, fmt.Sprintf("call_%d", a.calls))}
		call.Tool, call.Arguments = a.names.Own(c.Function.Name), wire.Arguments(c.Function.Arguments)
		if !a.mute && !a.yield(models.Delta{Call: &call}, nil) {
			return errBreak
		}
	}
	return nil
}

func (a *answer) cost(l *line) *models.Usage {
	u := &models.Usage{Engine: a.engine.cfg.Name, Model: a.model, Prompt: l.Prompt, Generated: l.Generated, Finish: "stop",
		Reading: l.Reading, Writing: l.Writing, Loading: l.Loading}
	switch {
	case a.calls > 0:
		u.Finish = "tool"
	case l.Reason == "length":
		u.Finish = "length"
	}
	return u
}
