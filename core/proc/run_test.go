package proc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func command(part string) Command {
	return Command{Path: os.Args[0], Env: []string{partEnv + part}}
}

func TestRun(t *testing.T) {
	c := command("upper")
	c.Stdin = "good morning\nsolo"
	if out, err := Run(t.Context(), c); err != nil || string(out) != "GOOD MORNING\nSOLO\n" {
		t.Errorf("%q, %v", out, err)
	}
	var b bytes.Buffer
	c = command("shout")
	c.Out, c.Stdin = &b, strings.Repeat("never read ", 1<<16)
	if out, err := Run(t.Context(), c); err != nil || len(out) != 0 || b.Len() != 1<<20 {
		t.Errorf("%d and %d bytes, %v", len(out), b.Len(), err)
	}
	noChildren(t)
}

func TestRunFails(t *testing.T) {
	gone := errors.New("the user spoke")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	soon, stop := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, gone)
	defer stop()
	limited := command("family")
	limited.Limit = 50 * time.Millisecond
	for name, tt := range map[string]struct {
		ctx  context.Context
		c    Command
		want error
		text string
	}{
		"status":    {t.Context(), command("fail"), nil, "exit status 3; its last words: model missing / run make voices"},
		"missing":   {t.Context(), Command{Path: "no-such-program"}, exec.ErrNotFound, "no-such-program: "},
		"limit":     {t.Context(), limited, ErrLimit, "took too long: 50ms"},
		"cancelled": {cancelled, command("stay"), gone, "the user spoke"},
		"cancel":    {soon, command("family"), gone, "the user spoke"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run(tt.ctx, tt.c)
			if e := asExit(t, err); !strings.Contains(e.Error(), tt.text) {
				t.Error(e)
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%v is not %v", err, tt.want)
			}
		})
	}
	noChildren(t)
}
