package llama

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/models"
)

// program finds llama-server: by the settings, in PATH, in the data folder, beside a checkout's own Solo.
func (c Config) program() (string, error) {
	if c.Server != "" {
		path, err := exec.LookPath(c.Server)
		if err != nil {
			return "", fmt.Errorf("%w: llama.server is %s: %w", models.ErrAbsent, c.Server, plainly(err))
		}
		return path, nil
	}
	if path, err := exec.LookPath("llama-server"); err == nil {
		return path, nil
	}
	for _, path := range c.places() {
		if _, err := exec.LookPath(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: no llama-server in PATH or %s; %s", models.ErrAbsent, filepath.Join(c.Data, "bin"), mend())
}

// places are the files that may be the program, in order. None depends on the working folder.
func (c Config) places() []string {
	const program = "llama-server"
	return append(proc.Unpacked(c.Data, "llama", program, "", "bin", filepath.Join("build", "bin")), proc.Fetched("llama", program)...)
}

// mend is the one command that gets a llama-server.
func mend() string {
	switch runtime.GOOS {
	case "windows":
		return "get one with: winget install llama.cpp"
	case "darwin":
		return "get one with: brew install llama.cpp"
	}
	return "get one with: scripts/llama.sh (Debian), or see docs/cublas.md"
}

// plainly leaves the path away, which was told already.
func plainly(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err
}
