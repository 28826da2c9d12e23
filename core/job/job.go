// Package job does long work in the background: it is kept in rows, goes on after a restart, and can be cancelled.
//
//	queued -> running -> done, failed
//	             |  ^
//	             v  | (Wake, or nobody answered in time)
//	          waiting for the user's approval
//	queued, running, waiting -> cancelled
//
// Rows are the truth: what is running in them while no Serve runs was broken off, and the next Serve takes it up from what
// it saved last. A job that was broken off five times without getting further has failed, so that work that brings the
// program down does not do so for ever. A panic ends only its own job.
//
// A job runs under the models.Origin of who started it, so that a guest's job may do no more than the guest; its Channel is
// "job" where nobody set one. Jobs are safe for use by several goroutines; one program at a time serves the rows.
package job

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// State is where a job stands.
type State string

const (
	Queued    State = "queued"
	Running   State = "running"
	Waiting   State = "waiting" // for the user's approval
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Over tells whether a job in this state stays in it.
func (s State) Over() bool { return s == Done || s == Failed || s == Cancelled }

// Job is one piece of work.
type Job struct {
	ID       int64           `json:"id"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"` // for the user: "summarizing the lease"
	Input    json.RawMessage `json:"input,omitempty"`
	Saved    json.RawMessage `json:"saved,omitempty"` // nil before the first Save
	State    State           `json:"state"`
	Progress float64         `json:"progress"`           // 0 to 1
	Doing    string          `json:"doing,omitempty"`    // what it does just now
	Result   *models.Result  `json:"result,omitempty"`   // once it waits or is over
	Why      string          `json:"why,omitempty"`      // it failed
	Approval string          `json:"approval,omitempty"` // that it waits for, or was run again for
	Origin   models.Origin   `json:"origin"`             // who asked for it
	Tries    int             `json:"tries"`              // starts since it got further
	Created  time.Time       `json:"created"`
	Changed  time.Time       `json:"changed"`
}

// Errors of jobs.
var (
	ErrUnknown   = errors.New("no such job")
	ErrKind      = errors.New("no such kind of job")
	ErrMany      = errors.New("too many jobs are at work already")
	ErrOver      = errors.New("the job is over already")
	ErrCancelled = errors.New("the job was cancelled")
	ErrTooOften  = errors.New("it was broken off too often")
	ErrPanic     = errors.New("the job broke")
	errStopping  = errors.New("the program is ending")
)

// Rows keep jobs. What a method changes is on the disk when it returns.
type Rows interface {
	Insert(ctx context.Context, j Job) (Job, error) // under a new ID
	Put(ctx context.Context, j Job) error           // over the one of its ID
	Get(ctx context.Context, id int64) (Job, error) // or ErrUnknown
	List(ctx context.Context, n int) ([]Job, error) // the last n, the newest first
	In(ctx context.Context, s State) ([]Job, error) // the oldest first
}

// Kind does the work of one kind of job. It returns soon after ctx ends, and begins with what Run.Saved holds. A Result
// whose Ask has an Approval lets the job wait for it; then the Kind is run again.
type Kind func(ctx context.Context, r *Run) (models.Result, error)

// Changed says that a job came into another state or got further. What it holds is private.
type Changed struct{ Job Job }

// Ended says that a job is done, failed or cancelled. Result.Say is for the user, but for a cancelled one.
type Ended struct{ Job Job }

// Config is what Jobs are made of.
type Config struct {
	Rows  Rows             `toml:"-"`
	Kinds map[string]Kind  `toml:"-"`
	Bus   *bus.Bus         `toml:"-"` // gets Changed and Ended; nil for none
	Log   zerolog.Logger   `toml:"-"`
	Now   func() time.Time `toml:"-"` // nil is time.Now

	AtOnce   int           `toml:"at_once" default:"2" min:"1" max:"32" doc:"jobs that run at the same time"`
	Patience time.Duration `toml:"patience" default:"90s" min:"60s" max:"24h" doc:"how long a job waits for a yes or no before it goes on without one"`
}
