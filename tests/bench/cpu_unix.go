//go:build unix

package main

import (
	"syscall"
	"time"
)

// spent is the processor's time of this process, its children apart.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
