package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// Judge is what the command line asks about how good an engine is here.
type Judge interface {
	// JudgeHearing measures recognisers.
	JudgeHearing(ctx context.Context, o JudgeHearing, tell Tell) error
}

// JudgeHearing is what to measure recognisers with.
type JudgeHearing struct {
	Manifest string   // file that lists recordings and their words
	Engines  []string // names; none for the one that solo transcribe uses
	Most     int      // recordings at most, 0 for all
}

func (c *command) bench() *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure how good an engine is on this machine", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(c.benchHearing())
	return cmd
}

func (c *command) benchHearing() *cobra.Command {
	var o JudgeHearing
	cmd := &cobra.Command{
		Use: "stt", Short: "Measure how many words a recogniser gets wrong, and how long it takes", Args: noArgs,
		Long: "Measure how many words a recogniser gets wrong in recordings whose words are known, and how long it takes beside how long they last.\n\n" +
			"The manifest has a recording a line: {\"audio\": \"a.wav\", \"text\": \"what is said\"}, or path and words with a tab between, or as LibriSpeech's .trans.txt. " +
			"Paths are from the manifest's folder. Both texts are compared without case, marks and fillers, with numbers in figures and short forms in full.",
		Example: "  solo bench stt --manifest recordings/manifest.jsonl\n  solo bench stt --manifest test-clean/1089/134686/1089-134686.trans.txt --engine whisper --engine pocketsphinx",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.JudgeHearing(cmd.Context(), o, p.print) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Manifest, "manifest", "", "file that lists the recordings and their words")
	f.StringArrayVar(&o.Engines, "engine", nil, "whisper or pocketsphinx, once for each; without it the one that solo transcribe uses")
	f.IntVar(&o.Most, "most", 0, "use only so many recordings, from the first; 0 for all")
	_ = cmd.MarkFlagRequired("manifest") // the flag exists
	return cmd
}

// Judged is one recording as an engine heard it. Want and Heard are as they are compared.
type Judged struct {
	Engine string  `json:"engine"`
	File   string  `json:"file"`
	Want   string  `json:"want"`
	Heard  string  `json:"heard"`
	Words  int     `json:"words"`
	Errors int     `json:"errors"`
	RTF    float64 `json:"rtf"` // elapsed over duration
}

func (Judged) Event() string { return "judged" }

// Human is a line only where something is wrong.
func (j Judged) Human() string {
	if j.Errors == 0 {
		return fmt.Sprintf("  %s: right", j.File)
	}
	return fmt.Sprintf("  %s: %d of %d words wrong\n    said  %s\n    heard %s", j.File, j.Errors, j.Words, j.Want, j.Heard)
}

// Scored is what came of all recordings.
type Scored struct {
	Engine   string  `json:"engine"`
	Files    int     `json:"files"`
	Failed   int     `json:"failed"` // could not be read or heard; in no other figure
	Silent   int     `json:"silent"` // nothing was heard in them; all their words count as wrong
	Words    int     `json:"words"`
	Errors   int     `json:"errors"`
	WER      float64 `json:"wer"` // 0 to 1, or more
	Low      float64 `json:"low"` // of its interval at 95 %
	High     float64 `json:"high"`
	Duration Seconds `json:"duration_s"`
	RTF50    float64 `json:"rtf_p50"`
	RTF95    float64 `json:"rtf_p95"`
}

func (Scored) Event() string { return "scored" }

// Human is the result in two lines.
func (s Scored) Human() string {
	text := fmt.Sprintf("%s: %.1f %% of %d words wrong (%.1f to %.1f %%, 95 %% certain) in %d recordings, %.0f s\n  time over duration: p50 %.3f, p95 %.3f",
		s.Engine, 100*s.WER, s.Words, 100*s.Low, 100*s.High, s.Files, float64(s.Duration)/1e9, s.RTF50, s.RTF95)
	if s.Silent > 0 {
		text += fmt.Sprintf("\n  nothing was heard in %d of them", s.Silent)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf("\n  %d could not be used", s.Failed)
	}
	return text
}
