package machine

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel      = windows.NewLazySystemDLL("kernel32.dll")
	information = kernel.NewProc("GetLogicalProcessorInformationEx")
	status      = kernel.NewProc("GlobalMemoryStatusEx")
)

const relationCore = 0 // RelationProcessorCore

// cores counts the records that Windows gives, one a core, each with its length in its second word.
func cores() int {
	var size uint32
	if information.Find() != nil {
		return 0
	}
	_, _, _ = information.Call(relationCore, 0, uintptr(unsafe.Pointer(&size))) // fails, and tells the size
	if size == 0 || size > 1<<20 {
		return 0
	}
	b := make([]byte, size)
	if ok, _, _ := information.Call(relationCore, uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&size))); ok == 0 {
		return 0
	}
	n := 0
	for at := uint32(0); at+8 <= size; n++ {
		length := binary.LittleEndian.Uint32(b[at+4:])
		if length < 8 {
			return 0
		}
		at += length
	}
	return n
}

func memory() int64 {
	var m struct {
		size, load                                                            uint32
		total, free, totalPage, freePage, totalVirtual, freeVirtual, freeMore uint64
	}
	m.size = uint32(unsafe.Sizeof(m))
	if status.Find() != nil {
		return 0
	}
	if ok, _, _ := status.Call(uintptr(unsafe.Pointer(&m))); ok == 0 {
		return 0
	}
	return int64(m.total)
}
