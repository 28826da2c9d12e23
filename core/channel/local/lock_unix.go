//go:build unix

package local

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the whole file for this process; the system frees it when the process ends, however it ends.
func lockFile(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
