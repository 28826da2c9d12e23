package modelstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/models"
)

// Engine is what every adapter of an engine can do.
type Engine interface {
	Name() string
	Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error]
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
	Models(ctx context.Context) ([]models.Info, error)
	Cloud(model string) bool
}

// Heard is a whole answer.
type Heard struct {
	Text   string
	Deltas int // with text
	Calls  []models.ToolCall
	Usage  *models.Usage
	Err    error
}

// Hear reads an answer to its end.
func Hear(answer iter.Seq2[models.Delta, error]) Heard {
	var h Heard
	for d, err := range answer {
		if err != nil {
			h.Err = err
			continue
		}
		if d.Text != "" {
			h.Text += d.Text
			h.Deltas++
		}
		if d.Call != nil {
			h.Calls = append(h.Calls, *d.Call)
		}
		if d.Usage != nil {
			h.Usage = d.Usage
		}
	}
	return h
}

const secret = "sk-suite-0123456789abcdef" // that nobody may print

// Suite tests what Solo relies on in every engine. The function makes the engine that speaks its protocol to the
// server; it sends srv.Key() as its key and asks for "test-model" where a request names none.
func Suite(t *testing.T, engine func(t *testing.T, srv *Server) Engine) {
	s := suite{engine}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"streams", s.streams}, {"letters", s.letters}, {"request", s.request}, {"schema", s.schema},
		{"tools", s.tools}, {"several calls", s.several}, {"bad call", s.badCall}, {"no calls", s.plain}, {"usage", s.usage}, {"no usage", s.noUsage},
		{"thinking", s.thinking}, {"whole answer", s.whole}, {"prompt only", s.promptOnly}, {"finish", s.finish},
		{"breaking off", s.breakingOff}, {"cancel", s.cancel}, {"cancel before the first word", s.cancelEarly},
		{"cancel before the status", s.cancelHung}, {"time-out", s.timeOut}, {"cause", s.cause},
		{"refusals", s.refusals}, {"retry", s.retry}, {"broken streams", s.broken}, {"every break", s.everyBreak},
		{"nonsense", s.nonsense}, {"fault in the stream", s.faultInStream}, {"unreachable", s.unreachable},
		{"redirect", s.redirect}, {"many at once", s.manyAtOnce},
		{"models", s.models}, {"embeddings", s.embeddings}, {"secret", s.secret}, {"cloud", s.cloud},
	} {
		t.Run(test.name, func(t *testing.T) {
			// Registered first, so that it looks when the server has been stopped.
			old := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, old) })
			test.run(t)
		})
	}
}

type suite struct {
	engine func(t *testing.T, srv *Server) Engine
}

// play makes a server and an engine for it.
func (s suite) play(t *testing.T, turns ...Turn) (*Server, Engine) {
	srv := New(t, Script{Key: secret, Turns: turns})
	return srv, s.engine(t, srv)
}

func ask(text string) models.Request {
	return models.Request{Messages: []models.Message{{Role: models.System, Text: "Be brief."}, {Role: models.User, Text: text}}}
}

func hear(t *testing.T, e Engine, r models.Request) Heard {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	return Hear(e.Stream(ctx, r))
}

// good reads an answer that must be whole.
func good(t *testing.T, e Engine, r models.Request) Heard {
	t.Helper()
	h := hear(t, e, r)
	if h.Err != nil {
		t.Fatalf("the answer ended with: %v", h.Err)
	}
	return h
}

func (s suite) streams(t *testing.T) {
	const text = "The sun is up, the birds are awake, and so am I."
	_, e := s.play(t, Turn{Text: text, Pace: 200})
	h := good(t, e, ask("Good morning."))
	if h.Text != text || h.Deltas < 10 {
		t.Errorf("heard %q in %d pieces, want %q in 12", h.Text, h.Deltas, text)
	}
	if h.Usage == nil || h.Usage.Finish != "stop" || h.Usage.Engine != e.Name() || h.Usage.Model != "test-model" {
		t.Errorf("usage %+v of %s", h.Usage, e.Name())
	}
}

