package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// Brain is what the commands ask of Solo's thinking, acting and keeping.
type Brain interface {
	// Desk opens a session of typed words.
	Desk(ctx context.Context) (Desk, error)
	Models(ctx context.Context, tell Tell) error
	// TestModel asks a model, "" for the default, and tells how it answered.
	TestModel(ctx context.Context, name string, tell Tell) error
	// PullModel has Ollama download a model and tells how far it is.
	PullModel(ctx context.Context, name string, tell Tell) error
	// Permit lets a provider be asked without a question each time, or no longer.
	Permit(ctx context.Context, provider string, on bool) error
	Tools(ctx context.Context, tell Tell) error
	CallTool(ctx context.Context, name string, arguments json.RawMessage, tell Tell) error
	Ledger(ctx context.Context, n int, tell Tell) error
	Executions(ctx context.Context, n int, tell Tell) error
	Persona(ctx context.Context, tell Tell) error
	EditPersona(ctx context.Context, name string) error
	Jobs(ctx context.Context, tell Tell) error
	CancelJob(ctx context.Context, id int64) error
}

// Desk answers typed words, one text after the other.
type Desk interface {
	// Ask tells the actions, the sentences and at last the Answer.
	Ask(ctx context.Context, session, text string, tell Tell) error
	// History tells the last n lines of a session.
	History(ctx context.Context, session string, n int, tell Tell) error
	Close() error
}

func (c *command) ask() *cobra.Command {
	var session string
	cmd := &cobra.Command{
		Use: "ask TEXT...", Short: "Ask or tell Solo something and read the answer", Args: someArgs("a question"),
		Example: "  solo ask what should i cook with leeks and eggs",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, p *printer) error {
				d, err := s.Desk(cmd.Context())
				if err != nil {
					return err
				}
				defer d.Close()
				return d.Ask(cmd.Context(), session, strings.Join(args, " "), p.print)
			})
		},
	}
	cmd.Flags().StringVar(&session, "session", "cli", "talk that the question belongs to")
	return cmd
}

// chat is how to hold a talk in the terminal.
type chat struct {
	session string
	quiet   bool
	history int
}

func (c *command) chat() *cobra.Command {
	var o chat
	cmd := &cobra.Command{
		Use: "chat", Short: "Talk with Solo in the terminal", Args: noArgs,
		Long: "Talk with Solo in the terminal: one line is one text. Solo remembers the talk of a session. Type exit, or press Ctrl-D, to leave.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error {
				d, err := s.Desk(cmd.Context())
				if err != nil {
					return err
				}
				defer d.Close()
				return c.converse(cmd.Context(), d, o, p)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.session, "session", "cli", "which talk to go on with")
	f.BoolVar(&o.quiet, "quiet", false, "do not show which tools are run")
	f.IntVar(&o.history, "history", 6, "lines of the earlier talk to show first")
	return cmd
}

// converse answers each line until there are no more.
func (c *command) converse(ctx context.Context, d Desk, o chat, p *printer) error {
	tell := func(l Line) {
		if _, action := l.(Action); !action || !o.quiet {
			p.print(l)
		}
	}
	if o.history > 0 {
		if err := d.History(ctx, o.session, o.history, tell); err != nil {
			return err
		}
	}
	in := bufio.NewScanner(c.in)
	in.Buffer(make([]byte, 4096), maxLine)
	for c.prompt(); in.Scan(); c.prompt() {
		text := strings.TrimSpace(in.Text())
		switch strings.ToLower(text) {
		case "":
			continue
		case "exit", "quit":
			return nil
		}
		if err := d.Ask(ctx, o.session, text, tell); err != nil {
			if ctx.Err() != nil {
				return nil // Ctrl-C leaves
			}
			tell(Fail(err))
		}
	}
	return in.Err()
}

func (c *command) prompt() {
	if !c.globals.JSON {
		fmt.Fprint(c.out, "you:  ")
	}
}

