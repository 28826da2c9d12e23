// Command solow starts solo.exe, which lies beside it, with the same arguments and without a window, and ends when it
// ends. Windows opens a console for solo.exe at login otherwise.
package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const noWindow = 0x08000000 // CREATE_NO_WINDOW

func main() { os.Exit(run()) }

func run() int {
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(self), "solo.exe"), os.Args[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: noWindow}
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return 1
	}
	return 0
}
