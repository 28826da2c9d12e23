package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// typed are the arguments of most verbs.
type typed struct {
	Text  string `json:"text"`
	Aloud bool   `json:"aloud"`
	Last  int    `json:"last,omitempty"`
	On    bool   `json:"on,omitempty"`
	ID    int64  `json:"id,omitempty"`
}

// with reads a verb's arguments.
func with[T any](do func(ctx context.Context, args T, tell func(any) error) error) local.Verb {
	return func(ctx context.Context, args json.RawMessage, tell func(any) error) error {
		var t T
		if err := json.Unmarshal(args, &t); err != nil {
			return fmt.Errorf("read what was asked: %w", err)
		}
		return do(ctx, t, tell)
	}
}

// verbs are what the command line may ask of this assistant while it runs.
func (s *assistant) verbs() map[string]local.Verb {
	all := map[string]local.Verb{
		"ping": func(context.Context, json.RawMessage, func(any) error) error { return nil },
		"understand": with(func(ctx context.Context, t typed, tell func(any) error) error {
			u, err := s.understand(ctx, t.Text, t.Aloud)
			if err != nil {
				return err
			}
			return tell(u)
		}),
		"say":     with(func(ctx context.Context, t typed, _ func(any) error) error { return s.dialog.Say(ctx, t.Text) }),
		"ask":     with(s.ask),
		"history": with(s.past),
		"link":    with(func(_ context.Context, _ typed, tell func(any) error) error { return s.link(tell) }),
		"keys":    with(s.tellKeys),
		"sound":   with(func(_ context.Context, _ typed, tell func(any) error) error { return s.tellSound(tell) }),
	}
	all["wake.reload"] = with(func(_ context.Context, t typed, _ func(any) error) error { return s.reloadWake(t.Text) })
	maps.Copy(all, s.brainVerbs())
	maps.Copy(all, s.docVerbs())
	maps.Copy(all, s.promiseVerbs())
	s.rememberVerbs(all)
	maps.Copy(all, s.workVerbs())
	return all
}

func (s *assistant) brainVerbs() map[string]local.Verb {
	return map[string]local.Verb{
		"models": with(func(ctx context.Context, _ typed, tell func(any) error) error { return s.listModels(ctx, tell) }),
		"test":   with(func(ctx context.Context, t typed, tell func(any) error) error { return s.testModel(ctx, t.Text, tell) }),
		"tools":  with(func(_ context.Context, _ typed, tell func(any) error) error { return s.listTools(tell) }),
		"call":   with(s.callTool),
		"ledger": with(func(ctx context.Context, t typed, tell func(any) error) error { return s.listSent(ctx, t.Last, tell) }),
		"deeds":  with(func(ctx context.Context, t typed, tell func(any) error) error { return s.listDeeds(ctx, t.Last, tell) }),
		"permit": with(func(ctx context.Context, t typed, _ func(any) error) error { return s.permit(ctx, t.Text, t.On) }),
		"jobs":   with(func(ctx context.Context, _ typed, tell func(any) error) error { return s.listJobs(ctx, tell) }),
		"cancel": with(func(ctx context.Context, t typed, _ func(any) error) error { return s.jobs.Cancel(ctx, t.ID) }),
	}
}

func (s *assistant) listTools(tell func(any) error) error {
	for _, t := range s.box.Specs() {
		if err := tell(cli.Tool{Name: t.Name, Class: string(t.Class), Description: t.Description, Schema: t.Schema}); err != nil {
			return err
		}
	}
	return nil
}

// callTool runs a tool that the user named, under the same policy as any other call.
func (s *assistant) callTool(ctx context.Context, c models.Call, tell func(any) error) error {
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed"})
	r, err := s.box.Call(ctx, c)
	line := cli.Called{Tool: c.Tool, Status: "ok", Say: r.Say, Data: r.Data}
	switch {
	case errors.Is(err, tool.ErrUnknown):
		return fmt.Errorf("there is no tool %q; solo tools list tells what there is", c.Tool)
	case errors.Is(err, tool.ErrArguments):
		return err
	case errors.Is(err, tool.ErrDenied):
		line.Status = "denied"
	case err != nil:
		line.Status = "failed"
	case r.Ask != nil:
		line.Status = "asked"
		if line.Yes, err = json.Marshal(r.Ask.Call); err != nil {
			return err
		}
	}
	return tell(line)
}

func (s *assistant) listSent(ctx context.Context, n int, tell func(any) error) error {
	list, err := s.brain.consent.Ledger(ctx, n)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := tell(cli.Sent{At: e.At, Provider: e.Provider, Model: e.Model, Purpose: e.Purpose, Approval: e.Approval, Messages: e.Content}); err != nil {
			return err
		}
	}
	return nil
}

