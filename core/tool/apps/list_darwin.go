package apps

import (
	"os"
	"path/filepath"
	"strings"
)

// screen tells whether there is one: on a Mac there is.
func (a apps) screen() error { return nil }

func browse(url string) (Command, error) {
	return Command{Path: "/usr/bin/open", Args: []string{url}}, nil
}

func (e entry) command(string) (Command, error) {
	return Command{Path: "/usr/bin/open", Args: []string{"-a", e.path}}, nil
}

func (a apps) folders() []string {
	if a.Folders != nil {
		return a.Folders
	}
	home, _ := os.UserHomeDir() // "" finds nothing
	return []string{filepath.Join(home, "Applications"), "/Applications", "/Applications/Utilities", "/System/Applications",
		"/System/Applications/Utilities", "/System/Library/CoreServices/Applications"}
}

// installed lists the bundles in the folders.
func (a apps) installed() []program {
	var all []program
	for _, folder := range a.folders() {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // it is not there
		}
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".app"); ok {
				path := filepath.Join(folder, e.Name())
				all = append(all, program{id: path, names: []string{name}, entry: entry{path: path}})
			}
		}
	}
	return all
}
