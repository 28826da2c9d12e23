//go:build linux

// Package browser drives the whole program as a person does who opens its page in a browser.
//
// Each test has a Solo of its own, with a home of its own, and a real Chromium. What is on the page is found by its role
// and its name, as a screen reader finds it. Screenshots are kept in the folder that SOLO_SCREENSHOTS names.
package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

var built struct {
	sync.Once
	dir, path string
	err       error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// binary is the program under test, which is built once, as the tests are. SOLO_BINARY names one that is built already.
func binary(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.path = os.Getenv("SOLO_BINARY"); built.path != "" {
			return
		}
		if built.dir, built.err = os.MkdirTemp("", "solo-browser"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "solo")
		args := slices.Concat([]string{"build", "-o", built.path}, racing, hearing)
		if out, err := exec.Command("go", append(args, "../../cmd/solo")...).CombinedOutput(); err != nil {
			built.err = fmt.Errorf("building solo: %w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}
