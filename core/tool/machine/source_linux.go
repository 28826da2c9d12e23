package machine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

func system() source { return linux{root: "/", room: statfs} }

// linux reads /proc and /sys.
type linux struct {
	reach
	root string                                           // "/" outside of tests
	room func(path string) (total, free int64, err error) // of the file system that holds path
}

func (l linux) read(path ...string) (string, error) {
	text, err := os.ReadFile(filepath.Join(append([]string{l.root}, path...)...))
	return strings.TrimSpace(string(text)), err
}

// sample is how long the processor is watched.
const sample = 200 * time.Millisecond

func (l linux) cpu(ctx context.Context) (processor, error) {
	p := processor{Cores: runtime.NumCPU(), Busy: -1}
	info, err := l.read("proc", "cpuinfo")
	if err != nil {
		return p, err
	}
	p.Name = model(info)
	if text, err := l.read("proc", "loadavg"); err == nil {
		first, _, _ := strings.Cut(text, " ")
		p.Load, _ = strconv.ParseFloat(first, 64) // 0 where it is odd
	}
	idle1, all1, ok1 := l.ticks()
	timer := time.NewTimer(sample)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return p, context.Cause(ctx)
	}
	idle2, all2, ok2 := l.ticks()
	if ok1 && ok2 && all2 > all1 && idle2 >= idle1 {
		p.Busy = 100 * (1 - float64(idle2-idle1)/float64(all2-all1))
	}
	return p, nil
}

// model is the processor's name without marks and clock rates.
func model(info string) string {
	for row := range strings.SplitSeq(info, "\n") {
		key, value, _ := strings.Cut(row, ":")
		if key = strings.TrimSpace(key); key == "model name" || key == "Model" {
			value, _, _ = strings.Cut(value, "@")
			value = strings.NewReplacer("(R)", "", "(TM)", "", "(r)", "", "(tm)", "", " CPU", "", " Processor", "").Replace(value)
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// ticks are those that the processor has spent, with waiting counted as idle.
func (l linux) ticks() (idle, all uint64, ok bool) {
	text, err := l.read("proc", "stat")
	if err != nil {
		return 0, 0, false
	}
	row, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(row)
	if len(fields) < 6 || fields[0] != "cpu" {
		return 0, 0, false
	}
	for i, f := range fields[1:min(len(fields), 9)] { // guests are within user
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0, 0, false
		}
		all += n
		if i == 3 || i == 4 {
			idle += n
		}
	}
	return idle, all, true
}

func (l linux) memory() (memory, error) {
	text, err := l.read("proc", "meminfo")
	if err != nil {
		return memory{}, err
	}
	m := memory{Free: -1}
	for row := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(row)
		if len(fields) < 2 {
			continue
		}
		n, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "MemTotal:":
			m.Total = n << 10
		case "MemAvailable:":
			m.Free = n << 10
		}
	}
	if m.Total == 0 {
		return m, fmt.Errorf("reading /proc/meminfo: %w", errUnknown)
	}
	return m, nil
}

// disks are the main one, and those of the user's that are mounted beside it.
func (l linux) disks() ([]disk, error) {
	text, err := l.read("proc", "mounts")
	if err != nil {
		return nil, err
	}
	var all []disk
	seen := map[string]bool{}
	for row := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(row)
		if len(fields) < 3 || seen[fields[0]] || !worth(fields[1]) {
			continue
		}
		path := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(fields[1])
		total, free, err := l.room(path)
		if err != nil || total == 0 {
			continue // it does not answer, or holds nothing
		}
		seen[fields[0]] = true
		all = append(all, disk{path, total, free})
	}
	return all, nil
}

// worth tells of which mounts the user would want to know.
func worth(path string) bool {
	if path == "/" || path == "/home" {
		return true
	}
	for _, below := range []string{"/media/", "/run/media/", "/mnt/", "/data"} {
		if strings.HasPrefix(path, below) {
			return true
		}
	}
	return path == "/mnt"
}

func statfs(path string) (total, free int64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, 0, err
	}
	unit := int64(s.Bsize) //nolint:unconvert // 32 bits wide on some processors
	return int64(s.Blocks) * unit, int64(s.Bavail) * unit, nil
}

// errNoBattery is not errUnknown: it is known that there is none.
var errNoBattery = fmt.Errorf("no battery: %w", os.ErrNotExist)

func (l linux) battery() (battery, error) {
	supplies, err := os.ReadDir(filepath.Join(l.root, "sys", "class", "power_supply"))
	if err != nil {
		return battery{}, errNoBattery
	}
	for _, s := range supplies {
		kind, _ := l.read("sys", "class", "power_supply", s.Name(), "type") // "" is no battery
		scope, _ := l.read("sys", "class", "power_supply", s.Name(), "scope")
		if kind != "Battery" || scope == "Device" { // a mouse has one too
			continue
		}
		text, err := l.read("sys", "class", "power_supply", s.Name(), "capacity")
		if err != nil {
			continue
		}
		percent, err := strconv.Atoi(text)
		if err != nil {
			continue
		}
		state, _ := l.read("sys", "class", "power_supply", s.Name(), "status") // "" is unknown
		state = strings.ToLower(state)
		if state == "not charging" {
			state = "" // plugged in, and held below full
		}
		return battery{min(max(percent, 0), 100), state}, nil
	}
	return battery{}, errNoBattery
}

func (l linux) uptime() (time.Duration, error) {
	text, err := l.read("proc", "uptime")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(text, " ")
	seconds, err := strconv.ParseFloat(first, 64)
	if err != nil || seconds < 0 {
		return 0, fmt.Errorf("reading /proc/uptime: %w", errUnknown)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
