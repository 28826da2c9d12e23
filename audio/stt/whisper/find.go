package whisper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// programs are the whisper-servers to try, the best first. There is at least one.
func (c Config) programs() ([]string, error) {
	if c.Server != "" {
		path, err := exec.LookPath(c.Server)
		if err != nil {
			return nil, fmt.Errorf("%w: whisper.server is %s: %w", ErrAbsent, c.Server, err)
		}
		return []string{path}, nil
	}
	var found []string
	for _, path := range c.places() {
		if path, err := exec.LookPath(path); err == nil && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		return nil, ErrAbsent
	}
	cuda := c.NVIDIA == nil || c.NVIDIA()
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(worth(b, cuda), worth(a, cuda)) })
	return found, nil
}

// places are the files that may be the program. None depends on the working folder.
func (c Config) places() []string {
	const program = "whisper-server"
	return slices.Concat(proc.Unpacked(c.Data, "whisper", program, "", "bin", "Release", filepath.Join("build", "bin")),
		[]string{proc.Executable(program)}, proc.Fetched("whisper", program))
}

// worth tells builds apart by the libraries beside them: CUDA where there is a card for it, Vulkan, the processor.
func worth(program string, cuda bool) int {
	switch b := backends(program); {
	case slices.Contains(b, "cuda") && cuda:
		return 3
	case slices.Contains(b, "vulkan"):
		return 2
	case slices.Contains(b, "cuda"):
		return 0 // it may not even load
	}
	return 1
}

// backends are the kinds of graphics card that a build has a library for.
func backends(program string) (kinds []string) {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	dir := filepath.Dir(program)
	for _, kind := range []string{"cuda", "vulkan", "hip", "metal", "sycl"} {
		for _, pattern := range []string{"*ggml-" + kind + "*", filepath.Join("..", "lib", "*ggml-"+kind+"*"), filepath.Join("..", "lib", "ggml", "*", "*ggml-"+kind+"*"), filepath.Join("lib", "ggml", "*", "*ggml-"+kind+"*")} {
			if found, _ := filepath.Glob(filepath.Join(proc.Literal(dir), pattern)); len(found) > 0 {
				kinds = append(kinds, kind)
				break
			}
		}
	}
	return kinds
}

// weights finds the model: the file or name that is set, else the largest in the models folder.
func (c Config) weights() (string, error) {
	if c.Model != "" {
		for _, path := range []string{c.Model, filepath.Join(c.Data, "models", c.Model), filepath.Join(c.Data, "models", "whisper", c.Model),
			filepath.Join(c.Data, "models", "whisper", "ggml-"+strings.TrimPrefix(c.Model, "whisper-")+".bin")} {
			if filepath.IsAbs(path) && isModel(path) == nil {
				return path, nil
			}
		}
		return "", fmt.Errorf("%w: whisper.model is %s, which is no model file and none in %s", ErrNoModel, c.Model, filepath.Join(c.Data, "models", "whisper"))
	}
	best, size := "", int64(0)
	for _, dir := range []string{filepath.Join(c.Data, "models", "whisper"), filepath.Join(c.Data, "models")} {
		found, _ := filepath.Glob(filepath.Join(proc.Literal(dir), "ggml-*.bin"))
		for _, path := range found {
			info, err := os.Stat(path)
			if err != nil || info.Size() <= size || isModel(path) != nil || !c.suits(path) {
				continue
			}
			best, size = path, info.Size()
		}
	}
	if best == "" {
		return "", ErrNoModel
	}
	return best, nil
}

// suits is whether a model can hear the language that is set.
func (c Config) suits(path string) bool {
	english := strings.Contains(filepath.Base(path), ".en")
	return !english || c.Language == "en" && !c.Translate
}

// smallest is under which size a file holds no weights: the tiniest model has 30 MB, those of tests less.
const smallest = 100 << 10

// isModel looks at the first bytes of a file.
func isModel(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [4]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if string(head[:]) != "lmgg" || info.Size() < smallest {
		return errors.New("no model of whisper.cpp")
	}
	return nil
}

// build is what a program said of itself.
type build struct {
	path  string
	flags map[string]bool
	kinds []string
}

func (b build) can(flag string) bool { return b.flags[flag] }

// asked remembers builds by path and date.
var asked sync.Map

// ask finds out what a program can.
func ask(ctx context.Context, path string) (build, error) {
	info, err := os.Stat(path)
	if err != nil {
		return build{}, fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	mark := fmt.Sprintf("%s %d %v", path, info.Size(), info.ModTime())
	if b, ok := asked.Load(mark); ok {
		return b.(build), nil
	}
	var help strings.Builder
	var mu sync.Mutex
	child := proc.New(proc.Config{Path: path, Args: []string{"--help"}, Words: 4, Line: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		help.WriteString(line + "\n")
	}})
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // a driver may have to wake up
	defer cancel()
	err = child.Serve(ctx)
	if e, ok := errors.AsType[*proc.Exit](err); ok && e.Err == nil {
		err = nil
	}
	if err = cmp.Or(err, context.Cause(ctx)); err != nil {
		return build{}, fmt.Errorf("%w: %s does not run: %w", ErrAbsent, path, err)
	}
	mu.Lock()
	defer mu.Unlock()
	b := build{path: path, flags: parseHelp(help.String()), kinds: backends(path)}
	if !b.can("--model") || !b.can("--port") {
		return b, fmt.Errorf("%w: %s is no whisper-server", ErrAbsent, path)
	}
	asked.Store(mark, b)
	return b, nil
}

// parseHelp finds the arguments: "-x N,  --xyz N   [default] words".
func parseHelp(help string) map[string]bool {
	flags := map[string]bool{}
	for line := range strings.Lines(help) {
		for word := range strings.FieldsSeq(line) {
			word = strings.TrimSuffix(word, ",")
			if strings.HasPrefix(word, "[") {
				break
			}
			if len(word) > 1 && word[0] == '-' && len(word) < 40 {
				flags[word] = true
			}
		}
	}
	return flags
}

// Found is what Solo would start, for the doctor.
type Found struct {
	Program  string   `json:"program"`
	Backends []string `json:"backends,omitempty"` // kinds of graphics card that it has a library for
	Model    string   `json:"model"`
	Bytes    int64    `json:"bytes"`
}

// Find tells what Serve would start, and starts nothing but the program's own --help.
func (e *Engine) Find(ctx context.Context) (Found, error) {
	var f Found
	programs, err := e.conf.programs()
	if err != nil {
		return f, err
	}
	b, err := ask(ctx, programs[0])
	if err != nil {
		return f, err
	}
	f.Program, f.Backends = b.path, b.kinds
	if f.Model, err = e.conf.weights(); err != nil {
		return f, err
	}
	info, err := os.Stat(f.Model)
	if err == nil {
		f.Bytes = info.Size()
	}
	return f, err
}
