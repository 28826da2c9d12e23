package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Trainer is what the command line asks about wake words of one's own.
type Trainer interface {
	// TrainWake makes a wake word.
	TrainWake(ctx context.Context, o TrainWake, tell Tell) error
	// FalseWake corrects one.
	FalseWake(ctx context.Context, o FalseWake, tell Tell) error
}

// TrainWake is a wake word to be made.
type TrainWake struct {
	Phrase     string
	Samples    string // folder with the user's recordings of it, "" to record some
	Background string // folder with recordings without it, "" for none
	Record     int    // how many to record, 0 for none
	Seed       uint64
}

func (c *command) trainWake() *cobra.Command {
	var o TrainWake
	var silent bool
	cmd := &cobra.Command{
		Use: "train PHRASE", Short: "Make a wake word of your own", Args: someArgs("the words to wake to, such as \"hey solo\""),
		Long: "Make a wake word of your own, on this machine alone. The voices at hand say it, you say it a few times, and some minutes later Solo knows it. " +
			"Choose two or three words with four syllables or so that are seldom said otherwise.",
		Example: "  solo wake train \"hey solo\"\n  solo wake train \"hey solo\" --samples recordings/\n  solo wake train \"hey solo\" --no-record",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Phrase = strings.Join(args, " "); silent || o.Samples != "" {
				o.Record = 0
			} else if o.Record < 5 || o.Record > 20 {
				return usageError{fmt.Errorf("solo wake train --record takes 5 to 20, not %d; --no-record records nothing", o.Record)}
			}
			return c.solo(func(s Solo, p *printer) error { return s.TrainWake(cmd.Context(), o, p.print) })
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Record, "record", 10, "how many times you are asked to say it, 5 to 20")
	f.BoolVar(&silent, "no-record", false, "learn from the voices alone")
	f.StringVar(&o.Samples, "samples", "", "folder with recordings of you saying it, one each, instead of recording")
	f.StringVar(&o.Background, "background", "", "folder with recordings in which it is not said: talk, television, your kitchen")
	f.Uint64Var(&o.Seed, "seed", 1, "another number gives another training")
	return cmd
}

// Training is how far a training has come.
type Training struct {
	Doing string  `json:"doing"` // "speaking", "staging" or "learning"
	Done  float64 `json:"done"`  // of that, 0 to 1
}

func (Training) Event() string { return "training" }

// Human is a line for each tenth.
func (t Training) Human() string {
	what := map[string]string{"speaking": "the voices say it", "staging": "rooms, noise and other talk are put around it", "learning": "it is learnt"}[t.Doing]
	return fmt.Sprintf("%3.0f %%  %s", 100*t.Done, what)
}

// Share is a count with the interval that it speaks for, at 95 %.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Low   float64 `json:"low"` // 0 to 1
	High  float64 `json:"high"`
}

func (s Share) String() string {
	return fmt.Sprintf("%d of %d (%.0f to %.0f %%)", s.Count, s.Of, 100*s.Low, 100*s.High)
}

// Trained is a wake word that was made, and what it did with sound that it had not learned from.
type Trained struct {
	Phrase      string  `json:"phrase"`
	File        string  `json:"file"`
	Threshold   float64 `json:"threshold"`
	Missed      Share   `json:"missed"`
	MissedNoisy Share   `json:"missed_noisy"`
	MissedYours Share   `json:"missed_yours"`
	FalseNear   Share   `json:"false_near"`
	False       int     `json:"false"`
	Other       Seconds `json:"other"`
	FalseHigh   float64 `json:"false_high"` // an hour, at most with 95 % certainty
	Elapsed     Seconds `json:"elapsed"`
}

func (Trained) Event() string { return "trained" }

// Human tells what to expect and how to go on.
func (t Trained) Human() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q is learnt. With voices and sounds that were kept from it, at 95 %% certainty:\n", t.Phrase)
	fmt.Fprintf(&b, "  missed in quiet          %v\n", t.Missed)
	fmt.Fprintf(&b, "  missed in noise          %v\n", t.MissedNoisy)
	if t.MissedYours.Of > 0 {
		fmt.Fprintf(&b, "  missed of yours          %v, in quiet and noise\n", t.MissedYours)
	}
	fmt.Fprintf(&b, "  taken for it, near words %v\n", t.FalseNear)
	fmt.Fprintf(&b, "  taken for it, other      %d in %.0f minutes, at most %.1f an hour\n", t.False, float64(t.Other)/60e9, t.FalseHigh)
	fmt.Fprintf(&b, "Voices are no people: expect a little more of both.\n")
	fmt.Fprintf(&b, "To use it, set wake.engine = \"own\" in the settings, or try: solo --set wake.engine=own run")
	return b.String()
}
