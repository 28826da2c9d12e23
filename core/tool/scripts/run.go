package scripts

import (
	"os"
	"slices"
	"strings"
)

// kept are the variables that programs need to find themselves on a machine. Solo's settings and keys are none of them.
var kept = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "TERM", "DISPLAY", "WAYLAND_DISPLAY",
	"XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE",
	"USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
	"PROGRAMW6432", "COMMONPROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS", "__CF_USER_TEXT_ENCODING",
}

// bare empties every variable of Solo's environment but those.
func bare() []string {
	env := []string{}
	for _, e := range os.Environ() {
		name, _, ok := strings.Cut(e, "=")
		upper := strings.ToUpper(name)
		if !ok || name == "" || slices.Contains(kept, upper) || strings.HasPrefix(upper, "LC_") || strings.HasPrefix(upper, "XDG_") {
			continue
		}
		env = append(env, name+"=")
	}
	return env
}

// head keeps the start of what is written to it.
type head struct {
	data []byte
	room int
	left int // bytes that were not kept
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), h.room-len(h.data))
	h.data = append(h.data, p[:n]...)
	h.left += len(p) - n
	return len(p), nil
}

// text is what was kept, fit to be shown: no broken letters, no orders to a terminal.
func (h *head) text() string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(h.data), ""))
}
