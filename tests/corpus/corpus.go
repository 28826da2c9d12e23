// Package corpus finds the recordings that tests may read and that the project never ships.
package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir returns the folder ../shared/data beside the checkout; a test without it is skipped.
func Dir(t testing.TB) string {
	t.Helper()
	dir := Path()
	if dir == "" {
		t.Skip("skipped: no ../shared/data")
	}
	return dir
}

// Path is the folder that Dir returns, "" where there is none.
func Path() string {
	_, here, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	if s, err := os.Stat(dir); err != nil || !s.IsDir() {
		return ""
	}
	return dir
}
