package proc

import (
	"runtime"
	"syscall"
)

// onOneThread ties the goroutine to its thread: the kernel sends Pdeathsig when the thread that
// started the child ends, not when the whole program does.
func onOneThread() (undo func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// leash is the child's process group.
type leash struct{ pgid int }

func hold(pid int) leash { return leash{pid} }

func (l leash) ask()     { _ = syscall.Kill(-l.pgid, syscall.SIGTERM) } // gone is as good
func (l leash) kill()    { _ = syscall.Kill(-l.pgid, syscall.SIGKILL) }
func (l leash) release() {}
