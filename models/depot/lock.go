package depot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const lookAgain = 100 * time.Millisecond

// lock waits until this process alone has name, and calls busy once when another has it. The system frees a lock when
// its process ends, however it ends; the files of locks stay, because one that is removed can be had twice.
func (d *Depot) lock(ctx context.Context, name string, busy func()) (unlock func(), err error) {
	if err := os.MkdirAll(d.locks(), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for locks: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(d.locks(), name+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	for {
		taken, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", name, err)
		}
		if taken {
			return func() { f.Close() }, nil
		}
		if busy != nil {
			busy()
			busy = nil
		}
		if d.pause(ctx, lookAgain); ctx.Err() != nil {
			f.Close()
			return nil, context.Cause(ctx)
		}
	}
}
