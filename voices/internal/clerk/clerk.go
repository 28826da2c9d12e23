// Package clerk keeps a child program that does one job after the other, for as long as it lives.
//
// The program is started by the first job, or by Warm, and again after it died. A job that it died of is tried once
// more; one that takes longer than its limit ends the program. Who asks may leave before the answer: the program
// finishes the job, nobody hears of it, and the next job waits for that.
//
// Everything may be called from any goroutine. Close ends the program and waits for all that was started.
package clerk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// ErrHung says that a job took longer than its limit.
var ErrHung = errors.New("no answer in time")

// ErrClosed says that the clerk was closed.
var ErrClosed = errors.New("it was closed")

// errIdle ends a program that had nothing to do for a while; it is no failure.
var errIdle = errors.New("nothing to do")

// Config describes the program and its jobs. Proc.Path and Do are needed.
type Config[J, R any] struct {
	Proc proc.Config // Talk and Line are the clerk's
	// Do hands one job to the program and reads its answer. An error ends the program, unless it is a Refusal.
	Do func(w *Wires, job J) (R, error)
	// Keep chooses the lines that reach Wires.Line; nil: none. Stdout, if Lines is set, and stderr are looked at.
	Keep  func(line string) bool
	Lines bool          // stdout is lines of text, read by the clerk
	Start time.Duration // how much longer the first job of a program may take, 30 s
	Idle  time.Duration // how long a program without a job is kept; 0: for ever
	Gone  func()        // told after each program's end; may be nil
}

// Refusal is an error of one job that does the program no harm.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// Clerk is one such program.
type Clerk[J, R any] struct {
	conf Config[J, R]
	wg   sync.WaitGroup

	mu     sync.Mutex
	now    *run[J, R] // nil while there is none
	closed bool
	vain   int       // programs in a row that did no job
	why    error     // how the last of them ended
	next   time.Time // not before then is another started
}

// New describes a clerk; nothing is started.
func New[J, R any](c Config[J, R]) *Clerk[J, R] {
	c.Start = cmp.Or(c.Start, 30*time.Second)
	return &Clerk[J, R]{conf: c}
}

// Warm starts the program, so that the first job need not wait for it.
func (c *Clerk[J, R]) Warm() error {
	_, err := c.current()
	return err
}

// Pid is the program's process id, 0 while there is none.
func (c *Clerk[J, R]) Pid() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return 0
	}
	return c.now.child.Pid()
}

// Ask has a job done within limit, counted from when the program takes it up.
func (c *Clerk[J, R]) Ask(ctx context.Context, job J, limit time.Duration) (R, error) {
	for again := false; ; again = true {
		answer, err := c.once(ctx, job, limit)
		if !again && errors.Is(err, errDied) {
			continue
		}
		return answer, err
	}
}

// errDied marks the end of a program in the middle of a job.
var errDied = errors.New("it died at work")

func (c *Clerk[J, R]) once(ctx context.Context, job J, limit time.Duration) (none R, err error) {
	t := &task[J, R]{job: job, limit: limit, done: make(chan result[R], 1)}
	for {
		if ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		r, err := c.current()
		if err != nil {
			return none, err
		}
		select {
		case r.jobs <- t:
			return c.await(ctx, r, t)
		case <-ctx.Done():
			return none, context.Cause(ctx)
		case <-r.gone: // before it took the job up
			if !errors.Is(r.err, errIdle) {
				return none, fmt.Errorf("%w: %w", errDied, r.err)
			}
		}
	}
}

// await waits for the answer to a job that was taken up.
func (c *Clerk[J, R]) await(ctx context.Context, r *run[J, R], t *task[J, R]) (none R, err error) {
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case a := <-t.done:
		if a.err == nil || isRefusal(a.err) {
			return a.value, a.err
		}
	case <-r.gone:
	}
	select { // how it ended says more than how the talk broke off
	case <-r.gone:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if errors.Is(r.err, ErrHung) || errors.Is(r.err, ErrClosed) {
		return none, r.err
	}
	return none, fmt.Errorf("%w: %w", errDied, r.err)
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[*Refusal](err)
	return ok
}

// current is the program that runs, started now where there is none.
func (c *Clerk[J, R]) current() (*run[J, R], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, ErrClosed
	case c.now != nil:
		return c.now, nil
	case time.Now().Before(c.next):
		return nil, fmt.Errorf("it failed %d times; the next try is in %v: %w", c.vain, time.Until(c.next).Round(time.Second), c.why)
	}
	c.now = c.begin()
	return c.now, nil
}

// ended keeps account of a program that is gone.
func (c *Clerk[J, R]) ended(r *run[J, R]) {
	c.mu.Lock()
	if c.now == r {
		c.now = nil
	}
	switch {
	case r.worked || errors.Is(r.err, errIdle) || errors.Is(r.err, ErrClosed):
		c.vain = 0
	default:
		c.vain, c.why = c.vain+1, r.err
		if c.vain > 2 { // a job and its second try are one failure to the user
			c.next = time.Now().Add(min(30*time.Second, 250*time.Millisecond<<c.vain))
		}
	}
	c.mu.Unlock()
	if c.conf.Gone != nil {
		c.conf.Gone()
	}
}

// Close ends the program at once and waits until it is gone. Later jobs fail with ErrClosed.
func (c *Clerk[J, R]) Close() error {
	c.mu.Lock()
	c.closed = true
	r := c.now
	c.mu.Unlock()
	if r != nil {
		r.stop(ErrClosed)
	}
	c.wg.Wait()
	return nil
}
