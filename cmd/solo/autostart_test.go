//go:build !windows

package main

import (
	"os"
	"strings"
	"testing"
)

func TestAutostartKeepsTheHome(t *testing.T) {
	user, home := t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"HOME": user, "XDG_CONFIG_HOME": "", "XDG_RUNTIME_DIR": "", "DISPLAY": ":0", "WAYLAND_DISPLAY": ""} {
		t.Setenv(name, value)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		do string
		on bool
	}{{"status", false}, {"on", true}, {"status", true}, {"on", true}, {"off", false}, {"off", false}, {"status", false}} {
		code, lines := solo(t, home, "", "autostart", step.do)
		if code != 0 || len(lines) != 1 || lines[0]["on"] != step.on {
			t.Fatalf("%s: exit %d, %v", step.do, code, lines)
		}
		if !step.on {
			continue
		}
		if got := lines[0].text("command"); !strings.Contains(got, self) || !strings.Contains(got, "--home "+home+" run --no-input") {
			t.Errorf("%s starts %s", step.do, got)
		}
		if text, err := os.ReadFile(lines[0].text("where")); err != nil || !strings.HasPrefix(lines[0].text("where"), user) || !strings.Contains(string(text), home) {
			t.Errorf("%v: %s", err, text)
		}
	}
	if code, lines := solo(t, home, "", "autostart", "sometimes"); code != 2 || only(lines, "error") == nil {
		t.Errorf("a wrong word: exit %d, %v", code, lines)
	}
}