func (c *command) models() *cobra.Command {
	cmd := &cobra.Command{Use: "models", Short: "Look at the models, fetch them and try them", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		c.listModels(), c.pullModels(), c.verifyModels(), c.removeModels(), c.pruneModels(),
		&cobra.Command{
			Use: "test [ENGINE/MODEL]", Short: "Ask a model something and measure it", Args: cobra.MaximumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return c.solo(func(s Solo, p *printer) error { return s.TestModel(cmd.Context(), strings.Join(args, ""), p.print) })
			},
		},
		c.permit("allow PROVIDER", "Let a provider in the cloud be asked without a question each time", true),
		c.permit("forbid PROVIDER", "Take that permission back", false),
	)
	return cmd
}

func (c *command) permit(use, short string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: someArgs("a provider, as solo models list names it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, _ *printer) error { return s.Permit(cmd.Context(), args[0], on) })
		},
	}
}

// telling is a command that only tells.
func (c *command) telling(use, short string, do func(ctx context.Context, s Solo, tell Tell) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return do(cmd.Context(), s, p.print) })
		},
	}
}

func (c *command) tools() *cobra.Command {
	var n int
	history := c.telling("history", "Show which tools were run, with what, and how that went",
		func(ctx context.Context, s Solo, tell Tell) error { return s.Executions(ctx, n, tell) })
	history.Flags().IntVarP(&n, "last", "n", 20, "how many calls")
	cmd := &cobra.Command{Use: "tools", Short: "Look at the tools and run one", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		c.telling("list", "List the tools that Solo has", func(ctx context.Context, s Solo, tell Tell) error { return s.Tools(ctx, tell) }),
		&cobra.Command{
			Use: "call NAME [JSON]", Short: "Run a tool with its arguments as JSON", Example: `  solo tools call timers.set '{"duration":"PT10M"}'`,
			Args: cobra.RangeArgs(1, 2),
			RunE: func(cmd *cobra.Command, args []string) error {
				arguments := json.RawMessage("{}")
				if len(args) == 2 {
					arguments = json.RawMessage(args[1])
				}
				if !json.Valid(arguments) {
					return usageError{fmt.Errorf("%q is no JSON; arguments look like {\"name\":\"value\"}", args[1])}
				}
				return c.solo(func(s Solo, p *printer) error { return s.CallTool(cmd.Context(), args[0], arguments, p.print) })
			},
		}, history)
	return cmd
}

func (c *command) ledger() *cobra.Command {
	var n int
	cmd := c.telling("ledger", "Show what has left this machine, to whom and by which word of yours",
		func(ctx context.Context, s Solo, tell Tell) error { return s.Ledger(ctx, n, tell) })
	cmd.Flags().IntVarP(&n, "last", "n", 20, "how many entries")
	return cmd
}

func (c *command) persona() *cobra.Command {
	cmd := &cobra.Command{Use: "persona", Short: "Look at who Solo is to you, and change it", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		c.telling("show", "Show SOUL.md, USER.md and TOOLS.md", func(ctx context.Context, s Solo, tell Tell) error { return s.Persona(ctx, tell) }),
		&cobra.Command{
			Use: "edit [NAME]", Short: "Open one of them in your editor: soul, user or tools", Args: cobra.MaximumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return c.solo(func(s Solo, _ *printer) error {
					return s.EditPersona(cmd.Context(), strings.Join(append(args, "soul")[:1], ""))
				})
			},
		})
	return cmd
}

func (c *command) jobs() *cobra.Command {
	cmd := &cobra.Command{Use: "jobs", Short: "Look at work in the background and end it", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		c.telling("list", "List work in the background, the newest first", func(ctx context.Context, s Solo, tell Tell) error { return s.Jobs(ctx, tell) }),
		&cobra.Command{
			Use: "cancel ID", Short: "End a job", Args: someArgs("a job's number, as solo jobs list tells it"),
			RunE: func(cmd *cobra.Command, args []string) error {
				id, err := strconv.ParseInt(args[0], 10, 64)
				if err != nil {
					return usageError{fmt.Errorf("%q is no job's number; solo jobs list tells them", args[0])}
				}
				return c.solo(func(s Solo, _ *printer) error { return s.CancelJob(cmd.Context(), id) })
			},
		})
	return cmd
}
