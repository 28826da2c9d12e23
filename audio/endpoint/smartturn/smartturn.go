// Package smartturn tells from the sound of a pause whether the user has finished, by pipecat's Smart Turn v3.
//
// The model is ONNX and takes Whisper's spectrogram of the last 8 s; onnxruntime runs it. The library is the one that the
// sherpa-onnx-go modules bring. It is compiled in with cgo and the build tag onnx; without them New returns ErrAbsent.
package smartturn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/solo-assistant/solo/audio"
)

var (
	// ErrNoModel says that the model is not there.
	ErrNoModel = errors.New("Smart Turn's model is not there; get it with: solo models pull smart-turn")
	// ErrAbsent says that onnxruntime is not there.
	ErrAbsent = errors.New("onnxruntime is not there")
)

// Config says what to run.
type Config struct {
	Model   string // path of smart-turn-v3*.onnx
	Library string // path of onnxruntime's library; "" for the one beside the program or in Go's module cache
	Threads int    // 0 is one
}

// Model is the model in memory. It is safe for use by several goroutines; they take turns.
type Model struct {
	mel  *spectrogram
	mu   sync.Mutex
	net  network
	dead bool
}

// network is the model in onnxruntime: the spectrogram of bands x frames in, how sure it is that the turn is over out.
type network interface {
	run(mel []float32) (float32, error)
	close() error
}

// New loads the model. Errors: ErrNoModel, ErrAbsent, with what mends them.
func New(c Config) (*Model, error) {
	if _, err := os.Stat(c.Model); c.Model == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (looked at %q)", ErrNoModel, c.Model)
	}
	if !builtIn {
		return nil, fmt.Errorf("%w: this Solo was built without it; build it with -tags \"sphinx onnx\"", ErrAbsent)
	}
	library := c.Library
	if library == "" {
		if library = find(places()); library == "" {
			return nil, fmt.Errorf("%w: put %s beside the program, or get it with: go mod download %s", ErrAbsent, name(), module())
		}
	}
	net, err := open(library, c.Model, max(c.Threads, 1))
	if err != nil {
		return nil, fmt.Errorf("loading Smart Turn: %w", err)
	}
	return &Model{mel: newSpectrogram(), net: net}, nil
}

// Complete is how sure it is, 0 to 1, that who spoke has finished: of the last 8 s of pcm, Mono16k. ctx is looked at
// before the model runs, which takes some tens of milliseconds.
func (m *Model) Complete(ctx context.Context, pcm []int16) (float64, error) {
	mel := m.mel.of(pcm)
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if m.dead {
		return 0, errors.New("Smart Turn was closed")
	}
	sure, err := m.net.run(mel)
	if err != nil {
		return 0, fmt.Errorf("Smart Turn: %w", err)
	}
	if !(sure >= 0 && sure <= 1) {
		return 0, fmt.Errorf("Smart Turn gave %v, not 0 to 1: the model is another one", sure)
	}
	return float64(sure), nil
}

// Close frees the model. It may be called twice.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return nil
	}
	m.dead = true
	return m.net.close()
}

// name is the library's file.
func name() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so"
}

// module is the Go module that brings it.
func module() string {
	system := map[string]string{"windows": "windows", "darwin": "macos"}[runtime.GOOS]
	if system == "" {
		system = "linux"
	}
	return "github.com/k2-fsa/sherpa-onnx-go-" + system + "@v1.13.8"
}

// places are the patterns of where it may lie, the best first.
func places() []string {
	var out []string
	if self, err := os.Executable(); err == nil {
		dir := filepath.Dir(self)
		out = append(out, filepath.Join(dir, name()), filepath.Join(dir, "lib", name()))
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		path := os.Getenv("GOPATH")
		if home, err := os.UserHomeDir(); path == "" && err == nil {
			path = filepath.Join(home, "go")
		}
		cache = filepath.Join(path, "pkg", "mod")
	}
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64", "386": "i686"}[runtime.GOARCH]
	return append(out, filepath.Join(cache, "github.com", "k2-fsa", "sherpa-onnx-go-*", "lib", machine+"*", name()))
}

// find is the first file that is there.
func find(patterns []string) string {
	for _, p := range patterns {
		if found, _ := filepath.Glob(p); len(found) > 0 {
			return slices.Max(found) // the newest version
		}
	}
	return ""
}

// span is the sound that the model looks at.
const span = 8 * audio.Rate
