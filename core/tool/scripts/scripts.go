// Package scripts runs the scripts that the user put into Solo's workspace.
//
// A script is a file in <workspace>/scripts that is executable, or ends in .sh, .ps1 or .py where the interpreter is
// installed. It is run by its exact name and without a shell, so that an argument is an argument whatever is in it. It
// has the time that Limit gives and is killed with its children when that is over or the user interrupts. Of Solo's
// environment it sees only what every program needs. A script that others on this machine can write is not run.
package scripts

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed scripts.md
var page string

// Config is what the script tools stand on.
type Config struct {
	Workspace string `toml:"-"` // Solo's folder for the user

	Limit     time.Duration `toml:"limit" default:"60s" min:"1s" max:"1h" doc:"how long a script of yours may run"`
	MaxOutput int           `toml:"max_output" default:"20000" min:"100" max:"1000000" doc:"bytes of a script's output that are kept"`
}

const (
	mostArguments   = 32
	longestArgument = 4000 // bytes
)

type scripts struct{ Config }

// Tools makes scripts.run and scripts.list.
func Tools(c Config) []tool.Tool {
	if c.Limit <= 0 {
		c.Limit = time.Minute
	}
	if c.MaxOutput <= 0 {
		c.MaxOutput = 20000
	}
	s := scripts{c}
	run := tool.Of("scripts.run", tool.About(page, "scripts.run"), models.Dangerous, s.run)
	run = tool.Worded(tool.Foreign(run), "Run your script {name|quote}[ with {arguments|quote}]")
	const more = 2 * time.Second // to end it and tell of it
	return []tool.Tool{
		tool.Patient(run, c.Limit+more),
		tool.Of("scripts.list", tool.About(page, "scripts.list"), models.Read, s.list),
	}
}

type none struct{}

type runArgs struct {
	Name      string   `json:"name" jsonschema:"name of the script, not a path" limits:"1..100"`
	Arguments []string `json:"arguments,omitempty" jsonschema:"what the script is given, each as it is"`
}

func (s scripts) list(context.Context, none) (models.Result, error) {
	all, err := s.all()
	if err != nil {
		return models.Result{}, err
	}
	names := []string{}
	for _, f := range all {
		names = append(names, f.name)
	}
	say := fmt.Sprintf("You have %s: %s.", tool.Count(len(names), "script"), tool.Some(names, 8))
	if len(names) == 0 {
		say = "You have no scripts. Put some into the folder scripts of my workspace."
	}
	return tool.With(models.Result{Say: say}, map[string]any{"folder": s.folder(), "scripts": names}), nil
}

// outcome is what a model is told of a run.
type outcome struct {
	Script  string  `json:"script"`
	Exit    int     `json:"exit"` // status, -1 where it was ended
	Output  string  `json:"output"`
	Errors  string  `json:"errors,omitempty"` // its last words on stderr, where it failed
	LeftOut int     `json:"left_out_bytes,omitempty"`
	Seconds float64 `json:"seconds"`
}

func (s scripts) run(ctx context.Context, a runArgs) (models.Result, error) {
	f, refused, err := s.find(a.Name)
	if err != nil {
		return models.Result{}, err
	}
	if refused == "" {
		refused = unfit(a.Arguments)
	}
	if refused != "" {
		return tool.Said("%s", refused), nil
	}
	path, args, missing := command(f, a.Arguments)
	if missing != "" {
		return tool.Said("%s", missing), nil
	}
	out := &head{room: s.MaxOutput}
	begun := time.Now()
	_, err = proc.Run(ctx, proc.Command{Path: path, Args: args, Env: bare(), Dir: s.folder(), Out: out, Limit: s.Limit})
	o := outcome{Script: f.name, Output: out.text(), LeftOut: out.left, Seconds: time.Since(begun).Round(time.Millisecond).Seconds()}
	return s.told(ctx, o, err)
}

// unfit tells why arguments cannot be given to a program.
func unfit(args []string) string {
	if len(args) > mostArguments {
		return fmt.Sprintf("A script can be given %d arguments at most.", mostArguments)
	}
	for _, a := range args {
		if len(a) > longestArgument || strings.ContainsRune(a, 0) {
			return "One of those arguments is too long, or holds what no argument can."
		}
	}
	return ""
}

// told words how a run ended. A failure is an error too, so that nobody takes it for done.
func (s scripts) told(ctx context.Context, o outcome, err error) (models.Result, error) {
	name := tool.Upper(said(o.Script))
	if err == nil {
		return tool.With(tool.Said("%s", name+" is done."+aloud(o.Output)), o), nil
	}
	var exit *proc.Exit
	if errors.As(err, &exit) {
		o.Errors = strings.Join(exit.Words, "\n")
	}
	o.Exit = -1
	var status *exec.ExitError
	say := name + " could not be started."
	switch {
	case ctx.Err() != nil:
		say = name + " was ended."
	case errors.Is(err, proc.ErrLimit):
		say = fmt.Sprintf("%s took longer than %v, so I ended it.", name, s.Limit)
	case errors.As(err, &status):
		o.Exit = status.ExitCode()
		say = fmt.Sprintf("%s failed with status %d.", name, o.Exit)
	}
	return tool.With(models.Result{Say: say}, o), fmt.Errorf("running the script %s: %w", o.Script, unspoken(err))
}

// unspoken is an error without the program's own words, which may be private.
func unspoken(err error) error {
	var exit *proc.Exit
	if errors.As(err, &exit) && exit.Err != nil {
		return exit.Err
	}
	return err
}

// aloud is a short output as a further sentence.
func aloud(output string) string {
	output = strings.TrimSpace(output)
	if output == "" || len(output) > 200 || strings.Contains(output, "\n") {
		return ""
	}
	return " It says: " + strings.TrimRight(output, ".?! ") + "."
}

// said is a file's name for the ear.
func said(name string) string {
	return strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSuffix(name, filepath.Ext(name)))
}
