package local

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the file's first byte for this process; the system frees it when the process ends.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
}
