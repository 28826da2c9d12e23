// Package espeak speaks many languages through the espeak-ng program, one short child process a sentence.
//
// espeak-ng is GPL-3: it is run as a program of its own and never linked.
package espeak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices"
)

// ErrAbsent says that the program is not installed.
var ErrAbsent = errors.New("espeak-ng is not installed; on Debian: apt-get install espeak-ng")

// usualPace is espeak-ng's own speed, in words a minute.
const usualPace = 165

// Engine runs espeak-ng. It may be used by several goroutines at once.
type Engine struct{ path string }

// New finds the program on PATH; ErrAbsent where there is none.
func New() (*Engine, error) {
	path, err := exec.LookPath("espeak-ng")
	if err != nil {
		return nil, ErrAbsent
	}
	return &Engine{path: path}, nil
}

// Version is what the program says of itself, such as "1.51".
func (e *Engine) Version(ctx context.Context) string {
	out, err := proc.Run(ctx, proc.Command{Path: e.path, Args: []string{"--version"}})
	if err != nil {
		return ""
	}
	_, v, _ := strings.Cut(string(out), "text-to-speech: ")
	v, _, _ = strings.Cut(v, " ")
	return v
}

// Voices lists one voice for each language that the installed data knows.
func (e *Engine) Voices() []voices.Voice {
	out, err := proc.Run(context.Background(), proc.Command{Path: e.path, Args: []string{"--voices"}})
	if err != nil {
		return nil
	}
	var list []voices.Voice
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 4 || f[0] == "Pty" {
			continue
		}
		list = append(list, voices.Voice{ID: "espeak/" + f[1], Lang: f[1], Gender: genders[f[2][len(f[2])-1]]})
	}
	return list
}

var genders = map[byte]string{'M': "male", 'F': "female"}

// name is what espeak-ng takes for a voice: a language, perhaps with a variant such as en-us+f3.
var name = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]{0,30}(\+[a-zA-Z0-9]{1,20})?$`)

// Synthesize speaks one phrase as one mono clip at 22,050 Hz.
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("espeak-ng: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (audio.Clip, error) {
	voice := p.Voice
	if voice == "" {
		voice = "en-us"
	}
	if !name.MatchString(voice) {
		return audio.Clip{}, fmt.Errorf("no voice %q; see espeak-ng --voices", voice)
	}
	args := []string{"-v", voice, "--stdin", "--stdout"}
	if p.Pace != 0 && p.Pace != 1 {
		args = append(args, "-s", strconv.Itoa(int(usualPace*min(max(p.Pace, 0.5), 3))))
	}
	wav, err := proc.Run(ctx, proc.Command{Path: e.path, Args: args, Stdin: p.Text + "\n"})
	if err != nil {
		return audio.Clip{}, err
	}
	return audio.ReadWAV(bytes.NewReader(wav))
}
