package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// Work is what the commands tasks, projects, routines and brief ask.
type Work interface {
	Work(ctx context.Context, o WorkOrder, tell Tell) error
}

// WorkOrder is one thing to do about tasks, projects, routines or briefings. What is nil or empty was not given.
type WorkOrder struct {
	About    string   `json:"about"` // "tasks", "projects", "routines" or "brief"
	Do       string   `json:"do"`
	Which    []string `json:"which,omitempty"` // IDs or names
	Text     string   `json:"text,omitempty"`
	Due      *string  `json:"due,omitempty"` // a phrase, or RFC 3339; "none" takes it away
	Tags     []string `json:"tags,omitempty"`
	Project  *string  `json:"project,omitempty"`
	Status   string   `json:"status,omitempty"`
	Stuck    *string  `json:"stuck,omitempty"`
	Parent   *string  `json:"parent,omitempty"`
	Domain   *string  `json:"domain,omitempty"`
	Priority int      `json:"priority,omitempty"`
	Progress *string  `json:"progress,omitempty"` // 0 to 100, or "auto"
	Every    string   `json:"every,omitempty"`
	All      bool     `json:"all,omitempty"`
	Yes      bool     `json:"yes,omitempty"`
	Last     int      `json:"last,omitempty"`
}

// group is a command that only holds others.
func group(use, short string, subs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(subs...)
	return cmd
}

// working is a command that carries out an order; fill takes its arguments and flags.
func (c *command) working(o *WorkOrder, use, short, example string, args cobra.PositionalArgs, fill func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := fill(cmd, args); err != nil {
				return err
			}
			return c.solo(func(s Solo, p *printer) error { return s.Work(cmd.Context(), *o, p.print) })
		},
	}
}

// named takes the arguments as numbers or names.
func named(o *WorkOrder) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		o.Which = args
		return nil
	}
}

// joined takes the arguments as one name.
func joined(o *WorkOrder) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			o.Which = []string{strings.Join(args, " ")}
		}
		return nil
	}
}

// given is a flag's value where it was given.
func given(cmd *cobra.Command, flag string, into **string) {
	if cmd.Flags().Changed(flag) {
		v, _ := cmd.Flags().GetString(flag) // the flag exists
		*into = &v
	}
}

func (c *command) tasks() *cobra.Command {
	return group("tasks", "Look after what you have to do",
		c.addTask(), c.listTasks(), c.taskThat("done", "done ID|WORDS...", "Mark tasks as done"), c.taskThat("reopen", "reopen ID...", "Open tasks again that were done"),
		c.taskThat("remove", "remove ID|WORDS...", "Take tasks off the list; solo tasks restore puts them back"), c.restoreTask(), c.editTask())
}

const taskWords = "a task's number, as solo tasks list tells it, or its words"

func (c *command) addTask() *cobra.Command {
	o := WorkOrder{About: "tasks", Do: "add"}
	cmd := c.working(&o, "add TEXT...", "Put a task on the list", `  solo tasks add pay the rent --due "friday at 5pm" --project Home --tag money`, someArgs("what is to be done"),
		func(cmd *cobra.Command, args []string) error {
			o.Text = strings.Join(args, " ")
			given(cmd, "due", &o.Due)
			given(cmd, "project", &o.Project)
			return nil
		})
	cmd.Flags().String("due", "", "by when, such as tomorrow, \"friday at 5pm\" or 2026-12-24T18:00:00+01:00")
	cmd.Flags().String("project", "", "project that it is for, by number, name or path")
	cmd.Flags().StringArrayVar(&o.Tags, "tag", nil, "list or topic; may be given several times")
	return cmd
}

func (c *command) listTasks() *cobra.Command {
	o := WorkOrder{About: "tasks", Do: "list"}
	cmd := c.working(&o, "list", "List the tasks, what is due first", "  solo tasks list --project Home\n  solo tasks list --done --json", noArgs,
		func(cmd *cobra.Command, _ []string) error {
			given(cmd, "project", &o.Project)
			switch o.Status {
			case "", "open", "doing", "blocked":
				return nil
			}
			return usageError{fmt.Errorf("--status is open, doing or blocked, not %q", o.Status)}
		})
	cmd.Flags().BoolVar(&o.All, "done", false, "those that were done, the latest first, instead")
	cmd.Flags().StringVar(&o.Status, "status", "", "only those that are open, doing or blocked")
	cmd.Flags().String("project", "", "only those of a project")
	cmd.Flags().StringArrayVar(&o.Tags, "tag", nil, "only those of a list or topic")
	cmd.Flags().IntVarP(&o.Last, "last", "n", 200, "at most so many")
	return cmd
}

func (c *command) taskThat(do, use, short string) *cobra.Command {
	o := WorkOrder{About: "tasks", Do: do}
	return c.working(&o, use, short, "  solo tasks "+do+" 12", someArgs(taskWords), named(&o))
}

// restoreTask puts back what was removed: the line that remove --json printed.
func (c *command) restoreTask() *cobra.Command {
	o := WorkOrder{About: "tasks", Do: "restore"}
	return c.working(&o, "restore [JSON]", "Put back a task as solo tasks remove --json printed it, or from its output on standard input",
		"  solo tasks remove 12 --json > gone.json\n  solo tasks restore < gone.json", cobra.MaximumNArgs(1),
		func(_ *cobra.Command, args []string) error {
			text, err := c.textOr(strings.Join(args, ""), true)
			o.Text = text
			return err
		})
}

func (c *command) editTask() *cobra.Command {
	o := WorkOrder{About: "tasks", Do: "edit"}
	cmd := c.working(&o, "edit ID|WORDS...", "Change a task", `  solo tasks edit 12 --due tomorrow --status doing
  solo tasks edit 12 --stuck "the plumber"`, someArgs(taskWords),
		func(cmd *cobra.Command, args []string) error {
			o.Which = []string{strings.Join(args, " ")}
			given(cmd, "due", &o.Due)
			given(cmd, "project", &o.Project)
			given(cmd, "stuck", &o.Stuck)
			if cmd.Flags().NFlag() == 0 {
				return usageError{fmt.Errorf("nothing to change was given; see %s --help", cmd.CommandPath())}
			}
			return nil
		})
	cmd.Flags().StringVar(&o.Text, "text", "", "its new words")
	cmd.Flags().String("due", "", "by when; none takes it away")
	cmd.Flags().String("project", "", "project that it is for; none takes it out")
	cmd.Flags().StringVar(&o.Status, "status", "", "open, doing, blocked or done")
	cmd.Flags().String("stuck", "", "what it is blocked by")
	cmd.Flags().StringArrayVar(&o.Tags, "tag", nil, "lists or topics, in place of those it has; none takes them away")
	return cmd
}

// textOr is a text that was given, or with "" or "-" all of the standard input, at most 2 MiB.
func (c *command) textOr(text string, stdin bool) (string, error) {
	if text != "" && text != "-" || !stdin {
		return text, nil
	}
	if f, ok := c.in.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 && text == "" {
			return "", usageError{fmt.Errorf("nothing was given, neither as an argument nor on standard input")}
		}
	}
	all, err := io.ReadAll(io.LimitReader(c.in, 2<<20))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(all), nil
}
