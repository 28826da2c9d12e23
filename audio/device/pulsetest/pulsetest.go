//go:build linux

package pulsetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The names of the devices: those of the server, and those that a program's user sees.
const (
	Mic     = "VirtualMic"     // the default source
	Speaker = "VirtualSpeaker" // the default sink

	micIn  = "vmic_in" // what is played into this sink comes out of the microphone
	source = "vmic"
	sink   = "vspk"
)

// Server is a running PulseAudio server. Its methods end the test where they fail.
type Server struct {
	t   testing.TB
	dir string
	env []string

	mu      sync.Mutex
	daemon  *program
	keepers map[string]*program // by sink
}

// Start runs a server until the end of the test, and sets PULSE_SERVER for the test's own process:
// the test must not be parallel. It skips where PulseAudio is not installed.
func Start(t testing.TB) *Server {
	t.Helper()
	for _, p := range []string{"pulseaudio", "pactl", "pacat", "parec"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("skipped: no %s; install pulseaudio and pulseaudio-utils", p)
		}
	}
	dir, err := os.MkdirTemp("", "pulse") // a socket's path must be short, t.TempDir's is not
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, dir: dir, keepers: map[string]*program{}}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Cleanup(s.Stop)
	for _, kv := range s.vars() {
		k, v, _ := strings.Cut(kv, "=")
		t.Setenv(k, v)
	}
	s.env = append(os.Environ(), "HOME="+dir)
	if prefer(os.Getpid(), first) {
		t.Cleanup(func() { prefer(os.Getpid(), 0) })
	}
	s.up()
	return s
}

func (s *Server) vars() []string {
	return []string{"PULSE_SERVER=unix:" + filepath.Join(s.dir, "native"), "PULSE_RUNTIME_PATH=" + s.dir}
}

// Env is the environment in which a child program finds this server.
func (s *Server) Env() []string { return slices.Clone(s.env) }

// Restart kills the server and brings it up again after a pause, with the same devices.
func (s *Server) Restart(pause time.Duration) {
	s.Stop()
	time.Sleep(pause)
	s.up()
}

// Stop kills the server. Restart or Start brings one up again.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, k := range s.keepers {
		k.kill()
		delete(s.keepers, name)
	}
	if s.daemon != nil {
		s.daemon.kill()
		s.daemon = nil
	}
	_ = os.Remove(filepath.Join(s.dir, "native"))
}

// up starts the server and waits until sound really flows.
func (s *Server) up() {
	s.t.Helper()
	args := []string{"-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no", "--high-priority=no",
		"--disable-shm=yes", "--log-target=stderr",
		"-L", "module-native-protocol-unix auth-anonymous=1 socket=" + filepath.Join(s.dir, "native")}
	s.mu.Lock()
	s.daemon = s.start("pulseaudio", args...)
	s.mu.Unlock()
	for try := 0; ; try++ {
		if _, err := s.pactl("info"); err == nil {
			break
		} else if try > 100 {
			s.t.Fatalf("pulseaudio did not start: %v\n%s", err, s.daemon.said())
		}
		time.Sleep(50 * time.Millisecond)
	}
	// Only the server gets real-time priority, after its start, as it sheds that at the start. It watches
	// itself; its clients do not, and one that spins would stop the whole machine.
	_ = exec.Command("chrt", "-a", "-f", "-p", "30", strconv.Itoa(s.daemon.cmd.Process.Pid)).Run() // as far as allowed
	s.Plug()
	s.Default(Mic)
	s.Default(Speaker)
	s.awaken()
}

// command is a program that finds this server.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = s.env
	return cmd
}

// start runs a program until it is killed.
func (s *Server) start(name string, args ...string) *program {
	s.t.Helper()
	p := &program{cmd: s.command(context.Background(), name, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		s.t.Fatalf("starting %s: %v", name, err)
	}
	prefer(p.cmd.Process.Pid, first)
	go func() {
		_ = p.cmd.Wait() // it is always killed in the end
		close(p.done)
	}()
	return p
}

// first is the niceness of those who handle sound: on a busy machine it has gaps otherwise.
const first = -15

// prefer sets the niceness of all threads of a process, and says whether that is allowed.
func prefer(pid, niceness int) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range threads {
		id, _ := strconv.Atoi(t.Name())
		err = errors.Join(err, syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness))
	}
	return err == nil
}

// program is a child.
type program struct {
	cmd  *exec.Cmd
	log  locked
	done chan struct{}
}

func (p *program) kill() {
	_ = p.cmd.Process.Kill() // where it is gone already, that is fine too
	<-p.done
}

func (p *program) said() string { return p.log.String() }

// locked is a buffer that may be read while a program writes.
type locked struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (s *Server) pactl(args ...string) (string, error) {
	cmd := exec.Command("pactl", args...)
	cmd.Env = s.env
	b, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("pactl %s: %w: %s", strings.Join(args, " "), err, b)
	}
	return strings.TrimSpace(string(b)), nil
}
