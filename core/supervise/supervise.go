// Package supervise keeps long jobs running: it starts them in order, restarts
// each on its own patience, and stops them in reverse.
//
// A Tree starts its services one after the other; the next one waits until the last is ready, has
// failed once, or has used up its Patience. A service that fails is tried again after a pause of its
// own, so a flapping one delays no sibling. When the tree's ctx ends, services stop in reverse order;
// one that does not return within its Grace is reported with its stack and left behind.
//
// # Concurrency promises
//
//   - One service runs at most once at any time, each run in a goroutine of its own.
//   - A panic or runtime.Goexit in Serve's goroutine is a failure of that service alone. A panic in a
//     goroutine that the service started ends the process, as always in Go.
//   - Serve returns when every service has returned, apart from those it reports as Stuck.
//   - States and Restart may be called at any time, from Watch too.
package supervise

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Service does one long job until ctx ends, and calls Ready(ctx) once it can serve.
// Returning nil means that the job is finished; an error means try again.
type Service interface {
	String() string // a short name, unique in its tree, without "/"
	Serve(ctx context.Context) error
}

// Keep gives one service its own patience. Zero fields take the tree's.
type Keep struct {
	Service
	Patience time.Duration // how long the start of later services waits for Ready
	Pause    time.Duration // first wait before a retry, doubling up to Longest
	Longest  time.Duration
	Steady   time.Duration // a run this long forgives earlier failures
	Grace    time.Duration // how long it may take to stop
}

// State is where a service is in its life.
type State string

const (
	Idle     State = "idle"     // its turn to start has not come
	Starting State = "starting" // running, not ready yet
	Late     State = "late"     // running, not ready within its patience
	Up       State = "up"       // running and ready
	Waiting  State = "waiting"  // failed, will be tried again
	Done     State = "done"     // finished its job, or failed fatally
	Stopping State = "stopping" // asked to stop
	Stopped  State = "stopped"  // stopped when asked
	Stuck    State = "stuck"    // did not stop in time
)

// Status is one moment in a service's life.
type Status struct {
	Name     string
	State    State
	Since    time.Time // when it came into this state
	Restarts int       // how often it was started again
	Err      error     // why it last failed, nil if it never did; kept when it is up again
	Stack    string    // what a stuck service is doing, else ""
}

// MarshalJSON gives {"name","state","since","restarts","error","stack"}, the last two only if set.
func (s Status) MarshalJSON() ([]byte, error) {
	why := ""
	if s.Err != nil {
		why = s.Err.Error()
	}
	return json.Marshal(struct {
		Name     string    `json:"name"`
		State    State     `json:"state"`
		Since    time.Time `json:"since,omitzero"`
		Restarts int       `json:"restarts"`
		Error    string    `json:"error,omitempty"`
		Stack    string    `json:"stack,omitempty"`
	}{s.Name, s.State, s.Since, s.Restarts, why, s.Stack})
}

// Named errors. Ask with errors.Is.
var (
	ErrFatal   = errors.New("fatal")             // in a service's error, ends the whole tree
	ErrStuck   = errors.New("did not stop")      // from Serve, when a service was left behind
	ErrUnknown = errors.New("no such service")   // from Restart
	ErrRestart = errors.New("restart requested") // the cause of the ctx of a service that Restart stops
)

// Fatal marks err: trying again cannot help, and the whole tree shall end. It reads like err.
func Fatal(err error) error {
	if err == nil {
		return nil
	}
	return fatal{err}
}

type fatal struct{ error }

func (f fatal) Unwrap() []error { return []error{ErrFatal, f.error} }

// Panic is the error of a service that panicked.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

type readyKey struct{}

// Ready says that the service running under ctx can serve. Calls after the first do nothing.
func Ready(ctx context.Context) {
	if f, ok := ctx.Value(readyKey{}).(func()); ok {
		f()
	}
}
