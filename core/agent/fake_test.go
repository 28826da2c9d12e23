package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// script is a Model that gives its turns in their order.
type script struct {
	mu    sync.Mutex
	turns []line
	asked []models.Request
	other func(models.Request) (line, bool) // answers before the turns do, where it wants to
}

// line is one turn of a script.
type line struct {
	text  string
	calls []models.ToolCall
	err   error // after the text
	size  int   // of pieces, 0 for 5
	wait  time.Duration
	usage *models.Usage
	hang  bool // until ctx ends, after the text
}

func (s *script) Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		l := s.next(r)
		size := l.size
		if size == 0 {
			size = 5
		}
		for text := l.text; text != ""; {
			if l.wait > 0 {
				select {
				case <-time.After(l.wait):
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				yield(models.Delta{}, ctx.Err())
				return
			}
			n := min(size, len(text))
			if !yield(models.Delta{Text: text[:n]}, nil) {
				return
			}
			text = text[n:]
		}
		for _, c := range l.calls {
			if !yield(models.Delta{Call: &c}, nil) {
				return
			}
		}
		if l.hang {
			<-ctx.Done()
			yield(models.Delta{}, ctx.Err())
			return
		}
		if l.err != nil {
			yield(models.Delta{}, l.err)
			return
		}
		if l.usage != nil {
			yield(models.Delta{Usage: l.usage}, nil)
		}
	}
}

func (s *script) next(r models.Request) line {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Messages = slices.Clone(r.Messages)
	s.asked = append(s.asked, r)
	if s.other != nil {
		if l, ok := s.other(r); ok {
			return l
		}
	}
	if len(s.turns) == 0 {
		return line{err: fmt.Errorf("the script is at its end: %w", models.ErrBroken)}
	}
	l := s.turns[0]
	s.turns = s.turns[1:]
	return l
}

func (s *script) requests() []models.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func says(texts ...string) *script {
	s := &script{}
	for _, t := range texts {
		s.turns = append(s.turns, line{text: t})
	}
	return s
}

func reply(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{"type":"reply","text":` + string(out) + `}`
}

func uses(tool, args string) string {
	return `{"type":"tool_call","tool":"` + tool + `","arguments":` + args + `}`
}

// box is a toolbox that writes down what is asked of it.
type box struct {
	mu      sync.Mutex
	specs   []models.Spec
	give    map[string]func(context.Context, models.Call) (models.Result, error)
	checked map[string]bool
	called  []models.Call
	origins []models.Origin
	faults  []string // calls that were not checked
}

func (b *box) add(name string, class models.Class, schema string, give func(context.Context, models.Call) (models.Result, error)) *box {
	return b.put(models.Spec{Name: name, Class: class, Description: "Does " + name + ".", Schema: json.RawMessage(schema)}, give)
}

func (b *box) put(s models.Spec, give func(context.Context, models.Call) (models.Result, error)) *box {
	if b.give == nil {
		b.give, b.checked = map[string]func(context.Context, models.Call) (models.Result, error){}, map[string]bool{}
	}
	b.specs = append(b.specs, s)
	b.give[s.Name] = give
	return b
}

func (b *box) Specs() []models.Spec { return b.specs }

func (b *box) Check(c models.Call) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.specs, func(s models.Spec) bool { return s.Name == c.Tool })
	if i < 0 {
		return errors.New("no such tool")
	}
	var schema struct {
		Properties map[string]any
		Required   []string
	}
	var args map[string]any
	if json.Unmarshal(b.specs[i].Schema, &schema) != nil || json.Unmarshal(c.Arguments, &args) != nil {
		return errors.New("not a JSON object")
	}
	var problems []string
	for _, name := range schema.Required {
		if args[name] == nil {
			problems = append(problems, name+": is missing")
		}
	}
	for name := range args {
		if schema.Properties[name] == nil {
			problems = append(problems, name+": is unknown")
		}
	}
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	b.checked[c.Tool+string(c.Arguments)] = true
	return nil
}

func (b *box) Call(ctx context.Context, c models.Call) (models.Result, error) {
	b.mu.Lock()
	if !b.checked[c.Tool+string(c.Arguments)] {
		b.faults = append(b.faults, c.Tool+string(c.Arguments))
	}
	b.called = append(b.called, c)
	b.origins = append(b.origins, models.OriginOf(ctx))
	give := b.give[c.Tool]
	b.mu.Unlock()
	return give(ctx, c)
}

func (b *box) calls() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []string
	for _, c := range b.called {
		all = append(all, c.Tool+string(c.Arguments))
	}
	return strings.Join(all, " ")
}

func gives(say string) func(context.Context, models.Call) (models.Result, error) {
	return func(context.Context, models.Call) (models.Result, error) { return models.Result{Say: say}, nil }
}

func fails(say string) func(context.Context, models.Call) (models.Result, error) {
	return func(context.Context, models.Call) (models.Result, error) {
		return models.Result{Say: say}, errors.New("broken")
	}
}

const (
	noArgs   = `{"type":"object","properties":{},"additionalProperties":false}`
	durArgs  = `{"type":"object","properties":{"duration":{"type":"string","format":"duration"},"name":{"type":"string"}},"required":["duration"],"additionalProperties":false}`
	textArgs = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`
	pathArgs = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`
	mailArgs = `{"type":"object","properties":{"to":{"type":"string"},"text":{"type":"string"}},"required":["to","text"],"additionalProperties":false}`
)

// toolbox has one tool of every kind.
func toolbox() *box {
	b := &box{}
	b.add("clock.time", models.Read, noArgs, gives("It's 4:20 PM."))
	b.add("timers.set", models.Write, durArgs, gives("Timer set for 5 minutes."))
	b.add("memory.remember", models.Write, textArgs, func(_ context.Context, c models.Call) (models.Result, error) {
		var args struct{ Text string }
		_ = json.Unmarshal(c.Arguments, &args)
		return models.Result{Say: "I'll remember: " + args.Text}, nil
	})
	b.add("lights.on", models.Write, noArgs, fails("The lamp does not answer."))
	b.add("mail.send", models.Outward, mailArgs, func(_ context.Context, c models.Call) (models.Result, error) {
		ask := &models.Ask{Call: models.Call{Tool: "consent.grant", Arguments: json.RawMessage(`{"id":"a1"}`)}, Approval: "a1"}
		return models.Result{Say: "Send it to Anna. Yes or no?", Ask: ask}, nil
	})
	b.put(models.Spec{Name: "documents.read", Class: models.Read, Description: "Reads a document.", Schema: json.RawMessage(pathArgs), Outside: true},
		gives("The report says that sales rose by 4 percent."))
	return b
}

// said is what was said of an answer.
type said struct {
	text   string
	pieces []string
	ask    *models.Ask
	err    error
}

func hear(ctx context.Context, a *Agent, words string) said {
	var s said
	for piece, err := range a.Answer(ctx, event.Heard{Text: words, Sure: 1}) {
		if err != nil {
			s.err = err
			continue
		}
		s.text += piece.Text
		s.pieces = append(s.pieces, piece.Text)
		if piece.Ask != nil {
			s.ask = piece.Ask
		}
	}
	return s
}

var monday = time.Date(2026, 3, 2, 16, 20, 0, 0, time.UTC)

func newAgent(t *testing.T, m Model, b *box) *Agent {
	t.Helper()
	a := New(Config{Model: m, Tools: b, Now: func() time.Time { return monday }})
	t.Cleanup(a.Close)
	return a
}

func heard(words string) event.Heard { return event.Heard{Text: words, Sure: 1} }
