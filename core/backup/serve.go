package backup

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/store/rows"
)

const (
	each     = 24 * time.Hour
	lookEach = 10 * time.Minute // by the wall clock, so that a night's sleep is noticed
	againIn  = time.Hour        // after a failure
	firstIn  = 2 * time.Minute  // after the start, which has better things to do
)

// Serve makes a backup every day until ctx ends, and removes those that are too old. told is given each one, or why there
// is none.
func (v *Vault) Serve(ctx context.Context, db *rows.DB, told func(Backup, error)) error {
	wait := firstIn
	var failed time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		wait = lookEach
		if v.c.Now().Sub(failed) < againIn || !v.Due() {
			continue
		}
		b, err := v.Make(ctx, db)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			_, err = v.Prune()
		}
		if err != nil {
			failed = v.c.Now()
		}
		told(b, err)
	}
}

// Due tells whether the newest backup is a day old, or none can be seen.
func (v *Vault) Due() bool {
	list, err := v.List()
	return err != nil || len(list) == 0 || v.c.Now().Sub(list[0].Made) >= each || list[0].Made.After(v.c.Now().Add(each))
}
