package unpack

import "syscall"

// noExecFlag is ST_NOEXEC of statvfs(3).
const noExecFlag = 8

// noExec says whether programs and libraries may not run from dir.
func noExec(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Flags&noExecFlag != 0
}
