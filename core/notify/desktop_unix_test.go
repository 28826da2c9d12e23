//go:build !windows && !darwin

package notify

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// session starts a session bus of our own.
func session(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("skipped: no dbus-daemon")
	}
	cmd := exec.Command(path, "--session", "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}

// board is a desktop that shows notifications.
type board struct{ shown chan [2]string }

func (b board) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	b.shown <- [2]string{title, text}
	return 1, nil
}

func TestTheDesktopShowsANotice(t *testing.T) {
	session(t)
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	b := board{make(chan [2]string, 1)}
	if err := conn.Export(b, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	if err := (Desktop{}).Send(t.Context(), Notice{Title: "Reminder", Text: "<b>call</b>\nAnna & Ben"}); err != nil {
		t.Fatal(err)
	}
	if got := <-b.shown; got != [2]string{"Reminder", "&lt;b&gt;call&lt;/b&gt; Anna &amp; Ben"} {
		t.Errorf("shown %q", got)
	}
}

// Without a bus notify-send is asked, and what it is given is never taken for an option.
func TestNotifySendTakesItWhereThereIsNoBus(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + filepath.Join(dir, "said") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "notify-send"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "none"))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if err := (Desktop{}).Send(t.Context(), Notice{Kind: "alarm", Title: "--help", Text: "up"}); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(filepath.Join(dir, "said"))
	if want := "--app-name=Solo\n--urgency=critical\n--\n--help\nup\n"; err != nil || string(said) != want {
		t.Errorf("notify-send got %q, %v", said, err)
	}
}

func TestWithoutADesktopItSaysWhatIsMissing(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
	t.Setenv("PATH", t.TempDir())
	if err := (Desktop{}).Send(t.Context(), Notice{Title: "x"}); err == nil || !strings.Contains(err.Error(), "libnotify-bin") {
		t.Errorf("error %v", err)
	}
}
