package machine

import (
	"context"
	"encoding/binary"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

func system() source { return darwin{} }

// darwin asks sysctl.
type darwin struct{ reach }

func (darwin) cpu(context.Context) (processor, error) {
	p := processor{Cores: runtime.NumCPU(), Busy: -1}
	p.Name, _ = unix.Sysctl("machdep.cpu.brand_string") // "" where it is not told
	// struct loadavg: three numbers of 32 bits, filler, and what they are to be divided by.
	if raw, err := unix.SysctlRaw("vm.loadavg"); err == nil && len(raw) >= 24 {
		if scale := binary.LittleEndian.Uint64(raw[16:]); scale > 0 {
			p.Load = float64(binary.LittleEndian.Uint32(raw)) / float64(scale)
		}
	}
	return p, nil
}

func (darwin) memory() (memory, error) {
	total, err := unix.SysctlUint64("hw.memsize")
	return memory{Total: int64(total), Free: -1}, err
}

func (darwin) disks() ([]disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs("/", &s); err != nil {
		return nil, err
	}
	return []disk{{"/", int64(s.Blocks) * int64(s.Bsize), int64(s.Bavail) * int64(s.Bsize)}}, nil
}

func (darwin) battery() (battery, error) { return battery{}, errUnknown }

func (darwin) uptime() (time.Duration, error) {
	at, err := unix.SysctlTimeval("kern.boottime")
	if err != nil {
		return 0, err
	}
	return time.Since(time.Unix(at.Unix())), nil
}
