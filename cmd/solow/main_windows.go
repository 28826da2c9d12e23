// Command solow starts solo.exe, which lies beside it, with the same arguments and without a window. Windows opens a
// console for solo.exe at login otherwise.
package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const noWindow = 0x08000000 // CREATE_NO_WINDOW

func main() {
	self, err := os.Executable()
	if err != nil {
		os.Exit(1)
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(self), "solo.exe"), os.Args[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: noWindow}
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
	// It is left to itself: how it fares is in its log.
}
