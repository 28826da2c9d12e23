// Package cli is the command line: it reads what was typed, asks Solo, and prints what comes of it,
// for people or, with --json, one object a line for programs.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes beside 0 for success and 1 for failure.
const (
	ExitUsage   = 2 // the command line itself was wrong
	ExitTaken   = 3 // another instance runs in this home folder
	ExitSilence = 4 // nothing was heard
)

// Globals are the flags that every command has.
type Globals struct {
	Home string   // folder of config, data and cache; "" for the platform's
	Set  []string // settings as key=value, stronger than all others
	JSON bool
}

// Solo is what the commands ask of the program. tell is given each line as it becomes known.
type Solo interface {
	Run(ctx context.Context, o Run, tell Tell) error
	Talk(ctx context.Context, o Talk, tell Tell) error
	Transcribe(ctx context.Context, o Transcribe, tell Tell) error
	Wake(ctx context.Context, o Wake, tell Tell) error
	Trainer
	Judge
	Understand(ctx context.Context, do bool) (Understander, error)
	Zone(ctx context.Context) (string, error)
	Say(ctx context.Context, o Say) error
	Devices(ctx context.Context, tell Tell) error
	Checkup
	Doctor(ctx context.Context, tell Tell) error
	Config(ctx context.Context, tell Tell) error
	Logs(ctx context.Context, follow bool, w io.Writer) error
	Dashboard(ctx context.Context, show bool, tell Tell) error // show opens a browser where there is a screen
	Brain
	Library
	Speech
	Depot
	Reminders
	Memories
	Work
	Starter
	Keeper
}

// Understander takes one text after the other.
type Understander interface {
	Understand(ctx context.Context, text string) (Understood, error)
	Close() error
}

// Tell prints a line.
type Tell func(Line)

// Open makes a Solo for the flags given.
type Open func(Globals) (Solo, error)

// Failure is an error that knows its exit code and what to do about it.
type Failure struct {
	File string // the file it is about, "" for none
	Code string // one word: "unreadable", "silence", "taken"
	Hint string // what to do
	Exit int    // 0 means 1
	Err  error
}

func (f *Failure) Error() string {
	text := f.Err.Error()
	if f.File != "" {
		text = f.File + ": " + text
	}
	if f.Hint != "" {
		text += "; " + f.Hint
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Err }

// command is what every command of this package is built with.
type command struct {
	globals Globals
	open    Open
	version Version
	in      io.Reader
	out     io.Writer
	errs    io.Writer
}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, args []string, v Version, open Open, in io.Reader, out, errs io.Writer) int {
	c := &command{open: open, version: v, in: in, out: out, errs: errs}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	c.globals.JSON = slices.Contains(args, "--json") // for a command line that cannot be parsed
	err := mistyped(root.ExecuteContext(ctx))
	if err == nil {
		return 0
	}
	if !errors.Is(err, errTold) {
		c.complain(err)
	}
	return exit(err)
}

// mistyped marks what cobra itself says of a wrong command line, which it does in plain errors.
func mistyped(err error) error {
	if err == nil {
		return nil
	}
	for _, begin := range []string{"unknown command", "required flag(s)"} {
		if strings.HasPrefix(err.Error(), begin) {
			return usageError{fmt.Errorf("%w; see solo --help", err)}
		}
	}
	return err
}

func exit(err error) int {
	var f *Failure
	var u usageError
	switch {
	case errors.As(err, &f) && f.Exit != 0:
		return f.Exit
	case errors.As(err, &u):
		return ExitUsage
	}
	return 1
}

// usageError is a command line that was typed wrong.
type usageError struct{ error }

// errTold ends a command whose failures have all been printed.
var errTold = errors.New("some of it failed")

// complain prints a failure: one sentence for people, one object for programs.
func (c *command) complain(err error) {
	if c.globals.JSON {
		c.printer().print(failureLine(err))
		return
	}
	fmt.Fprintln(c.errs, "solo: "+err.Error())
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "solo",
		Short:         "Solo listens, thinks and speaks on your own machine",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see solo --help", err)}
	})
	p := root.PersistentFlags()
	p.StringVar(&c.globals.Home, "home", "", "folder that holds config, data and cache (or SOLO_HOME)")
	p.StringArrayVar(&c.globals.Set, "set", nil, "one setting as key=value, such as --set wake.words=computer")
	p.BoolVar(&c.globals.JSON, "json", false, "print one JSON object a line")
	root.AddCommand(c.run(), c.dashboard(), c.chat(), c.ask(), c.models(), c.tools(), c.ledger(), c.persona(), c.jobs(), c.memory(), c.remind(), c.setup(), c.talk(), c.transcribe(), c.wake(), c.bench(), c.understand(), c.when(), c.say(), c.voices(),
		c.docs(), c.devices(), c.doctor(), c.config(), c.logs(), c.autostart(), c.versions())
	root.AddCommand(c.db(), c.backup())
	root.AddCommand(c.tasks(), c.projects(), c.routines(), c.brief())
	return root
}

// solo opens the program and hands it to do with a way to print.
func (c *command) solo(do func(s Solo, p *printer) error) error {
	s, err := c.open(c.globals)
	if err != nil {
		return err
	}
	p := c.printer()
	if err := do(s, p); err != nil {
		return err
	}
	if p.failed {
		return errTold
	}
	return nil
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no argument, but got %q", cmd.CommandPath(), args[0])}
	}
	return nil
}

func someArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("%s needs %s", cmd.CommandPath(), what)}
		}
		return nil
	}
}
