package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// process is a started program which nobody but us waits for.
type process struct {
	cmd   *exec.Cmd
	leash leash
	dead  chan struct{} // closed when it and its group are gone
	err   error         // how it ended, once dead
}

// start runs cmd in a group of its own that dies with Solo. The calling goroutine must be locked to
// its thread by onOneThread, and stay so while the program runs.
func start(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = 500 * time.Millisecond // for what its own children keep open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, leash: hold(cmd.Process.Pid), dead: make(chan struct{})}
	go func() {
		defer close(p.dead)
		p.err = cmd.Wait()
		p.leash.kill() // what is left of its group
		p.leash.release()
	}()
	return p, nil
}

// end asks the program to end, kills it after grace, and returns how it ended.
func (p *process) end(grace time.Duration) error {
	select {
	case <-p.dead:
		return p.err
	default:
	}
	p.leash.ask()
	select {
	case <-p.dead:
	case <-time.After(grace):
		p.leash.kill()
		<-p.dead
	}
	return p.err
}

// environ is Solo's own environment with more added, nil for no more.
func environ(more []string) []string {
	if more == nil {
		return nil
	}
	return append(os.Environ(), more...)
}

func baseName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}
