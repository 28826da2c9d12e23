package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestKilledChildGivesItsLastWords(t *testing.T) {
	c := New(childConfig("stay"))
	_, done := serving(t, c)
	eventually(t, "a word", func() bool { return len(c.LastWords()) > 0 })
	kill9(t, c.Pid())
	e := asExit(t, <-done)
	if _, ok := errors.AsType[*exec.ExitError](e); !ok || !strings.Contains(e.Error(), "stay: ") || !strings.Contains(e.Error(), "here to stay") {
		t.Fatal(e)
	}
	if c.Pid() != 0 {
		t.Error("a dead child keeps its pid")
	}
	stop, _ := serving(t, c) // a second life
	eventually(t, "a word of the second life", func() bool { return len(c.LastWords()) > 0 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	noChildren(t)
}

func TestEndings(t *testing.T) {
	for name, tt := range map[string]struct{ path, part, want string }{
		"fails":   {os.Args[0], "fail", "fail: exit status 3; its last words: model missing / run make voices"},
		"ends":    {os.Args[0], "finish", "finish: ended by itself"},
		"missing": {"no-such-program", "engine", `engine: exec: "no-such-program": executable file not found`},
	} {
		t.Run(name, func(t *testing.T) {
			conf := childConfig(tt.part)
			conf.Path = tt.path
			if err := New(conf).Serve(t.Context()); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	noChildren(t)
}

func TestStopIsPoliteThenFirm(t *testing.T) {
	for part, least := range map[string]time.Duration{"stay": 0, "deaf": 500 * time.Millisecond} {
		c := New(childConfig(part))
		stop, _ := serving(t, c)
		eventually(t, "here to stay", func() bool { return strings.Contains(fmt.Sprint(c.LastWords()), "here") })
		pid, began := c.Pid(), time.Now()
		if err := stop(); err != nil {
			t.Error(part, err)
		}
		if took := time.Since(began); took < least {
			t.Errorf("%s was gone after %v", part, took)
		}
		if alive(pid) {
			t.Errorf("%s is alive", part)
		}
	}
}

func TestHealthGate(t *testing.T) {
	var asked, ready atomic.Int64
	conf := childConfig("stay")
	conf.Every = time.Millisecond
	conf.Ready = func(context.Context) { ready.Add(asked.Load()) }
	conf.Probe = func(context.Context) error {
		if asked.Add(1) < 4 {
			return errors.New("still loading")
		}
		return nil
	}
	stop, _ := serving(t, New(conf))
	eventually(t, "ready", func() bool { return ready.Load() > 0 })
	if err := stop(); err != nil || ready.Load() != 4 {
		t.Error(err, "ready when asked", ready.Load())
	}
}

func TestNeverHealthyOrNoLonger(t *testing.T) {
	for name, tt := range map[string]struct {
		pass int64 // probes that pass
		want string
	}{
		"never":     {0, "stay: not healthy within 30ms: port closed"},
		"no longer": {3, "stay: no longer healthy: port closed"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			conf := childConfig("stay")
			conf.Every, conf.Check, conf.Patience = time.Millisecond, time.Millisecond, 30*time.Millisecond
			conf.Probe = func(context.Context) error {
				if asked.Add(1) > tt.pass {
					return errors.New("port closed")
				}
				return nil
			}
			err := New(conf).Serve(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Error(err)
			}
		})
	}
	noChildren(t)
}

func TestTalk(t *testing.T) {
	var said []string
	ask := func(lines ...string) func(context.Context, io.WriteCloser, io.Reader) error {
		return func(ctx context.Context, in io.WriteCloser, out io.Reader) error {
			answers := bufio.NewScanner(out)
			for _, line := range lines {
				if _, err := fmt.Fprintln(in, line); err != nil {
					return err
				}
				if answers.Scan() {
					said = append(said, answers.Text())
				}
			}
			return answers.Err()
		}
	}
	for name, tt := range map[string]struct {
		talk       func(context.Context, io.WriteCloser, io.Reader) error
		want, said string
	}{
		"over":      {ask("hello", "you"), "upper: the talk with it is over", "[HELLO YOU]"},
		"dies":      {ask("hello", "die", "more"), "upper: exit status 1; its last words: dying", "[HELLO]"},
		"talk errs": {func(context.Context, io.WriteCloser, io.Reader) error { return io.ErrUnexpectedEOF }, "upper: unexpected EOF", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			said = nil
			conf := childConfig("upper")
			conf.Talk = tt.talk
			err := New(conf).Serve(t.Context())
			if err == nil || err.Error() != tt.want || fmt.Sprint(said) != tt.said {
				t.Errorf("%v, said %q", err, said)
			}
		})
	}
	noChildren(t)
}

func TestStopEndsATalkThatOnlyReads(t *testing.T) {
	conf := childConfig("upper")
	reading := make(chan struct{})
	conf.Talk = func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
		close(reading)
		_, err := io.Copy(io.Discard, out)
		return err
	}
	stop, _ := serving(t, New(conf))
	<-reading
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestGrandchildrenGoToo(t *testing.T) {
	c := New(childConfig("family"))
	_, done := serving(t, c)
	var grandchild int
	eventually(t, "grandchild", func() bool {
		for _, w := range c.LastWords() {
			if pid, ok := strings.CutPrefix(w, "grandchild "); ok {
				grandchild, _ = strconv.Atoi(pid)
			}
		}
		return grandchild != 0
	})
	kill9(t, c.Pid())
	asExit(t, <-done)
	eventually(t, "the grandchild's end", func() bool { return !alive(grandchild) })
	noChildren(t)
}

// kill -9 of Solo takes the child along, by the kernel and, elsewhere, by the guard.
func TestChildDiesWithItsParent(t *testing.T) {
	for _, part := range []string{"parent", "guarded"} {
		t.Run(part, func(t *testing.T) {
			if part == "guarded" && !hasGuard {
				t.Skip("skipped: no guard on this system")
			}
			solo := self(part)
			child, err := strconv.Atoi(firstLine(t, solo, "child"))
			if err != nil || !alive(child) {
				t.Fatal(child, err)
			}
			kill9(t, solo.Process.Pid)
			_ = solo.Wait() // it was killed
			eventually(t, "the child's end", func() bool { return !alive(child) })
		})
	}
	noChildren(t)
}
