package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func system() source { return win{} }

// win asks kernel32 and the registry.
type win struct{ reach }

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	globalMemoryStatusEx = kernel32.NewProc("GlobalMemoryStatusEx")
	getSystemPowerStatus = kernel32.NewProc("GetSystemPowerStatus")
)

func (win) cpu(context.Context) (processor, error) {
	p := processor{Cores: runtime.NumCPU(), Busy: -1}
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return p, nil // without its name
	}
	defer key.Close()
	name, _, _ := key.GetStringValue("ProcessorNameString") // "" where it is not told
	p.Name = strings.Join(strings.Fields(strings.NewReplacer("(R)", "", "(TM)", "", " CPU", "").Replace(name)), " ")
	return p, nil
}

func (win) memory() (memory, error) {
	// MEMORYSTATUSEX
	s := struct {
		length, load                                                                     uint32
		total, free, totalPage, freePage, totalVirtual, freeVirtual, freeExtendedVirtual uint64
	}{}
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, err := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return memory{}, fmt.Errorf("asking for memory: %w", err)
	}
	return memory{int64(s.total), int64(s.free)}, nil
}

func (win) disks() ([]disk, error) {
	mask, err := windows.GetLogicalDrives()
	if err != nil {
		return nil, err
	}
	var all []disk
	for i := range 26 {
		root := string(rune('A'+i)) + `:\`
		path, err := windows.UTF16PtrFromString(root)
		if mask&(1<<i) == 0 || err != nil || windows.GetDriveType(path) != windows.DRIVE_FIXED {
			continue
		}
		var free, total, whole uint64
		if windows.GetDiskFreeSpaceEx(path, &free, &total, &whole) == nil {
			all = append(all, disk{root[:2], int64(total), int64(free)})
		}
	}
	return all, nil
}

func (win) battery() (battery, error) {
	// SYSTEM_POWER_STATUS
	var s struct {
		line, flag, percent, saver byte
		left, full                 uint32
	}
	if ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return battery{}, errors.Join(errUnknown, err)
	}
	const none, unknown, charging = 128, 255, 8
	if s.flag == unknown || s.percent > 100 {
		return battery{}, errUnknown
	}
	if s.flag&none != 0 {
		return battery{}, os.ErrNotExist
	}
	b := battery{Percent: int(s.percent)}
	switch {
	case s.flag&charging != 0:
		b.State = "charging"
	case s.line == 0:
		b.State = "discharging"
	}
	return b, nil
}

func (win) uptime() (time.Duration, error) { return windows.DurationSinceBoot(), nil }
