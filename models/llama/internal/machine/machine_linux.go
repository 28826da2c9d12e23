package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func cores() int { return coresIn("/sys/devices/system/cpu") }

// coresIn counts different groups of threads that share a core.
func coresIn(dir string) int {
	files, _ := filepath.Glob(filepath.Join(dir, "cpu[0-9]*", "topology", "thread_siblings_list"))
	groups := map[string]bool{}
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil {
			groups[strings.TrimSpace(string(text))] = true
		}
	}
	return len(groups)
}

func memory() int64 { return memoryIn("/proc/meminfo", "/sys/fs/cgroup/memory.max") }

// memoryIn is the smaller of what the computer has and what its container may use.
func memoryIn(meminfo, limit string) int64 {
	total := int64(0)
	text, _ := os.ReadFile(meminfo)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kib, _ := strconv.ParseInt(f[1], 10, 64)
			total = max(0, min(kib, 1<<50)) << 10
		}
	}
	text, _ = os.ReadFile(limit)
	if most, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && most > 0 && (total == 0 || most < total) {
		return most
	}
	return total
}
