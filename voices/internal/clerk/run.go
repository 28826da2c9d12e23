package clerk

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// task is a job on its way through the program.
type task[J, R any] struct {
	job   J
	limit time.Duration
	done  chan result[R] // takes one
}

type result[R any] struct {
	value R
	err   error
}

// run is one life of the program.
type run[J, R any] struct {
	conf   *Config[J, R]
	child  *proc.Child
	jobs   chan *task[J, R]
	stop   context.CancelCauseFunc
	heard  *queue
	worked bool // it did a job; read once gone
	gone   chan struct{}
	err    error // how it ended, once gone
}

// Wires are what a job has of the program.
type Wires struct {
	In  io.Writer     // its stdin
	Out *bufio.Reader // its stdout, nil where the clerk reads lines
	at  *queue
	end <-chan struct{}
}

// Line waits for the next line that was kept; io.EOF when there will be none.
func (w *Wires) Line() (string, error) {
	select {
	case line, ok := <-w.at.lines:
		if ok {
			return line, nil
		}
	case <-w.end:
	}
	return "", io.EOF
}

func (c *Clerk[J, R]) begin() *run[J, R] {
	ctx, stop := context.WithCancelCause(context.Background())
	r := &run[J, R]{conf: &c.conf, jobs: make(chan *task[J, R]), stop: stop, gone: make(chan struct{})}
	r.heard = newQueue()
	p := c.conf.Proc
	p.Talk, p.Line = r.talk, r.hear
	p.Grace = cmp.Or(p.Grace, 500*time.Millisecond)
	r.child = proc.New(p)
	c.wg.Go(func() {
		defer stop(nil)
		r.err = r.child.Serve(ctx)
		if why := context.Cause(ctx); why != nil {
			r.err = &proc.Exit{Name: r.child.String(), Err: why, Words: r.child.LastWords()}
		}
		c.ended(r)
		close(r.gone)
	})
	return r
}

// talk hands over the jobs, one at a time, until the program or the clerk ends.
func (r *run[J, R]) talk(ctx context.Context, in io.WriteCloser, out io.Reader) error {
	w := &Wires{In: in, at: r.heard, end: ctx.Done()}
	var reading sync.WaitGroup
	defer reading.Wait()
	if r.conf.Lines {
		reading.Go(func() { r.readLines(out) })
	} else {
		w.Out = bufio.NewReaderSize(out, 1<<16)
	}
	extra := r.conf.Start
	for {
		idle, cancel := r.rest()
		select {
		case t := <-r.jobs:
			cancel()
			if err := r.do(ctx, w, t, extra); err != nil {
				return r.giveUp(ctx, err)
			}
			extra = 0
		case <-idle:
			return r.giveUp(ctx, errIdle)
		case <-ctx.Done():
			cancel()
			return nil
		case <-r.heard.end:
			cancel()
			return io.ErrUnexpectedEOF
		}
	}
}

// giveUp ends the program. Whoever still reads its stdout is woken by its end.
func (r *run[J, R]) giveUp(ctx context.Context, why error) error {
	if r.conf.Lines && !r.heard.over() || errors.Is(why, errIdle) {
		r.stop(why)
		<-ctx.Done()
	}
	return why
}

// rest is a timer for the time without a job.
func (r *run[J, R]) rest() (<-chan time.Time, func()) {
	if r.conf.Idle <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(r.conf.Idle)
	return t.C, func() { t.Stop() }
}

// do does one job; an error is the end of the program.
func (r *run[J, R]) do(ctx context.Context, w *Wires, t *task[J, R], extra time.Duration) error {
	limit := t.limit + extra
	hung := time.AfterFunc(limit, func() { r.stop(fmt.Errorf("%w (%v)", ErrHung, limit)) })
	defer hung.Stop()
	r.heard.forget()
	value, err := r.conf.Do(w, t.job)
	if err != nil && ctx.Err() != nil {
		return nil // it was ended, its answer means nothing
	}
	t.done <- result[R]{value, err}
	if err != nil && !isRefusal(err) {
		return err
	}
	r.worked = true
	return nil
}

// hear takes a line of stderr.
func (r *run[J, R]) hear(line string) {
	if r.conf.Keep != nil && r.conf.Keep(line) {
		r.heard.add(line)
	}
}

// longest is how much of one line of stdout is kept.
const longest = 1 << 16

func (r *run[J, R]) readLines(out io.Reader) {
	defer r.heard.close()
	in := bufio.NewReaderSize(out, longest)
	for {
		line, long, err := in.ReadLine()
		if err != nil {
			return
		}
		r.hear(string(line))
		for long && err == nil {
			_, long, err = in.ReadLine()
		}
	}
}
