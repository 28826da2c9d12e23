package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// stat is one process.
type stat struct {
	pid   int
	ticks int64 // of the processor, its dead children's included
}

// family is a process and all that came of it.
func family(pid int) (all []stat) {
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		s, ok := readStat(fmt.Sprintf("/proc/%d/stat", todo[0]))
		if !ok {
			continue
		}
		all = append(all, s)
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", todo[0])) // the pattern is good
		for _, list := range lists {
			text, _ := os.ReadFile(list) // a thread that ended has no children
			for _, f := range strings.Fields(string(text)) {
				child, _ := strconv.Atoi(f)
				todo = append(todo, child)
			}
		}
	}
	return all
}

// readStat reads /proc/PID/stat, in which the second field is a name that may hold anything but is closed by the last parenthesis.
func readStat(path string) (stat, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return stat{}, false // it ended meanwhile
	}
	pid, _, _ := strings.Cut(string(text), " ")
	f := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
	if len(f) < 15 {
		return stat{}, false
	}
	s := stat{}
	s.pid, _ = strconv.Atoi(pid)
	for _, v := range f[11:15] { // utime, stime, cutime, cstime
		n, _ := strconv.ParseInt(v, 10, 64)
		s.ticks += n
	}
	return s, s.pid > 0
}

// ticksPerSecond is USER_HZ, the same on every Linux that Go runs on.
const ticksPerSecond = 100

// busy is how much of one core a process and its children used for a time, in percent.
func busy(ctx context.Context, pid int, length time.Duration) (float64, error) {
	sum := func() (n int64) {
		for _, s := range family(pid) {
			n += s.ticks
		}
		return n
	}
	before, began := sum(), time.Now()
	select {
	case <-time.After(length):
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	after := sum()
	if before == 0 || after < before {
		return 0, fmt.Errorf("process %d could not be watched", pid)
	}
	return 100 * float64(after-before) / ticksPerSecond / time.Since(began).Seconds(), nil
}

// resident is the memory of a process and its children in MB (10^6 bytes). What they share counts for each; a child
// that has not yet become another program has no memory of its own (Go makes children by vfork).
func resident(pid int) (mb float64) {
	own, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	for _, s := range family(pid) {
		if exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", s.pid)); s.pid != pid && exe == own {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.pid))
		f := strings.Fields(string(text))
		if err != nil || len(f) < 2 {
			continue // it ended meanwhile
		}
		pages, _ := strconv.ParseFloat(f[1], 64)
		mb += pages * float64(os.Getpagesize()) / 1e6
	}
	return mb
}

// grown is the most memory that a process itself ever had, in MB.
func grown(pid int) float64 {
	var kb float64
	if _, err := fmt.Sscanf(procField(fmt.Sprintf("/proc/%d/status", pid), "VmHWM"), "%f kB", &kb); err != nil {
		return math.NaN()
	}
	return kb * 1024 / 1e6
}

// watch samples the memory of a process and its children every 10 ms until stop is called, which gives the most.
func watch(pid int) (stop func() float64) {
	end, most := make(chan struct{}), make(chan float64)
	go func() {
		top := 0.0
		for {
			top = max(top, resident(pid))
			select {
			case <-end:
				most <- top
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func() float64 {
		close(end)
		return <-most
	}
}
