// Package autostart has a program started when its user logs in, by what the system has for that: the registry on
// Windows, a unit of systemd or a file of the desktop on Linux, a LaunchAgent on macOS.
//
// It writes one entry for one user and asks for no right of an administrator. Nothing is started or stopped by it now.
package autostart

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Entry is what shall be started.
type Entry struct {
	Program string   // absolute path
	Args    []string // without the program
}

// State is what is set up.
type State struct {
	On      bool
	How     string // "systemd user unit", "desktop autostart file", "LaunchAgent", "registry"
	Where   string // the file or the key
	Starts  string // the command line that the entry holds, as the system writes it; "" where there is none
	Trouble string // why it does not do what it should, and what mends it; "" for nothing
}

// ErrUnsupported says that this system has nothing that starts a program at login.
var ErrUnsupported = errors.New("this system has nothing that starts a program at login")

// errSay is a command line that no entry can hold.
var errSay = errors.New("a path or an argument has a line break or another control character")

// way is one place that starts programs at login.
type way interface {
	// write makes the entry, or makes it anew.
	write(ctx context.Context, e Entry) error
	// remove takes it away; none is no error.
	remove(ctx context.Context) error
	// read tells what is there. same is whether it starts e.
	read(e Entry) (s State, same bool, err error)
}

// On sets the entry up and takes away what another way of the same system still holds.
func On(ctx context.Context, e Entry) (State, error) {
	if err := e.check(); err != nil {
		return State{}, err
	}
	all, best, err := ways(ctx, os.Getenv)
	if err != nil {
		return State{}, err
	}
	for i, w := range all {
		if i == best {
			err = w.write(ctx, e)
		} else {
			err = w.remove(ctx) // else it would be started twice
		}
		if err != nil {
			return State{}, err
		}
	}
	return one(all[best], e)
}

// Off takes every entry away.
func Off(ctx context.Context, e Entry) (State, error) {
	all, _, err := ways(ctx, os.Getenv)
	if err != nil {
		return State{}, err
	}
	for _, w := range all {
		if err := w.remove(ctx); err != nil {
			return State{}, err
		}
	}
	return Status(ctx, e)
}

// Status tells what is set up, of the first way that has an entry.
func Status(ctx context.Context, e Entry) (State, error) {
	all, best, err := ways(ctx, os.Getenv)
	if err != nil {
		return State{}, err
	}
	for _, w := range all {
		if s, err := one(w, e); err != nil || s.Starts != "" {
			return s, err
		}
	}
	return one(all[best], e)
}

func one(w way, e Entry) (State, error) {
	s, same, err := w.read(e)
	if s.On && !same {
		s.Trouble = "it starts something else than " + e.Program + "; solo autostart on renews it"
	}
	return s, err
}

func (e Entry) check() error {
	if !filepath.IsAbs(e.Program) {
		return fmt.Errorf("the program %q is no absolute path", e.Program)
	}
	for _, s := range append([]string{e.Program}, e.Args...) {
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return errSay
		}
	}
	return nil
}

// filesFor are the ways of systems that keep files, and which of them is best.
func filesFor(ctx context.Context, system string, env func(string) string) (all []way, best int, err error) {
	home := env("HOME")
	if !filepath.IsAbs(home) {
		return nil, 0, errors.New("the home folder is not known: HOME is not set")
	}
	if system == "darwin" {
		return []way{agent{filepath.Join(home, "Library", "LaunchAgents", agentLabel+".plist")}}, 0, nil
	}
	config := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(home, ".config")
	}
	m := managerOf(ctx, env)
	all = []way{unit{folder: filepath.Join(config, "systemd", "user"), manager: m}, desktop{path: filepath.Join(config, "autostart", "solo.desktop"), nobody: !m.runs && !m.screen}}
	if !m.usable() {
		best = 1
	}
	return all, best, nil
}

// replace writes a file that is there whole or not at all.
func replace(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(text)
	if err = errors.Join(err, part.Chmod(0o644), part.Sync(), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// gone removes a file; none is no error.
func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// line finds the value of a key in a file of key=value lines.
func line(text, key string) string {
	for l := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), key+"="); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
