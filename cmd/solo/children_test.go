package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// children are the processes of a name that this process has started, as the kernel tells them.
func children(name string) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // elsewhere than on Linux there are none
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		open, shut := strings.IndexByte(string(text), '('), strings.LastIndexByte(string(text), ')')
		if open < 0 || shut < open || string(text[open+1:shut]) != name {
			continue
		}
		var state string
		var parent int
		if _, err := fmt.Sscan(string(text[shut+1:]), &state, &parent); err != nil || parent != os.Getpid() {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