// Text comes as it was written, whatever is in it.
func (s suite) letters(t *testing.T) {
	text := "„Grüße“ \n\n\tline two\r\n data: {\"x\":1}\n\n😀 [DONE] \\n \u2028 <|end|> 字 event: ping"
	for piece := 1; piece < 6; piece++ {
		_, e := s.play(t, Turn{Text: text, Piece: piece})
		if h := good(t, e, ask("Say it.")); h.Text != text {
			t.Errorf("in pieces of %d\nheard %q\nwant  %q", piece, h.Text, text)
		}
	}
}

func (s suite) request(t *testing.T) {
	srv, e := s.play(t, Turn{Text: "Yes."})
	r := models.Request{MaxTokens: 77, Temperature: 0.5, Stop: []string{"User:", "\nEND"}, Messages: []models.Message{
		{Role: models.System, Text: "You are Solo."}, {Role: models.User, Text: "Is it \"late\"?"},
		{Role: models.Assistant, Text: "Rather."}, {Role: models.User, Text: "Sure?"}}}
	good(t, e, r)
	got := srv.Requests()[0]
	if !slices.EqualFunc(got.Messages, r.Messages, func(a, b models.Message) bool { return a.Role == b.Role && a.Text == b.Text }) {
		t.Errorf("the server was told %+v", got.Messages)
	}
	if got.MaxTokens != 77 || got.Temperature != 0.5 || !slices.Equal(got.Stop, r.Stop) || got.Model != "test-model" || !got.Stream {
		t.Errorf("the server was asked %+v", got)
	}
}

const decision = `{"type":"object","properties":{"type":{"type":"string","enum":["reply"]},"text":{"type":"string"}},"required":["type","text"],"additionalProperties":false}`

