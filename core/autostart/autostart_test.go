//go:build !windows

package autostart

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var plainEntry = Entry{Program: "/usr/bin/solo", Args: []string{"run", "--no-input"}}

// world is a home with what else a login has.
func world(t *testing.T, with ...string) func(string) string {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"HOME": home}
	for _, w := range with {
		switch w {
		case "systemd":
			vars["XDG_RUNTIME_DIR"] = filepath.Join(home, "run")
			if err := os.MkdirAll(filepath.Join(home, "run", "systemd"), 0o700); err != nil {
				t.Fatal(err)
			}
		case "screen":
			vars["DISPLAY"] = ":0"
		}
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"} {
		t.Setenv(name, vars[name]) // so that systemctl finds no other systemd than this one
	}
	return func(name string) string { return vars[name] }
}

func TestOnAndOff(t *testing.T) {
	for name, tt := range map[string]struct {
		with []string
		how  string
	}{
		"a server":                            {[]string{"systemd"}, "systemd user unit"},
		"a desktop that systemd knows not":    {[]string{"systemd", "screen"}, "desktop autostart file"},
		"a desktop without systemd":           {[]string{"screen"}, "desktop autostart file"},
		"neither, such as inside a container": {nil, "desktop autostart file"},
	} {
		t.Run(name, func(t *testing.T) {
			env := world(t, tt.with...)
			ctx := t.Context()
			if s, err := Status(ctx, plainEntry); err != nil || s.On || s.Starts != "" {
				t.Fatalf("before: %+v, %v", s, err)
			}
			for range 2 { // twice is as good as once
				s, err := On(ctx, plainEntry)
				if err != nil || !s.On || s.How != tt.how || s.Starts != "/usr/bin/solo run --no-input" || !strings.HasPrefix(s.Where, env("HOME")) {
					t.Fatalf("on: %+v, %v", s, err)
				}
				if nobody := len(tt.with) == 0; (s.Trouble != "") != nobody {
					t.Errorf("trouble %q", s.Trouble)
				}
			}
			moved := Entry{Program: "/opt/solo", Args: plainEntry.Args}
			if s, err := Status(ctx, moved); err != nil || !s.On || !strings.Contains(s.Trouble, "renews it") {
				t.Errorf("another program: %+v, %v", s, err)
			}
			for range 2 {
				if s, err := Off(ctx, plainEntry); err != nil || s.On || s.Starts != "" || s.Trouble != "" {
					t.Fatalf("off: %+v, %v", s, err)
				}
			}
			if left := files(t, env("HOME")); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// files are all files and links below a folder.
func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A session that comes to be known to systemd moves the entry, so that Solo is never started twice.
func TestOnlyOneEntryIsLeft(t *testing.T) {
	env := world(t, "systemd")
	all, _, err := filesFor(t.Context(), "linux", env)
	if err != nil {
		t.Fatal(err)
	}
	if err := all[1].write(t.Context(), plainEntry); err != nil {
		t.Fatal(err)
	}
	if s, err := On(t.Context(), plainEntry); err != nil || s.How != "systemd user unit" {
		t.Fatalf("%+v, %v", s, err)
	}
	if s, _, err := all[1].read(plainEntry); err != nil || s.On {
		t.Errorf("both are on: %+v, %v", s, err)
	}
}

func TestTheUnitBelongsToTheSession(t *testing.T) {
	for session, target := range map[bool]string{true: "graphical-session.target", false: "default.target"} {
		u := unit{folder: t.TempDir(), manager: manager{screen: session, session: session}}
		if err := u.write(t.Context(), plainEntry); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(u.folder, target+".wants", unitName)) // through the link
		if err != nil || line(string(text), "WantedBy") != target || strings.Contains(string(text), "PartOf=") != session {
			t.Errorf("%v: %v\n%s", session, err, text)
		}
	}
}

func TestWhatOthersSwitchedOffIsOff(t *testing.T) {
	ctx := t.Context()
	d := desktop{path: filepath.Join(t.TempDir(), "solo.desktop")}
	for _, change := range [][2]string{{"Terminal=false", "Hidden=true"}, {"enabled=true", "enabled=false"}} {
		if err := d.write(ctx, plainEntry); err != nil {
			t.Fatal(err)
		}
		edit(t, d.path, change[0], change[1])
		if s, _, err := d.read(plainEntry); err != nil || s.On || !strings.Contains(s.Trouble, "solo autostart on") {
			t.Errorf("%v: %+v, %v", change, s, err)
		}
	}
	u := unit{folder: t.TempDir()}
	if err := u.write(ctx, plainEntry); err != nil {
		t.Fatal(err)
	}
	for _, l := range u.links() {
		_ = os.Remove(l) // as systemctl disable does; one of them is there
	}
	if s, _, err := u.read(plainEntry); err != nil || s.On || !strings.Contains(s.Trouble, "not enabled") {
		t.Errorf("%+v, %v", s, err)
	}
}

func edit(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), from, to)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLaunchAgent(t *testing.T) {
	env := world(t)
	all, best, err := filesFor(t.Context(), "darwin", env)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	e := Entry{Program: "/Applications/So <lo> & Co/solo", Args: []string{"--home", `/Users/a "b"/x`, "run"}}
	if err := all[best].write(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	s, same, err := all[best].read(e)
	if err != nil || !s.On || !same || s.Where != filepath.Join(env("HOME"), "Library/LaunchAgents/org.solo-assistant.solo.plist") {
		t.Errorf("%+v, same %v, %v", s, same, err)
	}
	if lint, err := exec.LookPath("plistutil"); err == nil {
		if out, err := exec.Command(lint, "-i", s.Where).CombinedOutput(); err != nil {
			t.Errorf("plistutil: %v: %s", err, out)
		}
	}
	if err := os.WriteFile(s.Where, []byte("<plist><dict><key>x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, _, err := all[best].read(e); err != nil || s.On || s.Trouble == "" {
		t.Errorf("a broken file: %+v, %v", s, err)
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	world(t, "systemd")
	for _, e := range []Entry{{Program: "solo"}, {Program: ""}, {Program: "/usr/bin/so\nlo"}, {Program: "/usr/bin/solo", Args: []string{"a\x00b"}}} {
		if s, err := On(t.Context(), e); err == nil {
			t.Errorf("%+v: %+v", e, s)
		}
	}
	t.Setenv("HOME", "")
	if _, err := Status(t.Context(), plainEntry); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("no home: %v", err)
	}
}

// hard are words that every layer of quoting could break.
var hard = []string{"solo", "My Solo", `a"b`, `back\slash`, `\\server\`, "100%", "%h", "$HOME", "${x}", "it's", "a;b", "`id`", "*?#()=~|&<>", "ä ö", "-", "", " ", `\"`, `%%\$"`}

// What systemd reads out of the unit is what was meant. systemd-analyze is the judge where it is there: the unit is
// sound, and names a program that is there.
func TestSystemdTakesTheUnit(t *testing.T) {
	judge, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("skipped: no systemd-analyze")
	}
	verify := func(u unit) string {
		cmd := exec.Command(judge, "--user", "verify", u.path())
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil && len(out) == 0 {
			return err.Error()
		}
		return string(out)
	}
	for _, name := range []string{"solo", "My Solo 100% ä", `So "lo" $x \'`} {
		program := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil { //nolint:gosec // a program must be executable
			t.Fatal(err)
		}
		for _, m := range []manager{{}, {screen: true, session: true}} {
			u := unit{folder: t.TempDir(), manager: m}
			if err := u.write(t.Context(), Entry{Program: program, Args: hard}); err != nil {
				t.Fatal(err)
			}
			if out := verify(u); strings.Contains(out, unitName) {
				t.Errorf("%s: %s", name, out)
			}
		}
	}
	u := unit{folder: t.TempDir()}
	if err := u.write(t.Context(), Entry{Program: "/nowhere/solo"}); err != nil {
		t.Fatal(err)
	}
	if out := verify(u); !strings.Contains(out, "/nowhere/solo") {
		t.Errorf("the judge does not look: %q", out)
	}
}

// Every word comes back from a unit's and a desktop's command line as it went in.
func TestWordsComeBack(t *testing.T) {
	for _, w := range hard {
		if got, err := unitWords(unitWord(w)); err != nil || len(got) != 1 || got[0] != w {
			t.Errorf("unit: %q became %q (%v) by %s", w, got, err, unitWord(w))
		}
		if got, err := desktopWords(desktopWord(w)); err != nil || len(got) != 1 || got[0] != w {
			t.Errorf("desktop: %q became %q (%v) by %s", w, got, err, desktopWord(w))
		}
	}
	for _, e := range []Entry{{Program: "/x y%", Args: hard}} {
		if got, err := unitWords(unitCommand(e)); err != nil || strings.Join(got, "\n") != strings.Join(append([]string{e.Program}, hard...), "\n") {
			t.Errorf("unit: %q, %v", got, err)
		}
		if got, err := desktopWords(desktopCommand(e)); err != nil || strings.Join(got, "\n") != strings.Join(append([]string{e.Program}, hard...), "\n") {
			t.Errorf("desktop: %q, %v", got, err)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, w := range hard {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, w string) {
		if (Entry{Program: "/x", Args: []string{w}}).check() != nil {
			return
		}
		if got, err := unitWords(unitWord(w)); err != nil || len(got) != 1 || got[0] != w {
			t.Errorf("unit: %q became %q, %v", w, got, err)
		}
		if got, err := desktopWords(desktopWord(w)); err != nil || len(got) != 1 || got[0] != w {
			t.Errorf("desktop: %q became %q, %v", w, got, err)
		}
	})
}

var errQuote = errors.New("a quotation mark is left open")

// unitWords reads ExecStart as systemd does: quotation marks and C escapes, then %% and $$.
func unitWords(s string) ([]string, error) {
	words, err := split(s)
	for i := range words {
		words[i] = strings.ReplaceAll(strings.ReplaceAll(words[i], "%%", "%"), "$$", "$")
	}
	return words, err
}

// desktopWords reads Exec as desktops do: the escapes of a string first, then quotation marks, then %%.
func desktopWords(s string) ([]string, error) {
	words, err := split(strings.ReplaceAll(s, `\\`, `\`))
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "%%", "%")
	}
	return words, err
}

func split(s string) (words []string, err error) {
	var b strings.Builder
	in, quoted, escaped := false, false, false
	for _, r := range []byte(s) { // a path need not be UTF-8
		switch {
		case escaped:
			b.WriteByte(r)
			escaped = false
		case r == '\\':
			escaped, in = true, true
		case r == '"':
			quoted, in = !quoted, true
		case r == ' ' && !quoted:
			if in {
				words = append(words, b.String())
			}
			b.Reset()
			in = false
		default:
			b.WriteByte(r)
			in = true
		}
	}
	if quoted || escaped {
		return nil, errQuote
	}
	if in {
		words = append(words, b.String())
	}
	return words, nil
}

// The systemctl of this machine, where there is one, agrees that the links enable the unit.
func TestSystemctlAgrees(t *testing.T) {
	ctl, err := exec.LookPath("systemctl")
	if err != nil {
		t.Skip("skipped: no systemctl")
	}
	root := t.TempDir() // systemctl takes another root for an answer without a systemd that runs
	u := unit{folder: filepath.Join(root, "etc", "systemd", "user")}
	for want, links := range map[string]bool{"enabled": true, "disabled": false} {
		if err := u.write(t.Context(), plainEntry); err != nil {
			t.Fatal(err)
		}
		for _, l := range u.links() {
			if _, err := os.Lstat(l); err == nil && links {
				_ = os.Remove(l)
				if err := os.Symlink("/etc/systemd/user/"+unitName, l); err != nil { // as the root sees it
					t.Fatal(err)
				}
			} else if err == nil {
				_ = os.Remove(l)
			}
		}
		out, _ := exec.CommandContext(context.Background(), ctl, "--root="+root, "--global", "is-enabled", unitName).CombinedOutput() // 1 is "disabled"
		if got := strings.TrimSpace(string(out)); got != want {
			t.Errorf("systemctl says %q, want %q", got, want)
		}
	}
}
