package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/solo-assistant/solo/core/autostart"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// Autostart has this Solo started at login, or no longer, and tells how things are then.
func (a *app) Autostart(ctx context.Context, do string, tell cli.Tell) error {
	e, err := a.entry()
	if err != nil {
		return err
	}
	change := map[string]func(context.Context, autostart.Entry) (autostart.State, error){
		"on": autostart.On, "off": autostart.Off, "status": autostart.Status,
	}[do]
	s, err := change(ctx, e)
	if err != nil {
		return &cli.Failure{Code: "autostart", Err: fmt.Errorf("turning autostart %s: %w", do, err)}
	}
	tell(cli.Autostart{On: s.On, How: s.How, Where: s.Where, Command: s.Starts, Trouble: s.Trouble})
	return nil
}

// entry is how this Solo is started: with its home, where that is not the platform's, and without questions.
func (a *app) entry() (autostart.Entry, error) {
	self, err := os.Executable()
	if err != nil {
		return autostart.Entry{}, fmt.Errorf("find the program itself: %w", err)
	}
	e := autostart.Entry{Program: self, Args: []string{"run", "--no-input"}}
	if a.home.config == filepath.Dir(a.home.data) { // a home of its own holds both
		e.Args = append([]string{"--home", a.home.config}, e.Args...)
	}
	return e, nil
}
