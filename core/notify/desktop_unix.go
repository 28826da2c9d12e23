//go:build !windows && !darwin

package notify

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os/exec"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/solo-assistant/solo/core/proc"
)

// patience is how long the desktop may take.
const patience = 5 * time.Second

// show asks the desktop over D-Bus, and notify-send where that fails.
func show(ctx context.Context, title, text string, urgent bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := overBus(ctx, title, text, urgent)
	if err == nil {
		return nil
	}
	path, lacking := exec.LookPath("notify-send")
	if lacking != nil {
		return fmt.Errorf("%w; no desktop answers here, and notify-send is missing (on Debian: apt-get install libnotify-bin)", err)
	}
	level := "normal"
	if urgent {
		level = "critical"
	}
	_, second := proc.Run(ctx, proc.Command{Path: path, Args: []string{"--app-name=Solo", "--urgency=" + level, "--", title, html.EscapeString(text)}, Limit: patience})
	if second != nil {
		return errors.Join(err, second)
	}
	return nil
}

func overBus(ctx context.Context, title, text string, urgent bool) error {
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("reaching the session bus: %w", err)
	}
	defer conn.Close()
	level := byte(1)
	if urgent {
		level = 2
	}
	// The text may be read as markup; the title is not.
	call := conn.Object("org.freedesktop.Notifications", "/org/freedesktop/Notifications").CallWithContext(ctx,
		"org.freedesktop.Notifications.Notify", 0, "Solo", uint32(0), "appointment-soon", title, html.EscapeString(text), []string{},
		map[string]dbus.Variant{"urgency": dbus.MakeVariant(level), "category": dbus.MakeVariant("im.received")}, int32(-1))
	if call.Err != nil {
		return fmt.Errorf("asking for a notification: %w", call.Err)
	}
	return nil
}
