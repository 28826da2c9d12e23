package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
)

// Dashboard asks the running Solo for a link, and opens it where there is a screen.
func (a *app) Dashboard(ctx context.Context, show bool, tell cli.Tell) error {
	var l cli.Link
	err := local.Call(ctx, a.home.data, "link", nil, func(raw json.RawMessage) error { return json.Unmarshal(raw, &l) })
	if errors.Is(err, local.ErrNobody) {
		return &cli.Failure{Code: "not_running", Hint: "start it with: solo run", Err: errors.New("no Solo runs here")}
	}
	if err != nil {
		return err
	}
	tell(l)
	if show && screen() {
		if err := browse(ctx, l.URL); err != nil {
			tell(cli.Note{Text: "No browser was opened: " + err.Error() + "; open the link yourself."})
		}
	}
	return nil
}

// screen tells whether there is something to show a browser on.
func screen() bool {
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// browse opens an address in the user's browser.
func browse(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	switch runtime.GOOS {
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", url).Run()
	case "darwin":
		return exec.CommandContext(ctx, "open", url).Run()
	}
	return exec.CommandContext(ctx, "xdg-open", url).Run()
}

// link makes a one-time link to the dashboard.
func (s *assistant) link(tell func(any) error) error {
	if s.door == nil {
		return &cli.Failure{Code: "web_off", Hint: "set web.use to on", Err: errors.New("the web door is off")}
	}
	l, err := s.door.Link()
	if err != nil {
		return err
	}
	return tell(cli.Link{URL: l.URL, End: l.End})
}
