package store

import "context"

// Tally counts what is kept for the user.
type Tally struct {
	Facts     int64
	Tasks     int64 // open ones
	Timers    int64 // that wait or ring, alarms with them
	Reminders int64 // that wait or ring
}

// Tally counts what is kept.
func (s *Store) Tally(ctx context.Context) (Tally, error) {
	t, err := s.own.Tally(ctx)
	return Tally(t), err
}
