package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Memories is what the commands ask of what Solo remembers.
type Memories interface {
	AddMemory(ctx context.Context, m Remember, tell Tell) error
	SearchMemory(ctx context.Context, question string, k int, tell Tell) error
	ListMemory(ctx context.Context, o MemoryList, tell Tell) error
	ForgetMemory(ctx context.Context, o Forget, tell Tell) error
	// ExportMemory writes one object a line, as ImportMemory reads them.
	ExportMemory(ctx context.Context, to io.Writer) error
	ImportMemory(ctx context.Context, from io.Reader, tell Tell) error
}

// Remember is something to keep.
type Remember struct {
	Text    string        `json:"text"`
	Kind    string        `json:"kind,omitempty"` // "" for what it seems to be
	Session string        `json:"session,omitempty"`
	For     time.Duration `json:"for,omitempty"` // how long it holds, 0 for ever
}

// MemoryList says what to list.
type MemoryList struct {
	Kind string `json:"kind,omitempty"`
	Last int    `json:"last"` // 0 for all
	Old  bool   `json:"old,omitempty"`
}

// Forget says what to forget.
type Forget struct {
	IDs   []string
	About string
	All   bool
	Yes   bool
}

// Remembered is one memory.
type Remembered struct {
	ID       json.RawMessage `json:"id"` // the one that it was imported under, else its number
	Kind     string          `json:"kind"`
	Text     string          `json:"text"`
	Score    *float64        `json:"score,omitempty"` // of a search: more is better, 0 where no word of it was known
	Source   string          `json:"source"`
	Session  string          `json:"session,omitempty"`
	At       time.Time       `json:"at"`
	Expires  *time.Time      `json:"expires,omitempty"`
	Replaced *time.Time      `json:"replaced,omitempty"` // since when another value holds
	Instead  json.RawMessage `json:"supersedes,omitempty"`
}

func (Remembered) Event() string { return "memory" }
func (r Remembered) Human() string {
	text := r.Text
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + " ..."
	}
	line := fmt.Sprintf("%-6s %-10s %s  (%s, %s)", strings.Trim(string(r.ID), `"`), r.Kind, strings.ReplaceAll(text, "\n", " "), r.Source, r.At.Format("2006-01-02"))
	if r.Replaced != nil {
		line += " until " + r.Replaced.Format("2006-01-02")
	}
	return line
}

// Erased tells what a command made Solo forget.
type Erased struct {
	Memories int  `json:"memories"`
	Messages int  `json:"messages"` // lines of talks and turns that quoted them
	Talks    int  `json:"talks"`    // summaries that were cut
	Done     bool `json:"done"`     // false: what would go
}