func (s *assistant) listDeeds(ctx context.Context, n int, tell func(any) error) error {
	list, err := s.history.deeds.Last(ctx, n)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := tell(cli.Execution{At: e.At.In(s.app.now().Location()), Tool: e.Tool, Arguments: e.Arguments, Status: e.Status, Source: e.Source, Took: e.Took.Seconds() * 1000}); err != nil {
			return err
		}
	}
	return nil
}

func (s *assistant) permit(ctx context.Context, provider string, on bool) error {
	if on {
		return s.brain.consent.Permit(ctx, provider)
	}
	return s.brain.consent.Revoke(ctx, provider)
}

func (s *assistant) listJobs(ctx context.Context, tell func(any) error) error {
	list, err := s.jobs.List(ctx, 50)
	if err != nil {
		return err
	}
	for _, j := range list {
		line := cli.Job{ID: j.ID, Kind: j.Kind, Title: j.Title, State: string(j.State), Progress: j.Progress, Doing: j.Doing, Error: j.Why, Changed: j.Changed}
		if j.Result != nil {
			line.Result = j.Result.Say
		}
		if err := tell(line); err != nil {
			return err
		}
	}
	return nil
}

// works are the kinds of work that a model can be chosen for.
var works = []models.Work{models.Quick, models.Planning, models.Summarizing, models.Coding, models.Deep}

func (s *assistant) listModels(ctx context.Context, tell func(any) error) error {
	if s.brain.router == nil {
		return unthinking(s.brain.lacks)
	}
	list, err := s.brain.router.Models(ctx)
	if err != nil && len(list) == 0 {
		return err
	}
	for i, m := range list {
		first := i == 0 || list[i-1].Engine != m.Engine // what an engine takes by itself stands first
		line := cli.Model{Engine: m.Engine, ID: m.ID, Bytes: m.Bytes, Context: m.Context, Loaded: m.Loaded, GPU: m.GPU, Cloud: m.Cloud}
		for _, w := range works {
			if engine, model, _ := s.brain.router.Provider(w); engine == m.Engine && (model == m.ID || model == "" && first) {
				line.For = append(line.For, string(w))
			}
		}
		if err := tell(line); err != nil {
			return err
		}
	}
	return err
}

// unthinking says that there is no language model, and why where that is known.
func unthinking(lacks []string) error {
	why := errNoModel
	if len(lacks) > 0 {
		why = errors.New(strings.Join(lacks, "; "))
	}
	return &cli.Failure{Code: "no_model", Err: why, Hint: "solo doctor tells how to get one"}
}

// trial is what a model is asked to be measured.
const trial = "Say in two short sentences what a lighthouse is for."

func (s *assistant) testModel(ctx context.Context, name string, tell func(any) error) error {
	if s.brain.router == nil {
		return unthinking(s.brain.lacks)
	}
	line := cli.Tested{}
	began := time.Now()
	r := models.Request{Model: name, MaxTokens: 96, Messages: []models.Message{{Role: models.User, Text: trial}}}
	for d, err := range s.brain.router.Stream(ctx, r) {
		if err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSuffix(models.Excuse(err), "."), err)
		}
		if d.Text != "" && line.FirstToken == 0 {
			line.FirstToken = cli.Millis(time.Since(began))
		}
		line.Text += d.Text
		if u := d.Usage; u != nil {
			line.Engine, line.Model, line.Prompt, line.Generated = u.Engine, u.Model, u.Prompt, u.Generated
			if u.Writing > 0 {
				line.Speed = float64(u.Generated) / u.Writing.Seconds()
			}
		}
	}
	line.Took = cli.Millis(time.Since(began))
	if writing := time.Duration(line.Took - line.FirstToken); line.Speed == 0 && writing > 0 {
		line.Speed = float64(line.Generated) / writing.Seconds()
	}
	line.JSON = s.keepsToSchema(ctx, name)
	return tell(line)
}

// keepsToSchema tries whether a model's answer fits the schema that it is given.
func (s *assistant) keepsToSchema(ctx context.Context, name string) bool {
	r := models.Request{Model: name, MaxTokens: 64, Messages: []models.Message{{Role: models.User, Text: "Which colour has grass? Answer in JSON."}},
		Schema: json.RawMessage(`{"type":"object","properties":{"colour":{"enum":["red","green","blue"]}},"required":["colour"],"additionalProperties":false}`)}
	text, err := s.answerWhole(ctx, r)
	var got struct{ Colour string }
	return err == nil && json.Unmarshal([]byte(text), &got) == nil && (got.Colour == "red" || got.Colour == "green" || got.Colour == "blue")
}
