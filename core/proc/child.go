// Package proc runs child programs: it waits until they are healthy, keeps their last words,
// and sees to it that they die with Solo.
//
// A Child is one long-lived program shaped as a service: Serve starts it, and returns an *Exit with
// its last words when it dies, so that a supervisor starts it again. Run is for one short command.
//
// Every child leads a process group of its own, which is killed whole, so that children of the child
// go too. When Solo itself is killed: on Linux the kernel kills the child (Pdeathsig), on Windows it
// ends the child's whole job, elsewhere a small watching shell kills the group. A Linux child that has
// children of its own must end them itself in that one case.
//
// Everything may be called from any goroutine; one Child serves once at a time.
package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Config describes a child program. Only Path is required.
type Config struct {
	Name string // for errors and status; the program's base name
	Path string // looked up in PATH when it has no slash
	Args []string
	Env  []string // added to Solo's own environment
	Dir  string

	// Probe returns nil once the child can serve. It is asked every Every until then, and the child
	// is killed when that takes longer than Patience. Without Probe a started child is ready.
	Probe    func(ctx context.Context) error
	Every    time.Duration // 50 ms
	Patience time.Duration // 10 s; a single Probe may take as long

	// Check asks Probe again at this interval while the child runs; three failures in a row end it. 0: never.
	Check time.Duration

	// Talk owns the child's stdin and stdout while it runs, and returns when ctx ends or stdout does.
	// Its error ends the child. Without Talk, stdout is kept and shown like stderr.
	Talk func(ctx context.Context, stdin io.WriteCloser, stdout io.Reader) error

	Ready func(ctx context.Context) // told once it is healthy, with Serve's ctx; made for supervise.Ready
	Line  func(line string)         // sees each line that the child says
	Words int                       // last lines kept, 20
	Grace time.Duration             // from the polite request to end until it is killed, 2 s
}

// Child is a long-lived child program.
type Child struct {
	conf  Config
	words *words
	pid   atomic.Int64
}

// New describes a child; Serve starts it.
func New(c Config) *Child {
	c.Name = cmp.Or(c.Name, baseName(c.Path))
	c.Every = cmp.Or(c.Every, 50*time.Millisecond)
	c.Patience = cmp.Or(c.Patience, 10*time.Second)
	c.Grace = cmp.Or(c.Grace, 2*time.Second)
	if c.Ready == nil {
		c.Ready = func(context.Context) {}
	}
	return &Child{conf: c, words: newWords(cmp.Or(c.Words, 20), c.Line)}
}

func (c *Child) String() string { return c.conf.Name }

// Pid is the running child's process id, 0 while there is none.
func (c *Child) Pid() int { return int(c.pid.Load()) }

// LastWords are the last lines that the child said, of this run or the one before.
func (c *Child) LastWords() []string { return c.words.lines() }

// Serve starts the child and stays until it is gone: nil when ctx ended it, else an *Exit with its last words.
func (c *Child) Serve(ctx context.Context) error {
	defer onOneThread()()
	c.words.reset()
	cmd := exec.Command(c.conf.Path, c.conf.Args...)
	cmd.Dir, cmd.Env = c.conf.Dir, environ(c.conf.Env)
	cmd.Stdout, cmd.Stderr = c.words, c.words
	var w wires
	if c.conf.Talk != nil {
		if err := w.lay(cmd); err != nil {
			return &Exit{Name: c.conf.Name, Err: err}
		}
	}
	defer w.cut()
	p, err := start(cmd)
	w.handOver()
	if err != nil {
		return &Exit{Name: c.conf.Name, Err: err}
	}
	c.pid.Store(int64(cmd.Process.Pid))
	defer c.pid.Store(0)
	err = c.attend(ctx, p, &w)
	if ctx.Err() != nil {
		return nil
	}
	return &Exit{Name: c.conf.Name, Err: err, Words: c.words.lines()}
}

// attend watches over a running child until it is gone, and says why it went.
func (c *Child) attend(ctx context.Context, p *process, w *wires) error {
	life, over := context.WithCancel(ctx)
	var jobs sync.WaitGroup
	ill, talked := make(chan error, 1), make(chan error, 1)
	jobs.Go(func() {
		if err := c.health(life); err != nil {
			ill <- err
		}
	})
	if c.conf.Talk != nil {
		jobs.Go(func() { talked <- c.conf.Talk(life, w.in, w.out) })
	}
	why := c.first(ctx, p, ill, talked)
	over()
	w.hangUp()
	err := p.end(c.conf.Grace)
	cut := time.AfterFunc(c.conf.Grace, w.cut) // for a Talk that reads on
	jobs.Wait()
	cut.Stop()
	return cmp.Or(why, err)
}

// first waits until the child dies, is ill, its talk is over, or ctx ends.
func (c *Child) first(ctx context.Context, p *process, ill, talked <-chan error) error {
	var why error
	select {
	case <-p.dead:
		return nil
	case <-ctx.Done():
		return nil
	case why = <-ill:
		return why
	case why = <-talked:
	}
	select { // most talks break off because the child died: that says more
	case <-p.dead:
		return nil
	case <-ctx.Done():
		return nil
	case <-time.After(200 * time.Millisecond):
		return cmp.Or(why, errors.New("the talk with it is over"))
	}
}

// health reports readiness when the probe passes, and returns an error when the child shall be given up.
func (c *Child) health(ctx context.Context) error {
	if c.conf.Probe == nil {
		c.conf.Ready(ctx)
		return nil
	}
	if err := c.gate(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	c.conf.Ready(ctx)
	for failed := 0; c.conf.Check > 0 && sleep(ctx, c.conf.Check); {
		switch err := c.ask(ctx); {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			failed = 0
		default:
			if failed++; failed == 3 {
				return fmt.Errorf("no longer healthy: %w", err)
			}
		}
	}
	return nil
}

// gate asks the probe until it passes; nil when ctx ends.
func (c *Child) gate(ctx context.Context) error {
	until, cancel := context.WithTimeout(ctx, c.conf.Patience)
	defer cancel()
	for {
		err := c.conf.Probe(until)
		if err == nil {
			return nil
		}
		if !sleep(until, c.conf.Every) {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("not healthy within %v: %w", c.conf.Patience, err)
		}
	}
}

func (c *Child) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.conf.Patience)
	defer cancel()
	return c.conf.Probe(ctx)
}

// sleep is false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
