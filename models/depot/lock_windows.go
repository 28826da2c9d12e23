package depot

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the file's first byte for this open file; false where another has it.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir has nothing to do: the file system keeps a journal of names.
func syncDir(string) error { return nil }
