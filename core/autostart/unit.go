package autostart

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// manager is the user's systemd.
type manager struct {
	runs    bool // one runs for this user
	screen  bool // this session has a screen
	session bool // the desktop tells systemd when it begins and ends
}

// managerOf looks for it. Its folder is there exactly while it runs.
func managerOf(ctx context.Context, env func(string) string) manager {
	m := manager{screen: env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""}
	if run := env("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		info, err := os.Stat(filepath.Join(run, "systemd"))
		m.runs = err == nil && info.IsDir()
	}
	if m.runs && m.screen {
		m.session = systemctl(ctx, "is-active", "--quiet", "graphical-session.target") == nil
	}
	return m
}

// usable is whether a unit would be started when it should be. Where a desktop does not tell systemd of itself, a unit
// would come before the screen is there, and the key would not be watched; then the desktop's own file is better.
func (m manager) usable() bool { return m.runs && (!m.screen || m.session) }

func (m manager) target() string {
	if m.session {
		return "graphical-session.target"
	}
	return "default.target"
}

// systemctl asks the user's systemd; one that does not answer counts as none.
func systemctl(ctx context.Context, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return exec.CommandContext(ctx, "systemctl", append([]string{"--user"}, args...)...).Run()
}

// unit is a unit of the user's systemd.
type unit struct {
	folder string // of units
	manager
}

const unitName = "solo.service"

func (u unit) path() string { return filepath.Join(u.folder, unitName) }

// links are what enables the unit; systemctl enable makes them the same.
func (u unit) links() []string {
	return []string{filepath.Join(u.folder, "default.target.wants", unitName), filepath.Join(u.folder, "graphical-session.target.wants", unitName)}
}

func (u unit) write(ctx context.Context, e Entry) error {
	if err := replace(u.path(), unitText(e, u.target())); err != nil {
		return err
	}
	for _, link := range u.links() {
		if err := gone(link); err != nil {
			return err
		}
	}
	link := filepath.Join(u.folder, u.target()+".wants", unitName)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(u.path(), link); err != nil {
		return err
	}
	u.reload(ctx)
	return nil
}

func (u unit) remove(ctx context.Context) error {
	_, err := os.Lstat(u.path())
	for _, path := range append(u.links(), u.path()) {
		err := gone(path)
		if err != nil {
			return err
		}
	}
	if err == nil {
		u.reload(ctx)
	}
	return nil
}

// reload has systemd read its units again. One that cannot reads them at the next login anyway.
func (u unit) reload(ctx context.Context) {
	if u.runs {
		_ = systemctl(ctx, "daemon-reload")
	}
}

func (u unit) read(e Entry) (State, bool, error) {
	s := State{How: "systemd user unit", Where: u.path()}
	text, err := os.ReadFile(u.path())
	if errors.Is(err, os.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	s.Starts = line(string(text), "ExecStart")
	for _, link := range u.links() {
		if _, err := os.Stat(link); err == nil { // a link that leads nowhere enables nothing
			s.On = true
		}
	}
	if !s.On && s.Starts != "" {
		s.Trouble = "the unit is there but not enabled; solo autostart on enables it"
	}
	return s, s.Starts == unitCommand(e), nil
}

// unitText is the unit. It has the rights of its user and no more: what a login may do it may do, so that tools work.
func unitText(e Entry, target string) string {
	session := ""
	if target != "default.target" {
		session = "PartOf=" + target + "\nAfter=" + target + "\n"
	}
	return `# Written by solo autostart on; solo autostart off removes it.
[Unit]
Description=Solo, the voice assistant
Documentation=https://github.com/solo-assistant/solo
After=pipewire.service pulseaudio.service
` + session + `
[Service]
ExecStart=` + unitCommand(e) + `
Restart=on-failure
RestartSec=5
# Another Solo that runs already is no failure to mend.
RestartPreventExitStatus=2 3
NoNewPrivileges=yes
LimitCORE=0

[Install]
WantedBy=` + target + "\n"
}

// unitCommand lets a shell start what systemd does not take for a program's name: one with quotation marks, a backslash
// or a dollar sign.
func unitCommand(e Entry) string {
	words := []string{unitWord(e.Program)}
	if strings.ContainsAny(e.Program, `"'\$`) {
		words = []string{"/bin/sh", "-c", unitWord(`exec "$0" "$@"`), unitWord(e.Program)}
	}
	for _, a := range e.Args {
		words = append(words, unitWord(a))
	}
	return strings.Join(words, " ")
}

// unitWord quotes a word as systemd.syntax(7) and systemd.service(5) want it.
func unitWord(s string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(s)
	if quoted == s && s != "" && !strings.ContainsAny(s, " ';") {
		return s
	}
	return `"` + quoted + `"`
}
