//go:build unix

package apps

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// start starts a program in a session of its own, so that it goes on when Solo ends. It lives as long as the user
// wants: what waits here for its end only keeps the system from keeping its remains.
func start(c Command) error {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if cmd.Dir = c.Dir; c.Dir == "" {
		cmd.Dir, _ = os.UserHomeDir() // "" is where Solo is
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// environment is Solo's own without what may be a key.
func environment() []string {
	var env []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		if !private(name) {
			env = append(env, e)
		}
	}
	return env
}

func private(name string) bool {
	if strings.HasPrefix(name, "SOLO_") {
		return true
	}
	for _, part := range []string{"_KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
