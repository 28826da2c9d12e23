//go:build !windows && !darwin

package ptt

import (
	"path/filepath"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/portal"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/x11"
)

// choose finds the way to the keyboard: in a Wayland session the portal, because there X11 sees keys
// only while an X11 window has the focus.
func choose(c Config) watcher {
	display := c.Getenv("DISPLAY")
	wayland := c.Getenv("WAYLAND_DISPLAY") != "" || c.Getenv("XDG_SESSION_TYPE") == "wayland"
	switch {
	case c.Through == "portal" || c.Through != "x11" && wayland:
		bus := c.Getenv("DBUS_SESSION_BUS_ADDRESS")
		if dir := c.Getenv("XDG_RUNTIME_DIR"); bus == "" && dir != "" {
			bus = "unix:path=" + filepath.Join(dir, "bus")
		}
		return portal.Watcher{Bus: bus}
	case display == "":
		return none{absent}
	}
	authority := c.Getenv("XAUTHORITY")
	if home := c.Getenv("HOME"); authority == "" && home != "" {
		authority = filepath.Join(home, ".Xauthority")
	}
	return x11.Watcher{Display: display, Authority: authority}
}
