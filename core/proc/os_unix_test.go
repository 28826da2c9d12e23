//go:build unix

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const hasGuard = true

func setGuard(pgid int) { watch(pgid) }

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill9(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// alive is false for a zombie, which some init programs leave lying.
func alive(pid int) bool {
	if state, _ := procStat(fmt.Sprint(pid)); state != "" {
		return state != "Z"
	}
	return syscall.Kill(pid, 0) == nil
}

// noChildren fails if this process has a child left, be it a zombie.
func noChildren(t *testing.T) {
	t.Helper()
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		if state, parent := procStat(filepath.Base(d)); parent == fmt.Sprint(os.Getpid()) {
			t.Errorf("child %s is left, state %s", filepath.Base(d), state)
		}
	}
}

// procStat reads /proc; both are "" where there is none.
func procStat(pid string) (state, parent string) {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return "", ""
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	return f[0], f[1]
}
