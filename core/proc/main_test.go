package proc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary plays the children too: SOLO_TEST_CHILD names the part.
func TestMain(m *testing.M) {
	if part := os.Getenv("SOLO_TEST_CHILD"); part != "" {
		os.Exit(parts[part]())
	}
	goleak.VerifyTestMain(m)
}

var parts = map[string]func() int{
	"stay":    stay,
	"deaf":    func() int { signal.Ignore(syscall.SIGTERM); fmt.Println("no"); return stay() },
	"shout":   func() int { io.WriteString(os.Stdout, strings.Repeat("x", 1<<20)); return 0 },
	"fail":    func() int { fmt.Fprintln(os.Stderr, "model missing\nrun make voices"); return 3 },
	"finish":  func() int { return 0 },
	"upper":   upper,
	"family":  family,
	"parent":  parent,
	"guarded": guarded,
}

func stay() int {
	fmt.Println("here to stay")
	time.Sleep(time.Minute) // a bound, should the test die first
	return 0
}

func upper() int {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if in.Text() == "die" {
			fmt.Fprintln(os.Stderr, "dying")
			return 1
		}
		fmt.Println(strings.ToUpper(in.Text()))
	}
	return 0
}

// family has a child of its own that keeps the same stderr open.
func family() int {
	cmd := self("stay")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return 1
	}
	fmt.Println("grandchild", cmd.Process.Pid)
	return stay()
}

// parent is Solo in small: it runs a child and tells its pid.
func parent() int {
	c := New(childConfig("stay"))
	go func() {
		for c.Pid() == 0 || len(c.LastWords()) == 0 {
			time.Sleep(time.Millisecond)
		}
		fmt.Println("child", c.Pid())
	}()
	fmt.Fprintln(os.Stderr, c.Serve(context.Background()))
	return 1
}

// guarded is the parent where the kernel does not help.
func guarded() int {
	cmd := self("stay")
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return 1
	}
	setGuard(cmd.Process.Pid)
	fmt.Println("child", cmd.Process.Pid)
	return stay()
}
