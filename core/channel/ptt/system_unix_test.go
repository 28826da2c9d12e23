//go:build !windows && !darwin

package ptt

import "testing"

// In a Wayland session the portal is asked, though there is an X11 display for old programs too.
func TestChoose(t *testing.T) {
	for name, tt := range map[string]struct {
		through string
		env     map[string]string
		want    string
	}{
		"X11":             {"auto", map[string]string{"DISPLAY": ":7"}, "X11 display :7"},
		"Wayland":         {"auto", map[string]string{"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "the desktop portal"},
		"by session type": {"auto", map[string]string{"XDG_SESSION_TYPE": "wayland"}, "the desktop portal"},
		"X11 all the same": {"x11", map[string]string{"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"},
			"X11 display :0"},
		"portal all the same": {"portal", map[string]string{"DISPLAY": ":0"}, "the desktop portal"},
		"nothing":             {"auto", nil, "nothing"},
		"no X11":              {"x11", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "nothing"},
	} {
		w := choose(Config{Through: tt.through, Getenv: func(n string) string { return tt.env[n] }})
		if w.String() != tt.want {
			t.Errorf("%s: %s", name, w)
		}
	}
}
