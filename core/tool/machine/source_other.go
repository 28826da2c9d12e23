//go:build !linux && !darwin && !windows

package machine

import (
	"context"
	"runtime"
	"time"
)

func system() source { return other{} }

// other is a system that tells little.
type other struct{ reach }

func (other) cpu(context.Context) (processor, error) {
	return processor{Cores: runtime.NumCPU(), Busy: -1}, nil
}

func (other) memory() (memory, error)        { return memory{}, errUnknown }
func (other) disks() ([]disk, error)         { return nil, errUnknown }
func (other) battery() (battery, error)      { return battery{}, errUnknown }
func (other) uptime() (time.Duration, error) { return 0, errUnknown }
