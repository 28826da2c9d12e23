// Package flite speaks English through the flite program, one short child process a sentence.
//
// Flite (BSD-like licence) synthesizes a sentence in 12 to 40 ms on one core, so a child for each costs
// less than keeping one alive; a crash ends one sentence and nothing else.
package flite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices"
)

// ErrAbsent says that the program is not installed.
var ErrAbsent = errors.New("flite is not installed; on Debian: apt-get install flite")

// known are flite's built-in voices worth hearing.
var known = []voices.Voice{
	{ID: "flite/slt", Lang: "en-US", Gender: "female"},
	{ID: "flite/rms", Lang: "en-US", Gender: "male"},
	{ID: "flite/awb", Lang: "en-GB", Gender: "male"},
	{ID: "flite/kal16", Lang: "en-US", Gender: "male"},
}

// Engine runs flite. It may be used by several goroutines at once.
type Engine struct{ path string }

// New finds the program on PATH; ErrAbsent where there is none.
func New() (*Engine, error) {
	path, err := exec.LookPath("flite")
	if err != nil {
		return nil, ErrAbsent
	}
	return &Engine{path: path}, nil
}

// Version is what the program says of itself, such as "flite-2.2-current".
func (e *Engine) Version(ctx context.Context) string {
	out, _ := proc.Run(ctx, proc.Command{Path: e.path, Args: []string{"--version"}}) // it exits 1 after printing
	for line := range strings.Lines(string(out)) {
		if _, v, ok := strings.Cut(line, "version: "); ok {
			v, _, _ = strings.Cut(v, " ")
			return v
		}
	}
	return ""
}

// Voices lists the voices that Synthesize knows by name.
func (e *Engine) Voices() []voices.Voice { return known }

// Synthesize speaks one phrase as one mono clip at the voice's own rate, 16 kHz for most.
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("flite: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (audio.Clip, error) {
	voice := p.Voice
	if voice == "" {
		voice = "slt"
	}
	if !speaks(voice) {
		return audio.Clip{}, fmt.Errorf("no voice %q; it has slt, rms, awb and kal16", voice)
	}
	args := []string{"-voice", voice}
	if p.Pace != 0 && p.Pace != 1 {
		args = append(args, "--setf", "duration_stretch="+strconv.FormatFloat(1/min(max(p.Pace, 0.5), 3), 'f', 3, 64))
	}
	// After -t the text is taken as it is, whatever it begins with; from a file or a pipe flite
	// writes each sentence over the last.
	args = append(args, "-t", p.Text, "-o", "/dev/stdout")
	wav, err := proc.Run(ctx, proc.Command{Path: e.path, Args: args})
	if err != nil {
		return audio.Clip{}, err
	}
	return audio.ReadWAV(bytes.NewReader(wav))
}

func speaks(name string) bool {
	for _, v := range known {
		if v.ID == "flite/"+name {
			return true
		}
	}
	return false
}
