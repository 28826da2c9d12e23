package llama

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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
	name := "llama-server"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var paths []string
	if filepath.IsAbs(c.Data) {
		paths = append(paths, filepath.Join(c.Data, "bin", name))
		// A release archive unpacks to a folder such as llama-b6000, with the program in it or in build/bin.
		for _, inner := range []string{"", "bin", filepath.Join("build", "bin")} {
			found, _ := filepath.Glob(filepath.Join(escape(c.Data), "llama*", inner, name))
			slices.Sort(found)
			slices.Reverse(found) // later builds first
			paths = append(paths, found...)
		}
	}
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		paths = append(paths, filepath.Join(filepath.Dir(self), "..", ".tools", "llama", name)) // bin/solo of a checkout
	}
	if runtime.GOOS == "darwin" { // a service has no such PATH
		paths = append(paths, "/opt/homebrew/bin/"+name, "/usr/local/bin/"+name)
	}
	return paths
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

// escape makes a folder's name literal in a pattern.
func escape(dir string) string {
	if runtime.GOOS == "windows" {
		return dir // its patterns know no escape; its names have no *
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
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
