//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// servant is who runs the server where we are root, whom it refuses.
func servant() (uid, gid int) {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, errU := strconv.Atoi(u.Uid)
			gid, errG := strconv.Atoi(u.Gid)
			if errU == nil && errG == nil {
				return uid, gid
			}
		}
	}
	return 65534, 65534
}

func give(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid := servant()
	return os.Chown(dir, uid, gid)
}

func lower(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the test, which ends the server
	if os.Geteuid() == 0 {
		uid, gid := servant()
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}
