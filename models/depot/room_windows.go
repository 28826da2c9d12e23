package depot

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const errDiskFull = syscall.Errno(112) // ERROR_DISK_FULL

// freeIn is how many bytes this user can still write in a folder that is there.
func freeIn(dir string) (int64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, 1<<62)), nil
}

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                                     uint32
	physical, free, page, freePage, virtual, freeVir uint64
	extended                                         uint64
}

// memory is the computer's, 0 where it cannot be read.
func memory() int64 {
	s := memoryStatus{}
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx").Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int64(min(s.physical, 1<<62))
}
