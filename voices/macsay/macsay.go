// Package macsay speaks with the voices that macOS has, through its say program, one short child process a sentence.
package macsay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices"
)

// ErrAbsent says that this is no Mac.
var ErrAbsent = errors.New("the voices of macOS are not here; they need a Mac")

// usualPace is say's own speed, in words a minute.
const usualPace = 175

// Config is what an Engine needs to know; its zero value is enough.
type Config struct {
	Program string // "" for the one that macOS has
	Temp    string // folder for sound on its way, "" for the system's
}

// Engine runs say. It may be used by several goroutines at once.
type Engine struct {
	path, temp string
	known      func() []voices.Voice
}

// New finds the program; ErrAbsent where there is none.
func New(c Config) (*Engine, error) {
	if c.Program == "" && runtime.GOOS != "darwin" { // elsewhere say is another program
		return nil, ErrAbsent
	}
	path, err := exec.LookPath(cmp.Or(c.Program, "/usr/bin/say"))
	if err != nil {
		return nil, ErrAbsent
	}
	e := &Engine{path: path, temp: c.Temp}
	e.known = sync.OnceValue(e.ask)
	return e, nil
}

// Version names the engine; say tells none.
func (e *Engine) Version(context.Context) string { return "macOS" }

// Voices lists the voices that are installed, such as "say/Samantha".
func (e *Engine) Voices() []voices.Voice { return e.known() }

// voiceLine is a line of say's list: "Bad News   en_US   # The light you see ...".
var voiceLine = regexp.MustCompile(`^(\S.*?)\s+([a-z]{2,3}(?:[_-][A-Za-z0-9]+)+)\s+#`)

func (e *Engine) ask() []voices.Voice {
	out, err := proc.Run(context.Background(), proc.Command{Path: e.path, Args: []string{"-v", "?"}})
	if err != nil {
		return nil
	}
	return parse(string(out))
}

func parse(text string) (list []voices.Voice) {
	for line := range strings.Lines(text) {
		if m := voiceLine.FindStringSubmatch(line); m != nil {
			list = append(list, voices.Voice{ID: "say/" + m[1], Lang: strings.ReplaceAll(m[2], "_", "-")})
		}
	}
	return list
}

// Synthesize speaks one phrase as one mono clip at 22,050 Hz.
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("say: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (clip audio.Clip, err error) {
	var args []string
	if p.Voice != "" {
		if !e.speaks(p.Voice) { // say would take another one
			return clip, fmt.Errorf("no voice %q; say -v '?' lists those there are", p.Voice)
		}
		args = append(args, "-v", p.Voice)
	}
	if p.Pace != 0 && p.Pace != 1 {
		args = append(args, "-r", strconv.Itoa(int(usualPace*min(max(p.Pace, 0.5), 3))))
	}
	dir, err := os.MkdirTemp(e.temp, "solo-say-")
	if err != nil {
		return clip, fmt.Errorf("making a folder for sound: %w", err)
	}
	defer os.RemoveAll(dir)
	wav := filepath.Join(dir, "said.wav")
	args = append(args, "-o", wav, "--file-format=WAVE", "--data-format=LEI16@22050", "-f", "-")
	if _, err := proc.Run(ctx, proc.Command{Path: e.path, Args: args, Stdin: harmless(p.Text) + "\n"}); err != nil {
		return clip, err
	}
	f, err := os.Open(wav)
	if err != nil {
		return clip, fmt.Errorf("it wrote no sound: %w", err)
	}
	defer f.Close()
	if clip, err = audio.ReadWAV(f); err != nil {
		return clip, err
	}
	return clip.Mono(clip.Format.Rate), nil
}

func (e *Engine) speaks(name string) bool {
	for _, v := range e.known() {
		if v.ID == "say/"+name {
			return true
		}
	}
	return false
}

// harmless takes the commands out of a text: say obeys what stands in [[ ]].
func harmless(text string) string {
	return strings.NewReplacer("[", " ", "]", " ").Replace(text)
}
