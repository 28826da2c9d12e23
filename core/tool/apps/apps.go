// Package apps opens installed programs, and pages in the browser.
//
// Both tools are Outward: a program may do anything once it runs, tell others included, and Solo cannot take that back;
// the address of a page alone can carry words away. So they ask first. Whoever wants programs to open at once lists
// apps.open under tools.allow; after text from outside was read a model's call asks all the same.
//
// Programs are found where the platform registers them: .desktop entries, the Start menu, the Applications folders.
// They are started as these say, without a shell, and go on when Solo ends. On Linux and macOS they do not get what
// Solo's environment holds of keys; Windows starts them with all of it.
package apps

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed apps.md
var page string

// Config is what the tools stand on. The zero Config works.
type Config struct {
	Folders []string                     // where programs are registered, the strongest first; nil is the platform's own
	Start   func(c Command) error        // starts a program that nobody waits for; nil really does
	Getenv  func(variable string) string // nil is os.Getenv
}

// Command is a program to start.
type Command struct {
	Path string // of the program; on Windows of anything that the shell opens
	Args []string
	Dir  string // "" is the user's home
}

type apps struct{ Config }

// Tools makes apps.open and apps.open_url.
func Tools(c Config) []tool.Tool {
	if c.Start == nil {
		c.Start = start
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	a := apps{c}
	return []tool.Tool{
		tool.Worded(tool.Of("apps.open", tool.About(page, "apps.open"), models.Outward, a.open), "Open the program {name|quote}"),
		tool.Worded(tool.Of("apps.open_url", tool.About(page, "apps.open_url"), models.Outward, a.openURL), "Open the page {url|quote}"),
	}
}

// program is an installed one.
type program struct {
	id    string   // unique
	names []string // in every language, the best first
	also  []string // what it is: "Web Browser"
	entry entry
}

type openArgs struct {
	Name string `json:"name" jsonschema:"name of the program" limits:"1..100"`
}

// errNowhere says that there is no screen; its text is for the user.
var errNowhere = errors.New("there is no screen here that I could open it on")

func (a apps) open(_ context.Context, args openArgs) (models.Result, error) {
	if err := a.screen(); err != nil {
		return tool.Said("%s.", tool.Upper(err.Error())), nil
	}
	all := a.installed()
	fit := choose(all, args.Name)
	switch {
	case len(all) == 0:
		return tool.Said("I can't find any installed programs."), nil
	case len(fit) == 0:
		return tool.Said("I can't find a program called %s.", tool.Trim(args.Name)), nil
	case len(fit) > 1:
		var names []string
		for _, p := range fit {
			names = append(names, p.names[0])
		}
		r := tool.Said("There's %s. Which one?", tool.Some(names, 5))
		r.Ask = &models.Ask{Slot: "name", Call: models.Call{Tool: "apps.open"}}
		return r, nil
	}
	p := fit[0]
	c, err := p.entry.command(p.names[0])
	if err != nil {
		return tool.Said("I can't open %s: %v.", p.names[0], err), nil
	}
	if err := a.Start(c); err != nil {
		return models.Result{Say: fmt.Sprintf("I couldn't open %s.", p.names[0])}, fmt.Errorf("starting %s: %w", p.id, err)
	}
	return tool.With(tool.Said("Opening %s.", p.names[0]), map[string]string{"program": p.names[0], "id": p.id}), nil
}

// choose is the programs that a name may mean: one that is called so, else those that are near.
func choose(all []program, said string) []program {
	said = tool.Trim(said, "the", "my", "program", "app")
	for _, kind := range []string{" app", " program", " application"} {
		if n := len(said) - len(kind); n > 0 && strings.EqualFold(said[n:], kind) {
			said = said[:n]
		}
	}
	for _, names := range []func(program) []string{
		func(p program) []string { return p.names },
		func(p program) []string { return p.also },
	} {
		same := filter(all, func(p program) bool {
			return slices.ContainsFunc(names(p), func(n string) bool { return strings.EqualFold(n, said) })
		})
		if len(same) > 0 {
			return distinct(same)
		}
		var labels []string
		var of []int
		for i, p := range all {
			for _, n := range names(p) {
				labels, of = append(labels, n), append(of, i)
			}
		}
		var near []program
		for _, at := range tool.Pick(said, labels) {
			near = append(near, all[of[at]])
		}
		if len(near) > 0 {
			return distinct(near)
		}
	}
	return nil
}

func filter(all []program, ok func(program) bool) []program {
	var out []program
	for _, p := range all {
		if ok(p) {
			out = append(out, p)
		}
	}
	return out
}

// distinct leaves one program of each name: nobody could tell them apart by it.
func distinct(all []program) []program {
	var out []program
	for _, p := range all {
		if !slices.ContainsFunc(out, func(o program) bool { return o.id == p.id || strings.EqualFold(o.names[0], p.names[0]) }) {
			out = append(out, p)
		}
	}
	return out
}
