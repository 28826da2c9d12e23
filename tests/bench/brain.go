package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lacking says why something was not measured that nobody need mind: a program or a file is not here.
type lacking string

func (l lacking) Error() string { return "skipped: " + string(l) }

// measureBrain measures what lies between the user's words and a language model.
func measureBrain(ctx context.Context, b *bench) (section, error) {
	return b.pieces(ctx, "brain", []part{
		{"overhead", "Solo beside a bare call of llama-server", measureOverhead},
		{"first", "From the words to the first sentence", measureFirst},
		{"stream", "Tokens through the whole stack", measureStream},
		{"barge", "From the wake word to silence, over a model's answer", measureBarge},
		{"devices", "The same through PulseAudio", measureBargePulse},
	})
}

// pieces measures a part piece by piece. A piece that fails leaves the others.
func (b *bench) pieces(ctx context.Context, name string, list []part) (section, error) {
	var whole section
	var failed []error
	for _, p := range list {
		if ctx.Err() != nil {
			break
		}
		say("%s: %s", name, p.title)
		load := loadAverage()
		s, err := p.measure(ctx, b)
		var l lacking
		switch {
		case errors.As(err, &l):
			s.text += "\n" + l.Error() + ".\n"
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", p.name, err))
		}
		whole.goals = append(whole.goals, s.goals...)
		whole.text += fmt.Sprintf("### %s\n\nLoad average %s at the start and %s at the end. %s\n", p.title, load, loadAverage(), strings.TrimSpace(s.text)+"\n")
	}
	return whole, together(failed)
}

// together is errors.Join on one line.
func together(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	var words []string
	for _, err := range errs {
		words = append(words, err.Error())
	}
	return errors.New(strings.Join(words, "; "))
}

// storyModel finds llama-server and the small model that tells stories; the error is lacking where one is not here.
func (b *bench) storyModel() (program, model string, err error) {
	program = os.Getenv("SOLO_LLAMA_SERVER")
	if program == "" {
		program = filepath.Join(".tools", "llama", "llama-server")
	}
	if program, err = filepath.Abs(program); err != nil {
		return "", "", fmt.Errorf("find llama-server: %w", err)
	}
	if _, err := os.Stat(program); err != nil {
		return "", "", lacking("no llama-server (scripts/llama.sh gets one)")
	}
	model = filepath.Join(b.data, "llm", "stories260K-ctx4k.gguf")
	if _, err := os.Stat(model); b.data == "" || err != nil {
		return "", "", lacking("no ../shared/data/llm")
	}
	return program, model, nil
}

// times is how often something is done, less for a quick look.
func (b *bench) times(n int) int {
	if b.most > 0 {
		return min(n, b.most)
	}
	return n
}

// spread is a row of p50, p95 and the most of values.
func (t *table) spread(name string, values []float64) {
	t.row(name, fmt.Sprint(len(values)), figure(percentile(values, 0.5)), figure(percentile(values, 0.95)), figure(percentile(values, 1)))
}
