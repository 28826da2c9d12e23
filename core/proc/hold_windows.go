package proc

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

func onOneThread() (undo func()) { return func() {} }

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// leash is a Job Object that holds the child and its children. Windows ends them all when the job's
// last handle is closed, which it does itself when Solo dies.
type leash struct {
	pid     int
	job     windows.Handle // 0 where the system gave none
	process windows.Handle // 0 where the system gave none
}

func hold(pid int) leash {
	l := leash{pid: pid}
	access := uint32(windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE)
	var err error
	if l.process, err = windows.OpenProcess(access, false, uint32(pid)); err != nil {
		return leash{pid: pid} // it has died already
	}
	if l.job, err = newJob(); err != nil {
		return l
	}
	if err := windows.AssignProcessToJobObject(l.job, l.process); err != nil {
		windows.CloseHandle(l.job)
		l.job = 0
	}
	return l
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func (l leash) ask() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(l.pid)) }

func (l leash) kill() {
	switch {
	case l.job != 0:
		_ = windows.TerminateJobObject(l.job, 1)
	case l.process != 0:
		_ = windows.TerminateProcess(l.process, 1)
	}
}

func (l leash) release() {
	for _, h := range []windows.Handle{l.job, l.process} {
		if h != 0 {
			windows.CloseHandle(h)
		}
	}
}
