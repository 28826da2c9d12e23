package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Speech is what the commands ask of Solo's voices.
type Speech interface {
	// Voices tells of each voice that is there; lang "en" keeps those of that language.
	Voices(ctx context.Context, lang string, tell Tell) error
	// TryVoice says a sentence in a voice.
	TryVoice(ctx context.Context, o TryVoice) error
	// UseVoice makes a voice Solo's own and tells which one it was before.
	UseVoice(ctx context.Context, name string, tell Tell) error
}

// TryVoice is a sentence in a voice.
type TryVoice struct {
	Name string // "piper/en_US-lessac-medium", or without the engine
	Text string // "" for one of Solo's own
	Out  string // WAV file instead of the loudspeaker
}

// VoiceFound is a voice that Solo can speak with.
type VoiceFound struct {
	Voice    string   `json:"voice"` // "engine/name"
	Engine   string   `json:"engine"`
	Name     string   `json:"name"`
	Lang     string   `json:"lang,omitempty"`
	Gender   string   `json:"gender,omitempty"`
	Quality  string   `json:"quality,omitempty"`
	Speakers []string `json:"speakers,omitempty"` // chosen by NAME#SPEAKER
	Bytes    int64    `json:"bytes,omitempty"`
	From     string   `json:"from"` // file, or what it came with
	Used     bool     `json:"used"` // it is Solo's own
}

func (VoiceFound) Event() string { return "voice" }

// Human is a line of a table.
func (v VoiceFound) Human() string {
	mark := " "
	if v.Used {
		mark = "*"
	}
	about := []string{}
	for _, s := range []string{v.Gender, v.Quality} {
		if s != "" {
			about = append(about, s)
		}
	}
	if n := len(v.Speakers); n > 1 {
		about = append(about, fmt.Sprintf("%d speakers, %s#%s to #%s", n, v.Name, v.Speakers[0], v.Speakers[n-1]))
	}
	if v.Bytes > 0 {
		about = append(about, fmt.Sprintf("%.0f MB", float64(v.Bytes)/1e6))
	}
	about = append(about, v.From)
	return fmt.Sprintf("%s %-34s %-8s %s", mark, v.Voice, v.Lang, strings.Join(about, ", "))
}

// VoiceUsed tells that Solo has another voice.
type VoiceUsed struct {
	Voice  string `json:"voice"`
	Before string `json:"before,omitempty"` // "" where there was none
	File   string `json:"file"`             // where it was kept
}

func (VoiceUsed) Event() string { return "voice_used" }

// Human tells how to go back.
func (v VoiceUsed) Human() string {
	text := fmt.Sprintf("Solo speaks with %s from its next start.", v.Voice)
	if v.Before != "" && v.Before != v.Voice {
		text += fmt.Sprintf(" Until now it was %s; to go back: solo voices use %s", v.Before, quoted(v.Before))
	}
	return text
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " #()'\"&;$") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

func (c *command) voices() *cobra.Command {
	cmd := &cobra.Command{Use: "voices", Short: "List, try and choose Solo's voice", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(c.listVoices(), c.tryVoice(), c.useVoice())
	return cmd
}

func (c *command) listVoices() *cobra.Command {
	var lang string
	cmd := &cobra.Command{
		Use: "list", Short: "List the voices that are here", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Voices(cmd.Context(), lang, p.print) })
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "", "only voices of this language, such as en or de-AT")
	return cmd
}

func (c *command) tryVoice() *cobra.Command {
	var o TryVoice
	cmd := &cobra.Command{
		Use: "try VOICE [TEXT...]", Short: "Hear a voice", Args: someArgs("the name of a voice"),
		Example: "  solo voices try flite/rms\n  solo voices try piper/en_US-lessac-medium Dinner is ready. --out dinner.wav",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name, o.Text = args[0], strings.Join(args[1:], " ")
			return c.solo(func(s Solo, _ *printer) error { return s.TryVoice(cmd.Context(), o) })
		},
	}
	cmd.Flags().StringVar(&o.Out, "out", "", "WAV file instead of the loudspeaker")
	return cmd
}

func (c *command) useVoice() *cobra.Command {
	return &cobra.Command{
		Use: "use VOICE", Short: "Make a voice Solo's own",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("%s needs the name of one voice", cmd.CommandPath())}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.UseVoice(cmd.Context(), args[0], p.print) })
		},
	}
}
