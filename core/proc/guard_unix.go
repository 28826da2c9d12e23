//go:build unix

package proc

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard is a shell that reads from a pipe which only Solo holds open. When Solo dies, however that
// happens, the read ends and the shell kills the child's group. It needs no signal from the kernel.
type guard struct {
	shell *exec.Cmd
	hand  *os.File
}

// watch sets a guard over a process group; nil where there is no shell.
func watch(pgid int) *guard {
	r, hand, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	sh := exec.Command("/bin/sh", "-c", `read -r x; kill -s KILL -- "-$1"`, "guard", strconv.Itoa(pgid))
	sh.Stdin = r
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // deaf to the terminal's Ctrl-C
	if err := sh.Start(); err != nil {
		hand.Close()
		return nil
	}
	return &guard{sh, hand}
}

// dismiss ends the guard without a deed.
func (g *guard) dismiss() { //nolint:unused // where the kernel holds children, only tests make a guard
	if g == nil {
		return
	}
	_ = g.shell.Process.Kill()
	_ = g.shell.Wait() // it always says "killed"
	g.hand.Close()
}
