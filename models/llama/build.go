package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/fit"
)

// build is what one llama-server program can do, as it tells itself.
type build struct {
	path    string
	version string // "0.7.0 (build 11669, commit Debian)", "5401 (abc)"
	flags   map[string]bool
	values  bool // flash attention takes on, off or auto; in old builds it is a mere switch
	devices []device
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
	if err == nil {
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
		if said, err := run(ctx, path, "--list-devices"); err == nil {
			b.devices = parseDevices(said)
		}
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

func parseDevices(said string) []device {
	var list []device
	for _, m := range deviceLine.FindAllStringSubmatch(said, 64) {
		total, err1 := strconv.ParseInt(m[3], 10, 64)
		free, err2 := strconv.ParseInt(m[4], 10, 64)
		if err1 != nil || err2 != nil || total > 1<<30 || free > 1<<30 {
			continue
		}
		list = append(list, device{id: m[1], name: m[2], total: total << 20, free: free << 20})
	}
	return list
}

// usable are the cards to plan for, and the names to restrict the server to, "" for none. CUDA cards are used
// together. Of others only the largest is: they are often a processor's own graphics, and one card listed twice.
func usable(list []device, only int) (cards []fit.Device, restrict string) {
	var cuda []device
	for _, d := range list {
		if strings.HasPrefix(d.id, "CUDA") {
			cuda = append(cuda, d)
		}
	}
	if len(cuda) == 0 && len(list) > 0 {
		best := list[0]
		for _, d := range list {
			if d.free > best.free {
				best = d
			}
		}
		if len(list) > 1 {
			restrict = best.id
		}
		cuda = []device{best}
	}
	if only >= 0 && only < len(cuda) {
		cuda = cuda[only : only+1]
	}
	for _, d := range cuda {
		cards = append(cards, fit.Device{Name: d.id, Free: d.free})
	}
	return cards, restrict
}

// seen are the build's own devices. An old build does not tell them: it is taken to be one for NVIDIA's cards.
func (b build) seen(cards []gpu.Card) []device {
	if b.can("--list-devices") {
		return b.devices
	}
	var list []device
	for _, c := range cards {
		list = append(list, device{id: fmt.Sprintf("CUDA%d", c.Index), name: c.Name, total: c.MemTotal, free: c.MemFree})
	}
	return list
}

// refresh takes the memory that is free now from the driver's own figures. Cards are told apart by name; of
// several alike the fullest counts, because CUDA and the driver may count them in different orders.
func refresh(list []device, cards []gpu.Card) []device {
	fresh := make([]device, len(list))
	for i, d := range list {
		fresh[i] = d
		least := int64(-1)
		for _, c := range cards {
			if c.Name == d.name && c.MemTotal > 0 && (least < 0 || c.MemFree < least) {
				least = c.MemFree
			}
		}
		if least >= 0 {
			fresh[i].free = least
		}
	}
	return fresh
}
