package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// FalseWake is a wake that nobody meant.
type FalseWake struct {
	Word  string // the wake word, for a recording
	Sound string // a recording of what was taken for it, "" for the running Solo's last wake
}

func (c *command) falseWake() *cobra.Command {
	var o FalseWake
	cmd := &cobra.Command{
		Use: "false", Short: "Tell Solo that it was woken for nothing", Args: noArgs,
		Long: "Tell the running Solo that its last wake was false. It learns its wake word again in the background, with that sound as something else, and goes on with what it learnt; " +
			"the sound itself is kept in memory for a few minutes and never written down. Only a wake word that you trained can be corrected. To take it back: solo understand --do undo",
		Example: "  solo wake false\n  solo wake false --word \"hey solo\" --sound television.wav",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (o.Sound == "") != (o.Word == "") {
				return usageError{errors.New("solo wake false takes --word and --sound together, or neither")}
			}
			return c.solo(func(s Solo, p *printer) error { return s.FalseWake(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().StringVar(&o.Sound, "sound", "", "recording of what was taken for the wake word, of at most 5 s")
	cmd.Flags().StringVar(&o.Word, "word", "", "the wake word that it was taken for")
	return cmd
}
