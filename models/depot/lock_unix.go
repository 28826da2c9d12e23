//go:build unix

package depot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the whole file for this open file; false where another has it.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// syncDir makes sure that a folder's names outlive a power failure.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	_ = f.Sync() // not every file system can
	return nil
}
