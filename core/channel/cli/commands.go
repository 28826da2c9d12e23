package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
)

// Run is how to run the assistant.
type Run struct {
	Check bool // one voice check, then exit
	Plain bool // never ask: no first-run questions, no typed lines
}

func (c *command) run() *cobra.Command {
	var o Run
	var port int
	cmd := &cobra.Command{
		Use: "run", Short: "Start the assistant and listen", Args: noArgs,
		Long: "Start the assistant and listen for its wake word. Without a microphone it checks its voice and ears on a spoken question of its own, and then reads typed lines.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("port") {
				c.globals.Set = append(c.globals.Set, "web.port="+strconv.Itoa(port))
			}
			return c.solo(func(s Solo, p *printer) error { return s.Run(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "port of the web door on this machine, 0 for a free one (default as set by web.port: 7656)")
	cmd.Flags().BoolVar(&o.Check, "check", false, "run one voice check and exit")
	cmd.Flags().BoolVar(&o.Plain, "no-input", false, "ask nothing and read no typed lines")
	return cmd
}

// Talk is a session from a file.
type Talk struct {
	In      string // any sound file
	Out     string // WAV of what Solo says, "" for none
	Clocked bool   // in real time
}

func (c *command) talk() *cobra.Command {
	var o Talk
	cmd := &cobra.Command{
		Use: "talk --in FILE", Short: "Hold a session with a recording as the microphone", Args: noArgs,
		Example: "  solo talk --in question.wav --out answer.wav",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Talk(cmd.Context(), o, p.print) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.In, "in", "", "recording to listen to")
	f.StringVar(&o.Out, "out", "", "WAV file for what Solo says, aligned with the recording")
	f.BoolVar(&o.Clocked, "clocked", false, "in real time instead of as fast as possible")
	_ = cmd.MarkFlagRequired("in") // the flag exists
	return cmd
}

// Transcribe is what to write down.
type Transcribe struct {
	Files   []string
	Grammar string // file with the user's own JSGF, "" for dictation
	Engine  string // "whisper", "pocketsphinx", or "" for the best that is there
}

func (c *command) transcribe() *cobra.Command {
	var o Transcribe
	cmd := &cobra.Command{
		Use: "transcribe FILE...", Short: "Write down what is said in recordings", Args: someArgs("at least one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if o.Engine != "" && (o.Engine != "pocketsphinx" && o.Engine != "whisper" || o.Grammar != "" && o.Engine == "whisper") {
				return usageError{errors.New("solo transcribe --engine takes whisper or pocketsphinx, and a grammar only the latter")}
			}
			return c.solo(func(s Solo, p *printer) error { return s.Transcribe(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().StringVar(&o.Engine, "engine", "", "whisper or pocketsphinx; without it whisper where it is there")
	cmd.Flags().StringVar(&o.Grammar, "grammar", "", "JSGF grammar of all that may be said")
	return cmd
}

// Wake is where to look for wake words.
type Wake struct {
	Files []string
	Word  string // "" for the configured one
}

func (c *command) wake() *cobra.Command {
	var o Wake
	cmd := &cobra.Command{
		Use: "wake FILE...", Short: "Find wake words in recordings", Args: someArgs("at least one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			return c.solo(func(s Solo, p *printer) error { return s.Wake(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().StringVar(&o.Word, "word", "", "wake word to look for instead of the configured one")
	cmd.AddCommand(c.trainWake(), c.falseWake())
	return cmd
}

// Say is what to speak.
type Say struct {
	Text string
	Out  string // WAV file instead of the loudspeaker
}

func (c *command) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Tell what Solo found, what is missing and how to mend it", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Doctor(cmd.Context(), p.print) })
		},
	}
}

func (c *command) config() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Look at the settings", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(&cobra.Command{
		Use: "show", Short: "Show every effective setting and where it came from", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Config(cmd.Context(), p.print) })
		},
	})
	return cmd
}

func (c *command) logs() *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the log", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, _ *printer) error { return s.Logs(cmd.Context(), follow, c.out) })
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is written from now")
	return cmd
}

func (c *command) versions() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Tell the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			c.printer().print(c.version)
			return nil
		},
	}
}
