package autostart

import (
	"context"
	"errors"
	"os"
	"strings"
)

// desktop is a file in the folder that desktops start programs from, by the XDG Desktop Application Autostart
// Specification.
type desktop struct {
	path   string
	nobody bool // no desktop is here now that would read it
}

func (d desktop) write(_ context.Context, e Entry) error { return replace(d.path, desktopText(e)) }

func (d desktop) remove(context.Context) error { return gone(d.path) }

func (d desktop) read(e Entry) (State, bool, error) {
	s := State{How: "desktop autostart file", Where: d.path}
	text, err := os.ReadFile(d.path)
	if errors.Is(err, os.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	s.Starts = line(string(text), "Exec")
	s.On = s.Starts != ""
	if line(string(text), "Hidden") == "true" || line(string(text), "X-GNOME-Autostart-enabled") == "false" {
		s.On, s.Trouble = false, "it was switched off in the settings of the desktop; solo autostart on switches it on again"
	}
	if s.On && d.nobody {
		s.Trouble = "neither a desktop nor your own systemd runs here; a desktop will start it when there is one"
	}
	return s, s.Starts == desktopCommand(e), nil
}

func desktopText(e Entry) string {
	return `# Written by solo autostart on; solo autostart off removes it.
[Desktop Entry]
Type=Application
Version=1.0
Name=Solo
Comment=The voice assistant listens
Exec=` + desktopCommand(e) + `
Icon=audio-input-microphone
Terminal=false
NoDisplay=true
X-GNOME-Autostart-enabled=true
`
}

func desktopCommand(e Entry) string {
	words := []string{desktopWord(e.Program)}
	for _, a := range e.Args {
		words = append(words, desktopWord(a))
	}
	return strings.Join(words, " ")
}

// desktopWord quotes a word of Exec as the Desktop Entry Specification wants it: once for the command line, and its
// backslashes once more because it is a string.
func desktopWord(s string) string {
	escaped := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", "$", `\\$`, "%", "%%").Replace(s)
	if s != "" && escaped == s && !strings.ContainsAny(s, " '><~|&;*?#()=") {
		return s
	}
	return `"` + escaped + `"`
}
