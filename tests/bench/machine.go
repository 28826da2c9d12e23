package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine describes what it was measured on, in one line.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s, %s/%s, %s", processor(), runtime.NumCPU(), memory(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

func processor() string {
	if model := procField("/proc/cpuinfo", "model name"); model != "" {
		return model
	}
	return "unknown processor"
}

func memory() string {
	var kb int
	if _, err := fmt.Sscanf(procField("/proc/meminfo", "MemTotal"), "%d kB", &kb); err != nil {
		return "unknown memory"
	}
	return fmt.Sprintf("%.0f GB of memory", float64(kb)/(1<<20))
}

// procField is the first value of a key in a file of "key: value" lines, "" where it is not there.
func procField(path, key string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// loadAverage is the system's over the last minute.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// commit names the source that was measured; a plus says that it was changed since.
func commit(ctx context.Context) string {
	id, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(id))
	if changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "--", ":!docs").Output(); err != nil || len(changed) > 0 {
		name += "+"
	}
	return name
}
