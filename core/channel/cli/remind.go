package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Reminders is what the command remind asks.
type Reminders interface {
	Remind(ctx context.Context, o Remind, tell Tell) error
}

// Remind is what to do about promised times.
type Remind struct {
	Do    string   `json:"do"`              // "add", "list", "cancel", "snooze", "done", "restore" or "history"
	Text  string   `json:"text,omitempty"`  // of add; with the time in it where At and Every are ""
	At    string   `json:"at,omitempty"`    // a phrase such as "tomorrow at five", or RFC 3339
	Every string   `json:"every,omitempty"` // RRULE
	For   string   `json:"for,omitempty"`   // of snooze: "10m" or "ten minutes"
	Kind  string   `json:"kind,omitempty"`  // of list: "timer", "alarm", "reminder", ... , "" for all
	Which []string `json:"which,omitempty"` // IDs or words; none means what rings
	Last  int      `json:"last,omitempty"`  // of history
}

func (c *command) remind() *cobra.Command {
	o := Remind{Do: "add"}
	cmd := &cobra.Command{
		Use: "remind TEXT...", Short: "Make reminders and look after promised times", Args: cobra.ArbitraryArgs,
		Long: "Make reminders, and look after timers, alarms and reminders. Times are said as to Solo: tomorrow at five, in ten minutes, every weekday at 9.",
		Example: `  solo remind call Anna tomorrow at five
  solo remind add "call Anna" --at "tomorrow at five"
  solo remind snooze 12 --for 20m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			o.Text = strings.Join(args, " ")
			return c.doRemind(cmd, o)
		},
	}
	when := func(cmd *cobra.Command) {
		cmd.Flags().StringVar(&o.At, "at", "", "when, such as \"tomorrow at five\" or 2026-12-24T18:00:00+01:00")
		cmd.Flags().StringVar(&o.Every, "every", "", "recurrence as an RRULE, such as FREQ=WEEKLY;BYDAY=MO;BYHOUR=9")
	}
	when(cmd)
	add := &cobra.Command{
		Use: "add TEXT...", Short: "Make a reminder", Args: someArgs("what to remind you of"),
		Example: `  solo remind add "call Anna" --at "every Friday at noon"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = strings.Join(args, " ")
			return c.doRemind(cmd, o)
		},
	}
	when(add)
	cmd.AddCommand(add, c.remindList(), c.remindSnooze(), c.remindHistory(),
		c.remindThat("cancel ID|WORDS...", "Take a timer, alarm or reminder back", "  solo remind cancel 12\n  solo remind cancel call anna", true),
		c.remindThat("done [ID|WORDS...]", "Answer what rings, or mark one as done", "  solo remind done", false),
		c.remindThat("restore ID", "Put back what was cancelled or done, where its time is still to come", "  solo remind restore 12", true))
	return cmd
}

func (c *command) doRemind(cmd *cobra.Command, o Remind) error {
	return c.solo(func(s Solo, p *printer) error { return s.Remind(cmd.Context(), o, p.print) })
}

func (c *command) remindList() *cobra.Command {
	o := Remind{Do: "list"}
	cmd := &cobra.Command{
		Use: "list", Short: "List what rings and what is to come, the soonest first", Args: noArgs,
		Example: "  solo remind list --kind alarm --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch o.Kind {
			case "", "timer", "alarm", "reminder", "briefing", "routine":
				return c.doRemind(cmd, o)
			}
			return usageError{fmt.Errorf("--kind is timer, alarm, reminder, briefing or routine, not %q", o.Kind)}
		},
	}
	cmd.Flags().StringVar(&o.Kind, "kind", "", "only timer, alarm, reminder, briefing or routine")
	return cmd
}

// remindThat is a command about promises that are named by their numbers or words.
func (c *command) remindThat(use, short, example string, needs bool) *cobra.Command {
	args := cobra.ArbitraryArgs
	if needs {
		args = someArgs("the number that solo remind list tells, or its words")
	}
	verb, _, _ := strings.Cut(use, " ")
	return &cobra.Command{
		Use: use, Short: short, Args: args, Example: example,
		RunE: func(cmd *cobra.Command, args []string) error { return c.doRemind(cmd, Remind{Do: verb, Which: args}) },
	}
}

func (c *command) remindSnooze() *cobra.Command {
	o := Remind{Do: "snooze"}
	cmd := &cobra.Command{
		Use: "snooze [ID|WORDS...]", Short: "Let what rings, or one that is named, ring later", Args: cobra.ArbitraryArgs,
		Example: "  solo remind snooze --for \"half an hour\"\n  solo remind snooze 12 --for 20m",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Which = args
			return c.doRemind(cmd, o)
		},
	}
	cmd.Flags().StringVar(&o.For, "for", "10m", "how much later, such as 20m or \"half an hour\"")
	return cmd
}

func (c *command) remindHistory() *cobra.Command {
	o := Remind{Do: "history"}
	cmd := &cobra.Command{
		Use: "history", Short: "Show the receipts: what was said when, how late, and what you answered", Args: noArgs,
		Example: "  solo remind history -n 50",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Last < 1 {
				return usageError{fmt.Errorf("-n is at least 1, not %d", o.Last)}
			}
			return c.doRemind(cmd, o)
		},
	}
	cmd.Flags().IntVarP(&o.Last, "last", "n", 20, "how many receipts")
	return cmd
}
