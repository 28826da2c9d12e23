package proc

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

func onOneThread() (undo func()) { return func() {} }

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED, HideWindow: true}
}

// leash is a Job Object that holds the child and its children. Windows ends them all when the job's
// last handle is closed, which it does itself when Solo dies.
type leash struct {
	pid     int
	job     windows.Handle // 0 where the system gave none
	process windows.Handle // 0 where the system gave none
}

// hold takes the child, which was started suspended, into a job, and lets it run then: one that ran before could outlive a
// Solo that dies in between.
func hold(pid int) leash {
	l := held(pid)
	if err := resume(uint32(pid)); err != nil {
		l.kill() // it would wait for ever
	}
	return l
}

func held(pid int) leash {
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

// resume lets the threads of a suspended process run.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all)
	found := false
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread) // one that runs already does not mind
		windows.CloseHandle(thread)
		if err != nil {
			return err
		}
		found = true
	}
	if !found {
		return err
	}
	return nil
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
