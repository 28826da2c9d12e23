//go:build linux

package x11

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// server starts an X server without a monitor and gives its display.
func server(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Skip("skipped: no Xvfb")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "64x64x8", "-nolisten", "tcp", "-noreset")
	c.ExtraFiles = []*os.File{w}
	err = c.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	})
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("the X server did not start: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// A key that comes up while the server repeats it leaves a repeated down behind, which is no press. The server says here
// that no key is down, as it does by the time such events are read.
func TestTheLastRepeatIsNoPress(t *testing.T) {
	const f9 = xproto.Keycode(75) // on every PC keyboard
	down := func(key xproto.Keycode, at xproto.Timestamp) any { return xproto.KeyPressEvent{Detail: key, Time: at} }
	up := func(key xproto.Keycode, at xproto.Timestamp) any {
		return xproto.KeyReleaseEvent{Detail: key, Time: at}
	}
	display := server(t)
	for name, tt := range map[string]struct {
		events []any
		want   []bool
	}{
		"once":                          {[]any{down(f9, 100), up(f9, 900)}, []bool{true, false}},
		"up within a repeat":            {[]any{down(f9, 100), up(f9, 800), down(f9, 800), up(f9, 803)}, []bool{true, false}},
		"up within a repeat, a tick on": {[]any{down(f9, 100), up(f9, 800), down(f9, 801), up(f9, 803)}, []bool{true, false}},
		"seen by a glance before":       {[]any{down(f9, 100), nil, up(f9, 800), down(f9, 800), up(f9, 803)}, []bool{true, false}},
		"many repeats too late":         {[]any{down(f9, 100), up(f9, 760), down(f9, 760), up(f9, 800), down(f9, 800), up(f9, 840)}, []bool{true, false}},
		"twice":                         {[]any{down(f9, 100), up(f9, 130), down(f9, 160), up(f9, 190)}, []bool{true, false, true, false}},
		"the clock turns over":          {[]any{down(f9, 100), up(f9, 1<<32-1), down(f9, 0), up(f9, 9), down(f9, 50), up(f9, 90)}, []bool{true, false, true, false}},
		"another key between":           {[]any{down(f9, 100), up(f9, 130), up(f9+1, 160), down(f9, 160), up(f9, 190)}, []bool{true, false, true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := connect(t.Context(), display, "")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			chord, err := keys.Parse("f9")
			if err != nil {
				t.Fatal(err)
			}
			var told []bool
			h := &hand{wire: c, want: []keys.Wish{{Chord: chord}}, down: make([]xproto.Keycode, 1), told: func(e keys.Event) { told = append(told, e.Down) }}
			if h.layout, err = learn(c); err != nil {
				t.Fatal(err)
			}
			for _, ev := range tt.events {
				switch ev := ev.(type) {
				case xproto.KeyPressEvent:
					err = h.note(ev)
				case xproto.KeyReleaseEvent:
					err = h.note(ev)
				default:
					err = h.look()
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(told, tt.want) {
				t.Errorf("down and up: %v, want %v", told, tt.want)
			}
		})
	}
}