func (s suite) schema(t *testing.T) {
	answer := `{"type":"reply","text":"It is \"noon\"."}`
	srv, e := s.play(t, Turn{Text: answer})
	r := ask("What time is it?")
	r.Schema = json.RawMessage(decision)
	h := good(t, e, r)
	if h.Text != answer || len(h.Calls) != 0 || h.Usage == nil || h.Usage.Finish != "stop" {
		t.Errorf("heard %+v, want %s", h, answer)
	}
	if got := srv.Requests()[0].Schema; !sameJSON(got, []byte(decision)) {
		t.Errorf("the server was given the schema %s", got)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	one, _ := json.Marshal(x)
	two, _ := json.Marshal(y)
	return string(one) == string(two)
}

var setTimer = models.Spec{Name: "timers.set", Description: "Sets a timer.", Class: models.Write,
	Schema: json.RawMessage(`{"type":"object","properties":{"duration":{"type":"string"}},"required":["duration"]}`)}

// tools: a call is heard whole under the tool's own name, and its result goes back.
func (s suite) tools(t *testing.T) {
	srv := New(t, Script{Key: secret, Answer: func(r Request) Turn {
		if len(r.Messages) > 2 {
			return Turn{Text: "Set."}
		}
		return Turn{Calls: []models.Call{{Tool: r.Tools[0].Name, Arguments: json.RawMessage(`{"duration":"PT5M","note":"a {brace} \" and ü"}`)}}}
	}})
	e := s.engine(t, srv)
	r := ask("Five minutes.")
	r.Tools = []models.Spec{setTimer, {Name: "clock.time", Description: "Tells the time."}}
	h := good(t, e, r)
	if len(h.Calls) != 1 || h.Calls[0].Tool != "timers.set" || h.Calls[0].ID == "" || h.Usage == nil || h.Usage.Finish != "tool" ||
		!sameJSON(h.Calls[0].Arguments, []byte(`{"duration":"PT5M","note":"a {brace} \" and ü"}`)) {
		t.Fatalf("heard %+v", h)
	}
	r.Messages = append(r.Messages, models.Message{Role: models.Assistant, Calls: h.Calls},
		models.Message{Role: models.Tool, For: h.Calls[0].ID, Text: `{"say":"5 minutes, starting now."}`})
	if h = good(t, e, r); h.Text != "Set." {
		t.Errorf("heard %+v", h)
	}
	first, second := srv.Requests()[0], srv.Requests()[1]
	if len(first.Tools) != 2 || first.Tools[0].Description != setTimer.Description || !sameJSON(first.Tools[0].Schema, setTimer.Schema) {
		t.Errorf("offered %+v", first.Tools)
	}
	last := second.Messages[len(second.Messages)-1]
	made := second.Messages[len(second.Messages)-2]
	if last.Role != models.Tool || !strings.Contains(last.Text, "starting now") || len(made.Calls) != 1 || made.Calls[0].Tool != first.Tools[0].Name {
		t.Errorf("told %+v, %+v", made, last)
	}
}

func (s suite) several(t *testing.T) {
	calls := []models.Call{{Tool: "clock_time"}, {Tool: "timers_set", Arguments: json.RawMessage(`{"duration":"PT1H"}`)}, {Tool: "nobody_offered", Arguments: json.RawMessage(`{"a":[1,2]}`)}}
	_, e := s.play(t, Turn{Text: "One moment.", Calls: calls})
	r := ask("Three things.")
	r.Tools = []models.Spec{setTimer, {Name: "clock.time"}, {Name: "clock_time"}}
	h := good(t, e, r)
	var names []string
	ids := map[string]bool{}
	for _, c := range h.Calls {
		names, ids[c.ID] = append(names, c.Tool), true
		if !json.Valid(c.Arguments) {
			t.Errorf("arguments %s", c.Arguments)
		}
	}
	if h.Text != "One moment." || len(names) != 3 || names[1] == names[0] || names[2] != "nobody_offered" || len(ids) != 3 {
		t.Errorf("heard %q and %v", h.Text, h.Calls)
	}
}

// badCall: arguments that are no JSON are not lost; they come as a text, so that the asker can mend them.
func (s suite) badCall(t *testing.T) {
	for _, whole := range []bool{false, true} {
		_, e := s.play(t, Turn{Whole: whole, Calls: []models.Call{{Tool: "timers_set", Arguments: json.RawMessage(`{"duration": PT5M`)}}})
		r := ask("Five minutes.")
		r.Tools = []models.Spec{setTimer}
		h := good(t, e, r)
		var text string
		if len(h.Calls) != 1 || h.Calls[0].Tool != "timers.set" || json.Unmarshal(h.Calls[0].Arguments, &text) != nil || text != `{"duration": PT5M` {
			t.Errorf("heard %+v", h.Calls)
		}
	}
}

// plain: offered tools that are not called do no harm.
func (s suite) plain(t *testing.T) {
	_, e := s.play(t, Turn{Text: "No tool is needed."})
	r := ask("Hello.")
	r.Tools = []models.Spec{setTimer}
	if h := good(t, e, r); h.Text != "No tool is needed." || len(h.Calls) != 0 || h.Usage.Finish != "stop" {
		t.Errorf("heard %+v", h)
	}
}

func (s suite) usage(t *testing.T) {
	_, e := s.play(t, Turn{Text: "Counted.", Usage: models.Usage{Prompt: 120, Cached: 80, Generated: 7}})
	h := good(t, e, ask("Count."))
	if u := h.Usage; u == nil || u.Prompt != 120 || u.Generated != 7 || (u.Cached != 80 && u.Cached != 0) {
		t.Errorf("usage %+v", h.Usage)
	}
}

func (s suite) noUsage(t *testing.T) {
	_, e := s.play(t, Turn{Text: "Nobody counts.", NoUsage: true})
	if h := good(t, e, ask("Do not count.")); h.Text != "Nobody counts." || h.Usage == nil {
		t.Errorf("heard %+v, want a usage that knows the model at least", h)
	}
}

// thinking is not text.
func (s suite) thinking(t *testing.T) {
	_, e := s.play(t, Turn{Thinking: "The user wants four.", Text: "Four."})
	if h := good(t, e, ask("Two and two?")); h.Text != "Four." {
		t.Errorf("heard %q", h.Text)
	}
}

// whole: a server that does not stream is understood too.
func (s suite) whole(t *testing.T) {
	_, e := s.play(t, Turn{Text: "All at once.", Whole: true})
	if h := good(t, e, ask("Hello.")); h.Text != "All at once." || h.Usage == nil {
		t.Errorf("heard %+v", h)
	}
}

// promptOnly: nothing is said, however the server does it.
func (s suite) promptOnly(t *testing.T) {
	for _, llama := range []bool{true, false} {
		srv := New(t, Script{Key: secret, Llama: llama, Answer: func(Request) Turn { return Turn{Text: "x"} }})
		r := ask("Read this.")
		r.MaxTokens = -1
		e := s.engine(t, srv)
		for range 2 {
			if h := hear(t, e, r); h.Err != nil && !errors.Is(h.Err, models.ErrUnable) || h.Text != "" {
				t.Errorf("heard %+v", h)
			}
		}
	}
}

func (s suite) finish(t *testing.T) {
	_, e := s.play(t, Turn{Text: "Cut off at the", Finish: "length"})
	if h := good(t, e, ask("Go on.")); h.Usage == nil || h.Usage.Finish != "length" {
		t.Errorf("usage %+v", h.Usage)
	}
}

func (s suite) manyAtOnce(t *testing.T) {
	srv := New(t, Script{Key: secret, Answer: func(r Request) Turn {
		return Turn{Text: strings.ToUpper(r.Messages[len(r.Messages)-1].Text), Pace: 500}
	}})
	e := s.engine(t, srv)
	results := make(chan error, 16)
	for i := range cap(results) {
		go func() {
			said := fmt.Sprintf("this is number %d of them", i)
			if h := hear(t, e, ask(said)); h.Err != nil || h.Text != strings.ToUpper(said) {
				results <- fmt.Errorf("heard %q: %w", h.Text, errors.Join(h.Err, errors.New("not what was said")))
				return
			}
			results <- nil
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func (s suite) models(t *testing.T) {
	srv := New(t, Script{Key: secret, Models: []Model{{ID: "test-model", Bytes: 5, Context: 2048}, {ID: "another", Bytes: 7, Context: 8192}}})
	e := s.engine(t, srv)
	list, err := e.Models(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("models %+v, %v", list, err)
	}
	for _, m := range list {
		if m.Engine != e.Name() || m.ID == "" || m.Cloud != e.Cloud(m.ID) {
			t.Errorf("model %+v", m)
		}
	}
}

// cloud: a server on this machine is none of a stranger's.
func (s suite) cloud(t *testing.T) {
	_, e := s.play(t)
	if e.Cloud("") || e.Cloud("test-model") || e.Name() == "" {
		t.Errorf("%q is a cloud: %v", e.Name(), e.Cloud(""))
	}
}

func (s suite) embeddings(t *testing.T) {
	srv := New(t, Script{Key: secret, Embed: func(text string) []float32 { return []float32{float32(len(text)), -0.5} }})
	e := s.engine(t, srv)
	got, err := e.Embed(t.Context(), "", []string{"one", "three", "four words are here"})
	if errors.Is(err, models.ErrUnable) && got == nil {
		return // an engine that has none says so
	}
	if err != nil || len(got) != 3 || got[0][0] != 3 || got[1][0] != 5 || got[2][0] != 19 || got[2][1] != -0.5 {
		t.Errorf("vectors %v, %v", got, err)
	}
	if got, err = e.Embed(t.Context(), "", nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
	if _, err = e.Embed(t.Context(), "none-such", []string{"x"}); !errors.Is(err, models.ErrNoModel) {
		t.Errorf("of a model that is not there: %v", err)
	}
}

func status(code int, words string) Turn {
	return Turn{Status: code, Body: words, Header: http.Header{}}
}
