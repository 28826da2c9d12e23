package proc

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Command is one short run of a program. Only Path is required.
type Command struct {
	Path  string // looked up in PATH when it has no slash
	Args  []string
	Env   []string // added to Solo's own environment
	Dir   string
	Stdin string
	Out   io.Writer     // takes stdout while the program runs; nil: Run returns it
	Limit time.Duration // the longest that it may take, 30 s
}

// Run runs a command to its end and returns its stdout. When ctx ends, or the limit is reached, its
// whole process group is killed at once. The error is an *Exit with the last lines of stderr; ask it
// for exec.ErrNotFound, ErrLimit or ctx's cause.
func Run(ctx context.Context, c Command) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, &Exit{Name: baseName(c.Path), Err: context.Cause(ctx)}
	}
	defer onOneThread()()
	var out bytes.Buffer
	said := newWords(20, nil)
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, environ(c.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.Stdin), &out, said
	if c.Out != nil {
		cmd.Stdout = c.Out
	}
	p, err := start(cmd)
	if err == nil {
		err = p.finish(ctx, cmp.Or(c.Limit, 30*time.Second))
	}
	if err != nil {
		return out.Bytes(), &Exit{Name: baseName(c.Path), Err: err, Words: said.lines()}
	}
	return out.Bytes(), nil
}

// finish waits for the program's own end, and kills it when that does not come in time.
func (p *process) finish(ctx context.Context, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var why error
	select {
	case <-p.dead:
		return p.err
	case <-ctx.Done():
		why = context.Cause(ctx)
	case <-timer.C:
		why = fmt.Errorf("%w: %v", ErrLimit, limit)
	}
	p.leash.kill()
	<-p.dead
	return why
}
