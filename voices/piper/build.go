package piper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// kind is a program that is called Piper.
type kind int

const (
	stranger kind = iota
	mit           // rhasspy/piper, C++: gives one WAV a line on stdout
	gpl           // libpiper of piper1-gpl, C++: writes WAVs into a folder and prints their paths
	python        // piper1-gpl, Python: writes WAVs into a folder and logs their paths
)

var kinds = map[kind]string{stranger: "unknown", mit: "C++, MIT", gpl: "C++, GPL-3", python: "Python, GPL-3"}

// build is a program that was found, and how to talk with it.
type build struct {
	path    string
	args    []string // before all others: -m piper, for a Python
	kind    kind
	version string
	pauses  bool // it can be silent between sentences

	cuda string // its argument for the graphics card, "" for none
}

func (b build) String() string {
	return strings.TrimSpace(b.version + " (" + kinds[b.kind] + ")")
}

// program finds Piper: by the settings, in PATH, in the data folder. A program that is called so and is another, such
// as Debian's piper for gaming mice, is passed over.
func (c Config) program(ctx context.Context) (build, error) {
	if c.Program != "" {
		path, err := exec.LookPath(c.Program)
		if err != nil {
			return build{}, fmt.Errorf("%w: piper.program is %s: %w", ErrAbsent, c.Program, err)
		}
		b, err := probe(ctx, path)
		if err != nil {
			return b, fmt.Errorf("%w: piper.program is %s: %w", ErrAbsent, c.Program, err)
		}
		return b, nil
	}
	var why error
	for _, path := range c.places() {
		path, err := exec.LookPath(path)
		if err != nil {
			continue
		}
		b, err := probe(ctx, path)
		if err == nil {
			return b, nil
		}
		why = errors.Join(why, fmt.Errorf("%s: %w", path, err))
	}
	if why != nil {
		return build{}, fmt.Errorf("%w (%w)", ErrAbsent, why)
	}
	return build{}, ErrAbsent
}

// places are the files that may be the program, in order. A release archive holds a folder piper.
func (c Config) places() []string {
	return append(proc.Unpacked(c.Data, "piper", "piper", "", "piper", "bin"), "piper")
}

// probed remembers what programs said of themselves, by path and date.
var probed sync.Map

// probe finds out which Piper a program is.
func probe(ctx context.Context, path string) (build, error) {
	info, err := os.Stat(path)
	if err != nil {
		return build{}, err
	}
	mark := fmt.Sprintf("%s %d %v", path, info.Size(), info.ModTime())
	if b, ok := probed.Load(mark); ok {
		return b.(build), nil
	}
	b, err := ask(ctx, path)
	if err == nil {
		probed.Store(mark, b)
	}
	return b, err
}

func ask(ctx context.Context, path string) (build, error) {
	b := build{path: path}
	if strings.HasPrefix(strings.ToLower(filepath.Base(path)), "python") {
		b.args = []string{"-m", "piper"}
	}
	help, err := said(ctx, path, append(slices.Clone(b.args), "--help"))
	if err != nil {
		return b, fmt.Errorf("it does not tell what it can: %w", err)
	}
	b.kind, b.pauses, b.cuda = recognise(help)
	switch b.kind {
	case stranger:
		return b, errors.New("this is another program of that name")
	case gpl:
		if version, err := said(ctx, path, []string{"--version"}); err == nil {
			b.version = strings.TrimSpace(firstLine(version))
		}
	}
	return b, nil
}

// recognise tells the builds by the words that only one of them uses for its arguments.
func recognise(help string) (k kind, pauses bool, cuda string) {
	has := func(arg string) bool { return strings.Contains(help, arg) }
	switch {
	case !has("--model") || !has("--speaker"):
		return stranger, false, ""
	case has("--output-dir-naming") || has("--output-dir") && has("--data-dir"):
		k = python
	case has("--output_raw") && has("--output_file"):
		k = mit
	case has("--output_dir") && has("--json-input"):
		k = gpl
	}
	for _, arg := range []string{"--use-cuda", "--cuda"} {
		if has(arg) && cuda == "" {
			cuda = arg
		}
	}
	return k, has("--sentence_silence") || has("--sentence-silence"), cuda
}

// said is what a program prints, wherever it prints it.
func said(ctx context.Context, path string, args []string) (string, error) {
	var text strings.Builder
	var mu sync.Mutex
	child := proc.New(proc.Config{Path: path, Args: args, Words: 4, Line: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		if text.Len() < 1<<16 {
			text.WriteString(line + "\n")
		}
	}})
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second) // Python reads a lot before its first word
	defer cancel()
	err := child.Serve(ctx)
	if e, ok := errors.AsType[*proc.Exit](err); ok && e.Err == nil {
		err = nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	mu.Lock()
	defer mu.Unlock()
	return text.String(), err
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), 40)]
}
