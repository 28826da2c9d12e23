package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
	"github.com/spf13/cobra"
)

// maxLine bounds one typed line, in bytes.
const maxLine = 64 << 10

// lines yields the arguments as one text, or each line of in where there are none.
func lines(args []string, in io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if len(args) > 0 {
			yield(strings.Join(args, " "), nil)
			return
		}
		s := bufio.NewScanner(in)
		s.Buffer(make([]byte, 4096), maxLine)
		for s.Scan() {
			if !yield(s.Text(), nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield("", fmt.Errorf("read the lines: %w", err))
		}
	}
}

func (c *command) understand() *cobra.Command {
	var do bool
	cmd := &cobra.Command{
		Use: "understand [TEXT...]", Short: "Tell what Solo understands in a text, or in each line of the input",
		Example: "  solo understand set a timer for ten minutes\n  solo understand --do remind me to call Anna tomorrow at nine",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, p *printer) error {
				u, err := s.Understand(cmd.Context(), do)
				if err != nil {
					return err
				}
				defer u.Close()
				return eachText(cmd.Context(), args, c.in, func(text string) (Line, error) { return u.Understand(cmd.Context(), text) }, p)
			})
		},
	}
	cmd.Flags().BoolVar(&do, "do", false, "carry it out; without it nothing is changed")
	return cmd
}

// eachText prints what read makes of each text; one that fails does not stop the rest.
func eachText(ctx context.Context, args []string, in io.Reader, read func(string) (Line, error), p *printer) error {
	for text, err := range lines(args, in) {
		if err != nil {
			return err
		}
		l, err := read(text)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			l = Fail(err)
		}
		p.print(l)
	}
	return nil
}

func (c *command) when() *cobra.Command {
	var now, zone string
	cmd := &cobra.Command{
		Use: "when [TEXT...]", Short: "Read a phrase about time, or each line of the input",
		Example: "  solo when next tuesday at noon --tz Europe/Berlin",
		RunE: func(cmd *cobra.Command, args []string) error {
			if now == "" && zone == "" {
				zone = c.zone(cmd.Context())
			}
			at, err := moment(now, zone)
			if err != nil {
				return usageError{err}
			}
			p := c.printer()
			return eachText(context.Background(), args, c.in, func(text string) (Line, error) { return readTime(text, at), nil }, p)
		},
	}
	cmd.Flags().StringVar(&now, "now", "", "the present moment as RFC 3339, instead of the clock's")
	cmd.Flags().StringVar(&zone, "tz", "", "IANA time zone, such as Europe/Berlin")
	return cmd
}

// zone is the user's own, "" where the settings cannot be read: reading a phrase does not hang on them.
func (c *command) zone(ctx context.Context) string {
	s, err := c.open(c.globals)
	if err != nil {
		return ""
	}
	zone, err := s.Zone(ctx)
	if err != nil {
		return ""
	}
	return zone
}

// moment is the present in the zone asked for.
func moment(now, zone string) (time.Time, error) {
	at := time.Now()
	if now != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, now); err != nil {
			return at, fmt.Errorf("--now wants a moment such as 2026-11-21T09:30:00+01:00, not %q", now)
		}
	}
	if zone != "" {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			return at, fmt.Errorf("--tz wants an IANA zone such as Europe/Berlin, not %q", zone)
		}
		at = at.In(loc)
	}
	return at, nil
}

func readTime(text string, now time.Time) Moment {
	v, ok := when.Parse(text, now)
	if !ok {
		return Moment{Text: text}
	}
	kind := string(v.Kind)
	return Moment{
		Text: text, Kind: &kind, Start: stamp(v.Start), End: stamp(v.End), Grain: filled(string(v.Grain)),
		Duration: filled(v.Duration), Recurrence: filled(v.Recurrence), Matched: &v.Span,
	}
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.Format(time.RFC3339)
	return &s
}

func filled(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (c *command) say() *cobra.Command {
	var o Say
	cmd := &cobra.Command{
		Use: "say TEXT...", Short: "Speak a text", Args: someArgs("a text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = strings.Join(args, " ")
			return c.solo(func(s Solo, _ *printer) error { return s.Say(cmd.Context(), o) })
		},
	}
	cmd.Flags().StringVar(&o.Out, "out", "", "WAV file to write instead of speaking aloud")
	return cmd
}
