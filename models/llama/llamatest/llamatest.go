// Package llamatest finds the llama-server that tests run.
package llamatest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/solo-assistant/solo/tests/corpus"
)

// Program is the llama-server named by SOLO_LLAMA_SERVER, else the one that scripts/llama.sh got; a test without
// one is skipped.
func Program(t testing.TB) string {
	t.Helper()
	path := os.Getenv("SOLO_LLAMA_SERVER")
	if path == "" {
		_, here, _, _ := runtime.Caller(0)
		path = filepath.Join(filepath.Dir(here), "..", "..", "..", ".tools", "llama", "llama-server")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: no llama-server (scripts/llama.sh gets one)")
	}
	return path
}

// Model is the small model that tells stories; a test without it is skipped.
func Model(t testing.TB) string {
	t.Helper()
	path := filepath.Join(corpus.Dir(t), "llm", "stories260K-ctx4k.gguf")
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: no ../shared/data/llm")
	}
	return path
}
