package apps

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// screen tells whether there is one: where there is none, starting fails and says so.
func (a apps) screen() error { return nil }

func browse(url string) (Command, error) { return Command{Path: url}, nil }

func (e entry) command(string) (Command, error) { return Command{Path: e.path}, nil }

// start has the desktop open a shortcut or an address. Nothing of it is read by a command line's shell.
func start(c Command) error {
	verb, err1 := windows.UTF16PtrFromString("open")
	path, err2 := windows.UTF16PtrFromString(c.Path)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("opening %q: not a path", c.Path)
	}
	return windows.ShellExecute(0, verb, path, nil, nil, windows.SW_SHOWNORMAL)
}

// folders are the Start menu of the user and of all users.
func (a apps) folders() []string {
	if a.Folders != nil {
		return a.Folders
	}
	var all []string
	for _, base := range []string{a.Getenv("APPDATA"), a.Getenv("PROGRAMDATA")} {
		if base != "" {
			all = append(all, filepath.Join(base, "Microsoft", "Windows", "Start Menu", "Programs"))
		}
	}
	return all
}

// installed lists the shortcuts of the Start menu.
func (a apps) installed() []program {
	var all []program
	for _, folder := range a.folders() {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".lnk") {
				return nil // what cannot be read is not installed
			}
			name := strings.TrimSuffix(d.Name(), filepath.Ext(d.Name()))
			if lower := strings.ToLower(name); !strings.HasPrefix(lower, "uninstall") {
				all = append(all, program{id: path, names: []string{name}, entry: entry{path: path}})
			}
			return nil
		})
	}
	return all
}
