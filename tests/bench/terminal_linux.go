package main

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// terminal opens a terminal at which nobody types. Solo shows its turns to whoever sits at one.
func terminal() (in *os.File, closeAll func(), err error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	var unlock, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); code != 0 {
			_ = master.Close()
			return nil, nil, fmt.Errorf("open a terminal: %w", code)
		}
	}
	in, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		_ = master.Close()
		return nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	return in, func() { _, _ = in.Close(), master.Close() }, nil
}
