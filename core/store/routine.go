package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Routines is routine.Rows.
type Routines struct{ own *rows.Own }

var _ routine.Rows = Routines{}

// Routines lends the rows to package routine.
func (s *Store) Routines() Routines { return Routines{s.own} }

// Put stores a routine.
func (r Routines) Put(ctx context.Context, in routine.Routine) (routine.Routine, error) {
	actions, err := json.Marshal(append([]routine.Action{}, in.Actions...)) // [] for none
	if err != nil {
		return routine.Routine{}, fmt.Errorf("writing the actions of a routine: %w", err)
	}
	row, err := r.own.PutRoutine(ctx, rows.Routine{ID: in.ID, Name: in.Name, Actions: string(actions), Model: in.Model,
		Created: rows.Millis(in.Created), Ran: rows.Maybe(in.Ran)})
	if err != nil {
		return routine.Routine{}, absent(err, routine.ErrUnknown)
	}
	return routineOf(row)
}

func routineOf(row rows.Routine) (routine.Routine, error) {
	out := routine.Routine{ID: row.ID, Name: row.Name, Model: row.Model, Created: rows.Time(row.Created), Ran: rows.Time(row.Ran.Int64)}
	if err := json.Unmarshal([]byte(row.Actions), &out.Actions); err != nil {
		return routine.Routine{}, fmt.Errorf("reading the actions of routine %d: %w", row.ID, err)
	}
	return out, nil
}

// List gives all routines, the oldest first.
func (r Routines) List(ctx context.Context) ([]routine.Routine, error) {
	list, err := r.own.Routines(ctx)
	if err != nil {
		return nil, err
	}
	return each(list, routineOf)
}

// Remove takes a routine away, or says routine.ErrUnknown.
func (r Routines) Remove(ctx context.Context, id int64) error {
	return absent(r.own.RemoveRoutine(ctx, id), routine.ErrUnknown)
}

// Nudges is what the heartbeat has spoken of.
type Nudges struct{ own *rows.Own }

// Nudges lends the rows to package brief.
func (s *Store) Nudges() Nudges { return Nudges{s.own} }

// Told lists what was spoken of since a time.
func (r Nudges) Told(ctx context.Context, since time.Time) ([]string, error) {
	return r.own.Nudges(ctx, rows.Millis(since))
}

// Tell writes down what is about to be spoken of, all or none, and forgets what is older than a time.
func (r Nudges) Tell(ctx context.Context, at, before time.Time, about ...string) error {
	return r.own.PutNudges(ctx, rows.Millis(at), rows.Millis(before), about...)
}
