package proc

import (
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/windows"
)

const hasGuard = false // the Job Object needs none

func setGuard(int)       {}
func ownGroup(*exec.Cmd) {}

func kill9(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	e, err := windows.WaitForSingleObject(h, 0)
	return err == nil && e == uint32(windows.WAIT_TIMEOUT)
}

func noChildren(*testing.T) {} // Windows has no zombies
