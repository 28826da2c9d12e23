package job

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// Run is one run of a job, for its Kind.
type Run struct {
	ID int64
	// Approval is what the job waited for before this run, "" where it did not. It may be granted, refused or too old.
	Approval string

	jobs  *Jobs
	input json.RawMessage
	mu    sync.Mutex
	saved json.RawMessage
}

// Input is what the job was started with, as JSON.
func (r *Run) Input() json.RawMessage { return r.input }

// Saved is the state of the last Save, nil before the first.
func (r *Run) Saved() json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.saved
}

// Save keeps from where to go on after a restart. State is anything fit for JSON, progress 0 to 1, doing a few words for the
// user. The state is on the disk when Save returns. It fails when the job was cancelled.
func (r *Run) Save(ctx context.Context, state any, progress float64, doing string) error {
	text, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("saving job %d: %w", r.ID, err)
	}
	if !(progress >= 0) { // also what is no number
		progress = 0
	}
	kept, err := r.jobs.change(ctx, r.ID, func(x *Job) error {
		if x.State != Running {
			return ErrCancelled
		}
		if string(text) != string(x.Saved) {
			x.Tries = 1
		}
		x.Saved, x.Progress, x.Doing = text, min(progress, 1), short(doing)
		return nil
	})
	if err != nil {
		return fmt.Errorf("saving job %d: %w", r.ID, err)
	}
	r.mu.Lock()
	r.saved = text
	r.mu.Unlock()
	r.jobs.tell(ctx, kept)
	return nil
}
