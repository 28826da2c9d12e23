package supervise

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"time"
)

// set changes the status under the lock; the caller holds telling if Watch is to hear of it.
func (k *keeper) set(change func(*Status)) Status {
	k.tree.mu.Lock()
	defer k.tree.mu.Unlock()
	change(&k.status)
	return k.status
}

func (k *keeper) stat() Status { return k.set(func(*Status) {}) }

// tell makes a change, and tells Watch if ok agreed to it.
func (k *keeper) tell(ok func(Status) bool, change func(*Status)) {
	k.tree.telling.Lock()
	defer k.tree.telling.Unlock()
	if !ok(k.stat()) {
		return
	}
	now := k.set(func(s *Status) { change(s); s.Since = time.Now() })
	k.tree.conf.Watch(now)
	if now.State != Starting {
		k.settle()
	}
}

func always(Status) bool { return true }

// begin marks the start of a run. A wish to restart that came earlier is thereby granted.
func (k *keeper) begin(first bool) {
	select {
	case <-k.kick:
	default:
	}
	k.tell(always, func(s *Status) {
		s.State, s.Stack = Starting, ""
		if !first {
			s.Restarts++
		}
	})
}

// enter goes to a state; err is kept when it is not nil.
func (k *keeper) enter(state State, err error) {
	k.tell(always, func(s *Status) {
		s.State = state
		if err != nil {
			s.Err = err
		}
	})
}

// up is what Ready calls; run is the ctx of the run that became ready, which may be over.
func (k *keeper) up(run context.Context) {
	k.tell(func(s Status) bool { return run.Err() == nil && (s.State == Starting || s.State == Late) },
		func(s *Status) { s.State = Up })
}

func (k *keeper) late() {
	k.tell(func(s Status) bool { return s.State == Starting }, func(s *Status) { s.State = Late })
}

func (k *keeper) stuck() {
	stack := stacks(k.label())
	k.tell(always, func(s *Status) {
		s.State, s.Stack = Stuck, stack
		s.Err = fmt.Errorf("%w within %v", ErrStuck, k.Grace)
	})
}

// label marks a service's goroutines, for the report of a stuck one and for CPU profiles.
const label = "service"

func (k *keeper) label() string { return k.tree.conf.Name + "/" + k.name }

// stacks returns what the goroutines marked with name are doing, those that the service itself started included.
func stacks(name string) string {
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
		return err.Error()
	}
	mark := fmt.Sprintf("%q:%q", label, name)
	var found []string
	for block := range strings.SplitSeq(all.String(), "\n\n") {
		if _, rest, ok := strings.Cut(block, mark); ok {
			_, lines, _ := strings.Cut(rest, "\n")
			found = append(found, strings.TrimSpace(lines))
		}
	}
	return strings.Join(found, "\n\n")
}
