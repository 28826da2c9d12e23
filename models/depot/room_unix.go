//go:build unix

package depot

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const errDiskFull = unix.ENOSPC

// freeIn is how many bytes this user can still write in a folder that is there.
func freeIn(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // the types differ by system
}

// memory is the computer's, or its container's, where it can be read.
func memory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return otherMemory()
	}
	total := int64(0)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kib, _ := strconv.ParseInt(f[1], 10, 64)
			total = max(0, min(kib, 1<<50)) << 10
		}
	}
	text, _ = os.ReadFile("/sys/fs/cgroup/memory.max")
	if most, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && most > 0 && most < total {
		return most
	}
	return total
}
