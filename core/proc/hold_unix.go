//go:build unix && !linux

package proc

import "syscall"

func onOneThread() (undo func()) { return func() {} }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// leash is the child's process group, and the guard that outlives Solo.
type leash struct {
	pgid  int
	guard *guard
}

func hold(pid int) leash { return leash{pid, watch(pid)} }

func (l leash) ask()     { _ = syscall.Kill(-l.pgid, syscall.SIGTERM) } // gone is as good
func (l leash) kill()    { _ = syscall.Kill(-l.pgid, syscall.SIGKILL) }
func (l leash) release() { l.guard.dismiss() }
