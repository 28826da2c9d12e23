package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/models"
	"golang.org/x/term"
)

// This file answers the commands about models, tools, the ledger, jobs and the persona.

func (a *app) Models(ctx context.Context, tell cli.Tell) error {
	return once[cli.Model](ctx, a, true, "models", typed{}, tell)
}

func (a *app) TestModel(ctx context.Context, name string, tell cli.Tell) error {
	return once[cli.Tested](ctx, a, true, "test", typed{Text: name}, tell)
}

// PullModel has Ollama download a model, and tells each twentieth part of it.
func (a *app) PullModel(ctx context.Context, name string, tell cli.Tell) error {
	e, err := a.ollama()
	if err != nil {
		return err
	}
	last, part := "", int64(-1)
	err = e.Pull(ctx, name, func(done, total int64, status string) {
		now := int64(0)
		if total > 0 {
			now = 20 * done / total
		}
		if status == last && now == part {
			return
		}
		last, part = status, now
		tell(cli.Pulled{Model: name, Status: status, Done: done, Total: total})
	})
	if errors.Is(err, models.ErrUnreachable) {
		return &cli.Failure{Code: "unreachable", Err: errors.New("no Ollama answers"), Hint: "start it with ollama serve, or set ollama.host"}
	}
	return err
}

func (a *app) Permit(ctx context.Context, provider string, on bool) error {
	return once[cli.Note](ctx, a, false, "permit", typed{Text: provider, On: on}, func(cli.Line) {})
}

func (a *app) Tools(ctx context.Context, tell cli.Tell) error {
	return once[cli.Tool](ctx, a, false, "tools", typed{}, tell)
}

func (a *app) Ledger(ctx context.Context, n int, tell cli.Tell) error {
	return once[cli.Sent](ctx, a, false, "ledger", typed{Last: n}, tell)
}

func (a *app) Executions(ctx context.Context, n int, tell cli.Tell) error {
	return once[cli.Execution](ctx, a, false, "deeds", typed{Last: n}, tell)
}

func (a *app) Jobs(ctx context.Context, tell cli.Tell) error {
	return once[cli.Job](ctx, a, false, "jobs", typed{}, tell)
}

func (a *app) CancelJob(ctx context.Context, id int64) error {
	return once[cli.Note](ctx, a, false, "cancel", typed{ID: id}, func(cli.Line) {})
}

// CallTool runs a tool; where it asks for a yes and a person sits at the terminal, the person is asked.
func (a *app) CallTool(ctx context.Context, name string, arguments json.RawMessage, tell cli.Tell) error {
	v, err := a.visitor(ctx, true)
	if err != nil {
		return err
	}
	defer v.Close()
	var last cli.Called
	each := func(raw json.RawMessage) error {
		if err := json.Unmarshal(raw, &last); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		tell(last)
		return nil
	}
	if err := v.visit(ctx, "call", models.Call{Tool: name, Arguments: arguments}, each); err != nil {
		return err
	}
	if last.Status == "asked" && term.IsTerminal(int(os.Stdin.Fd())) && agreed() {
		if err := v.visit(ctx, "call", last.Yes, each); err != nil {
			return err
		}
	}
	if last.Status == "denied" || last.Status == "failed" {
		return &cli.Failure{Code: last.Status, Err: errors.New(strings.ToLower(strings.TrimSuffix(last.Say, ".")))}
	}
	return nil
}

// agreed reads a yes from the terminal.
func agreed() bool {
	var word string
	_, _ = fmt.Fscanln(os.Stdin, &word) // no word is no yes
	return strings.HasPrefix(strings.ToLower(word), "y")
}

func (a *app) personaFiles() *agent.Persona {
	return agent.NewPersona(a.settings.Workspace, a.part("agent"))
}

// Persona shows the files that tell the model who Solo and the user are.
func (a *app) Persona(_ context.Context, tell cli.Tell) error {
	p := a.personaFiles()
	for _, name := range p.Files() {
		path, err := p.Path(name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read the persona: %w", err)
		}
		tell(cli.File{Path: path, Text: string(text)})
	}
	return nil
}

// EditPersona opens one of them in the user's editor.
func (a *app) EditPersona(ctx context.Context, name string) error {
	path, err := a.personaFiles().Path(name)
	if err != nil {
		return err
	}
	editor := strings.Fields(firstSet(os.Getenv("VISUAL"), os.Getenv("EDITOR"), map[string]string{"windows": "notepad", "darwin": "open -t"}[runtime.GOOS], "nano"))
	cmd := exec.CommandContext(ctx, editor[0], append(editor[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return &cli.Failure{File: path, Code: "editor", Hint: "set EDITOR to a program that can edit it, or open the file yourself", Err: err}
	}
	return nil
}

func firstSet(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}
