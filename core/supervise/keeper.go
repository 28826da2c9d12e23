package supervise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"time"
)

// keeper lives one service's life: run, wait, run again, stop.
type keeper struct {
	Keep
	name   string
	tree   *Tree
	status Status        // under tree.mu; see status.go
	kick   chan struct{} // a wish to restart

	// made anew by each start
	end     context.CancelCauseFunc
	settled chan struct{} // closed when the next service need not wait any longer
	settle  func()
	gone    chan struct{} // closed when the life is over
}

func newKeeper(t *Tree, s Service) *keeper {
	k, ok := s.(Keep)
	if !ok {
		k = Keep{Service: s}
	}
	k.Patience = cmp.Or(k.Patience, t.conf.Patience)
	k.Pause = cmp.Or(k.Pause, t.conf.Pause)
	k.Longest = cmp.Or(k.Longest, t.conf.Longest)
	k.Steady = cmp.Or(k.Steady, t.conf.Steady)
	if inner, ok := k.Service.(*Tree); ok {
		k.Grace = cmp.Or(k.Grace, inner.grace())
	}
	k.Grace = cmp.Or(k.Grace, t.conf.Grace)
	name := s.String()
	return &keeper{Keep: k, name: name, tree: t, kick: make(chan struct{}, 1), status: Status{Name: name, State: Idle}}
}

// start begins the life. It ends by end, not with ctx: the tree stops its services in order.
func (k *keeper) start(ctx context.Context, fail func(error)) {
	ctx, k.end = context.WithCancelCause(context.WithoutCancel(ctx))
	k.settled, k.gone = make(chan struct{}), make(chan struct{})
	k.settle = sync.OnceFunc(func() { close(k.settled) })
	k.set(func(s *Status) { *s = Status{Name: k.name, State: Idle} })
	go func() {
		defer close(k.gone)
		k.live(ctx, fail)
	}()
}

func (k *keeper) live(ctx context.Context, fail func(error)) {
	pause := k.Pause
	for first := true; ; first = false {
		began := time.Now()
		err := k.run(ctx, first)
		switch {
		case errors.Is(err, errLeft):
			return // it was told already
		case ctx.Err() != nil:
			k.enter(Stopped, unlessCancelled(err))
			return
		case errors.Is(err, ErrRestart):
			pause = k.Pause
			continue
		case errors.Is(err, ErrFatal):
			k.enter(Done, err)
			fail(fmt.Errorf("%s: %w", k.name, err))
			<-ctx.Done()
			return
		case err == nil:
			k.enter(Done, nil)
			pause = k.Pause
			k.wait(ctx, nil)
			continue
		}
		if time.Since(began) >= k.Steady {
			pause = k.Pause
		}
		k.enter(Waiting, err)
		k.wait(ctx, time.After(pause))
		pause = min(2*pause, k.Longest)
	}
}

// errLeft ends the life of a keeper whose service is stuck.
var errLeft = errors.New("left behind")

// run does one run of the service, and returns how it ended.
func (k *keeper) run(life context.Context, first bool) error {
	if life.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithCancelCause(life)
	defer cancel(nil)
	k.begin(first)
	result := make(chan error, 1)
	ready := context.WithValue(ctx, readyKey{}, sync.OnceFunc(func() { k.up(ctx) }))
	go pprof.Do(ready, pprof.Labels(label, k.label()), func(ctx context.Context) { safely(ctx, k.Service, result) })
	patience := time.After(k.Patience)
	for {
		select {
		case err := <-result:
			return err
		case <-patience:
			k.late()
		case <-k.kick:
			return k.recall(life, cancel, result)
		case <-life.Done():
			return k.recall(life, cancel, result)
		}
	}
}

// recall stops a run and waits for it: for a restart as long as it takes, at the end as long as its grace.
func (k *keeper) recall(life context.Context, cancel context.CancelCauseFunc, result <-chan error) error {
	over := life.Done()
	if life.Err() != nil {
		over = nil // seen already
	}
	cancel(ErrRestart)
	k.enter(Stopping, nil)
	grace, stuck := time.After(k.Grace), false
	for {
		select {
		case err := <-result:
			if life.Err() == nil && !errors.Is(err, ErrFatal) {
				return ErrRestart
			}
			return err
		case <-grace:
			k.stuck()
			stuck = true
		case <-over:
			over = nil
		}
		if stuck && life.Err() != nil {
			return errLeft
		}
	}
}

// wait sleeps until over fires, someone wants a restart, or the life ends.
func (k *keeper) wait(ctx context.Context, over <-chan time.Time) {
	select {
	case <-over:
	case <-k.kick:
	case <-ctx.Done():
	}
}

func (k *keeper) restart() {
	select {
	case k.kick <- struct{}{}:
	default: // one wish is enough
	}
}

// safely runs s and sends how it ended, whatever it does to its goroutine.
func safely(ctx context.Context, s Service, result chan<- error) {
	err := errors.New("ended its goroutine by runtime.Goexit")
	defer func() {
		if p := recover(); p != nil {
			err = &Panic{p, string(debug.Stack())}
		}
		result <- err
	}()
	err = s.Serve(ctx)
}

func unlessCancelled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
