package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/models"
)

// build is what one llama-server program can do, as it tells itself.
type build struct {
	path    string
	version string // "0.7.0 (build 11669, commit Debian)", "5401 (abc)"
	flags   map[string]bool
	values  bool // flash attention takes on, off or auto; in old builds it is a mere switch
	devices []device
	mute    bool // its cards could not be asked for this time
}

// device is a card that the server can use.
type device struct {
	id, name    string // "CUDA0", "NVIDIA GeForce RTX 4090"
	total, free int64
}

// can is whether the program knows an argument.
func (b build) can(flag string) bool { return b.flags[flag] }

// builds remembers what programs told, until they change.
type builds struct {
	mu    sync.Mutex
	known map[string]build
}

func (bs *builds) of(ctx context.Context, path string) (build, error) {
	info, err := os.Stat(path)
	if err != nil {
		return build{}, fmt.Errorf("%w: %w", models.ErrAbsent, err)
	}
	mark := fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b, ok := bs.known[mark]; ok {
		return b, nil
	}
	b, err := ask(ctx, path)
	if err == nil && !b.mute {
		bs.known = map[string]build{mark: b}
	}
	return b, err
}

// ask asks a program for its version, its arguments and its cards.
func ask(ctx context.Context, path string) (build, error) {
	b := build{path: path}
	said, err := run(ctx, path, "--version")
	if err != nil {
		return b, fmt.Errorf("%w: %s does not run: %w", models.ErrAbsent, path, err)
	}
	if m := versionLine.FindStringSubmatch(said); m != nil {
		b.version = m[1]
	}
	help, err := run(ctx, path, "--help")
	if err != nil {
		return b, fmt.Errorf("%w: %s tells nothing of its arguments: %w", models.ErrAbsent, path, err)
	}
	b.flags, b.values = parseHelp(help)
	if !b.can("--model") || !b.can("--port") {
		return b, fmt.Errorf("%w: %s is no llama-server", models.ErrAbsent, path)
	}
	if b.can("--list-devices") {
		said, err := run(ctx, path, "--list-devices")
		b.devices, b.mute = parseDevices(said), err != nil // a driver that fails leaves the processor
	}
	return b, nil
}

// run gives what a program says, wherever it says it: --version goes to stderr.
func run(ctx context.Context, path string, arg string) (string, error) {
	var said strings.Builder
	child := proc.New(proc.Config{Path: path, Args: []string{arg}, Words: 4000, Line: func(line string) { said.WriteString(line + "\n") }})
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // a driver may have to wake up
	defer cancel()
	err := child.Serve(ctx)
	if e, ok := errors.AsType[*proc.Exit](err); ok {
		if e.Err == nil {
			return said.String(), nil
		}
		e.Words = telling(e.Words)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return "", err
}

var (
	versionLine = regexp.MustCompile(`(?m)^version: (.{1,100})$`)
	flagName    = regexp.MustCompile(`^--?[a-zA-Z][a-zA-Z0-9-]*$`)
	deviceLine  = regexp.MustCompile(`(?m)^\s*([A-Za-z]+\d+): (.*) \((\d+) MiB, (\d+) MiB free\)\s*$`)
)

// parseHelp finds the arguments: lines that begin with "-x, --xyz, --zyx VALUE   words", and names of variables.
func parseHelp(help string) (flags map[string]bool, values bool) {
	flags = map[string]bool{}
	for line := range strings.Lines(help) {
		if strings.Contains(line, "LLAMA_API_KEY") {
			flags["LLAMA_API_KEY"] = true
		}
		if !strings.HasPrefix(line, "-") {
			continue
		}
		if strings.Contains(line, "has been removed") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			word, more := strings.CutSuffix(word, ",")
			if !flagName.MatchString(word) {
				break
			}
			flags[word] = true
			if word == "--flash-attn" && strings.Contains(line, "on|off") {
				values = true
			}
			if !more {
				break
			}
		}
	}
	return flags, values
}
