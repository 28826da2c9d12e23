//go:build unix

package modelstest

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processor until now.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