func (Erased) Event() string { return "forgotten" }
func (e Erased) Human() string {
	if !e.Done {
		return fmt.Sprintf("That is %s.", count(e.Memories, "memory", "memories"))
	}
	text := "Forgot " + count(e.Memories, "memory", "memories")
	if e.Messages > 0 {
		text += ", and " + count(e.Messages, "line", "lines") + " of talk that said the same"
	}
	return text + "."
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Skipped is a line of an import that cannot be kept.
type Skipped struct {
	Line int    `json:"line"` // from 1
	Why  string `json:"why"`
}

func (Skipped) Event() string   { return "skipped" }
func (s Skipped) Human() string { return fmt.Sprintf("line %d is skipped: %s", s.Line, s.Why) }

// Imported closes an import.
type Imported struct {
	Added   int     `json:"added"`
	Changed int     `json:"changed"`
	Same    int     `json:"same"`
	Skipped int     `json:"skipped"`
	Took    Seconds `json:"took_s"`
	Rate    float64 `json:"rows_per_s"`
}

func (Imported) Event() string { return "imported" }
func (i Imported) Human() string {
	return fmt.Sprintf("%d added, %d changed, %d there already, %d skipped; %.0f rows a second", i.Added, i.Changed, i.Same, i.Skipped, i.Rate)
}

func (c *command) memory() *cobra.Command {
	cmd := &cobra.Command{Use: "memory", Short: "Look at what Solo remembers, add to it and forget", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(c.addMemory(), c.searchMemory(), c.listMemory(), c.forgetMemory(), c.exportMemory(), c.importMemory())
	return cmd
}

func (c *command) addMemory() *cobra.Command {
	var m Remember
	cmd := &cobra.Command{
		Use: "add TEXT", Short: "Keep something", Args: someArgs("what to remember"),
		Example: "  solo memory add \"the spare key is under the blue pot\"\n  solo memory add --for 48h \"the car is on level three\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			m.Text = strings.Join(args, " ")
			return c.solo(func(s Solo, p *printer) error { return s.AddMemory(cmd.Context(), m, p.print) })
		},
	}
	cmd.Flags().StringVar(&m.Kind, "kind", "", "profile, preference, episode, fact or note; empty: what it seems to be")
	cmd.Flags().StringVar(&m.Session, "session", "", "the talk that it belongs to")
	cmd.Flags().DurationVar(&m.For, "for", 0, "how long it holds, such as 48h; 0: for ever")
	return cmd
}

func (c *command) searchMemory() *cobra.Command {
	k := 10
	cmd := &cobra.Command{
		Use: "search TEXT", Short: "Find what answers a question, the best first", Args: someArgs("what to look for"),
		Example: "  solo memory search \"where is the spare key\" --k 5",
		RunE: func(cmd *cobra.Command, args []string) error {
			if k < 1 || k > 1000 {
				return usageError{fmt.Errorf("--k is 1 to 1000, not %d", k)}
			}
			return c.solo(func(s Solo, p *printer) error {
				return s.SearchMemory(cmd.Context(), strings.Join(args, " "), k, p.print)
			})
		},
	}
	cmd.Flags().IntVar(&k, "k", k, "at most so many")
	return cmd
}

func (c *command) listMemory() *cobra.Command {
	o := MemoryList{Last: 50}
	cmd := &cobra.Command{
		Use: "list", Short: "List what Solo remembers, the newest first", Args: noArgs, Example: "  solo memory list --kind preference --last 20",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.ListMemory(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().StringVar(&o.Kind, "kind", "", "only profile, preference, episode, fact or note")
	cmd.Flags().IntVarP(&o.Last, "last", "n", o.Last, "how many, 0 for all")
	cmd.Flags().BoolVar(&o.Old, "history", false, "also values that others took the place of")
	return cmd
}

func (c *command) forgetMemory() *cobra.Command {
	var o Forget
	cmd := &cobra.Command{
		Use: "forget [ID...]", Short: "Forget memories for good, and all that quotes them",
		Example: "  solo memory forget 12\n  solo memory forget --about \"the old flat\"\n  solo memory forget --all --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.IDs = args
			given := 0
			for _, g := range []bool{len(o.IDs) > 0, o.About != "", o.All} {
				if g {
					given++
				}
			}
			if given != 1 {
				return usageError{fmt.Errorf("solo memory forget needs the IDs that solo memory list shows, or --about TEXT, or --all")}
			}
			return c.solo(func(s Solo, p *printer) error { return s.ForgetMemory(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().StringVar(&o.About, "about", "", "everything about something")
	cmd.Flags().BoolVar(&o.All, "all", false, "everything")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "do not ask")
	return cmd
}

func (c *command) exportMemory() *cobra.Command {
	return &cobra.Command{
		Use: "export", Short: "Write all that Solo remembers, one JSON object a line", Args: noArgs, Example: "  solo memory export > memories.jsonl",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, _ *printer) error { return s.ExportMemory(cmd.Context(), c.out) })
		},
	}
}

func (c *command) importMemory() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Keep memories from a file of JSON lines, - for the standard input",
		Long: "Keep memories from a file of JSON lines: {\"id\":..., \"text\":\"...\", \"kind\":\"note\", \"session\":\"...\", \"at\":\"2024-05-03T10:00:00Z\"}. Only text is needed. " +
			"A line of an id that was imported before changes that memory. Lines that cannot be read are named and skipped.",
		Example: "  solo memory import notes.jsonl",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("%s needs one file, or - for the standard input", cmd.CommandPath())}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			from := c.in
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return &Failure{File: args[0], Code: "unreadable", Err: fmt.Errorf("the file cannot be opened: %w", err), Hint: "check its name and rights"}
				}
				defer f.Close()
				from = f
			}
			return c.solo(func(s Solo, p *printer) error { return s.ImportMemory(cmd.Context(), from, p.print) })
		},
	}
}
