package proc

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

const partEnv = "SOLO_TEST_CHILD="

func self(part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), partEnv+part)
	return cmd
}

func childConfig(part string) Config {
	return Config{Name: part, Path: os.Args[0], Env: []string{partEnv + part}, Grace: 500 * time.Millisecond}
}

// serving runs a child and returns a way to end it and its result.
func serving(t *testing.T, c *Child) (stop func() error, done <-chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- c.Serve(ctx) }()
	t.Cleanup(cancel)
	return func() error { cancel(); return <-result }, result
}

// eventually waits up to 10 s for what a process does in its own time.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func asExit(t *testing.T, err error) *Exit {
	t.Helper()
	e, ok := errors.AsType[*Exit](err)
	if !ok {
		t.Fatalf("want an *Exit, got %v", err)
	}
	return e
}

// firstLine reads one line from a started program's stdout that begins with word.
func firstLine(t *testing.T, cmd *exec.Cmd, word string) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewScanner(out); in.Scan(); {
		if rest, ok := strings.CutPrefix(in.Text(), word+" "); ok {
			return rest
		}
	}
	t.Fatalf("it never said %q", word)
	return ""
}
