package notify

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// show has AppleScript show it. The words are arguments, never part of the script.
func show(ctx context.Context, title, text string, _ bool) error {
	_, err := proc.Run(ctx, proc.Command{Path: "/usr/bin/osascript", Limit: 10 * time.Second, Args: []string{
		"-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", "--", title, text}})
	return err
}
