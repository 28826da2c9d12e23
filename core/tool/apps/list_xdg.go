//go:build unix && !darwin

package apps

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// screen tells whether there is one.
func (a apps) screen() error {
	if a.Getenv("DISPLAY") == "" && a.Getenv("WAYLAND_DISPLAY") == "" {
		return errNowhere
	}
	return nil
}

func browse(url string) (Command, error) {
	path, err := exec.LookPath("xdg-open")
	if err != nil {
		return Command{}, errors.New("xdg-open is not installed; the package xdg-utils has it")
	}
	return Command{Path: path, Args: []string{url}}, nil
}

func (e entry) command(name string) (Command, error) { return e.execCommand(name) }

// folders are where .desktop entries lie, the strongest first.
func (a apps) folders() []string {
	if a.Folders != nil {
		return a.Folders
	}
	home, _ := os.UserHomeDir() // "" finds nothing
	data := a.Getenv("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	dirs := a.Getenv("XDG_DATA_DIRS")
	if dirs == "" {
		dirs = "/usr/local/share:/usr/share"
	}
	all := append([]string{data}, filepath.SplitList(dirs)...)
	all = append(all, filepath.Join(data, "flatpak", "exports", "share"), "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop")
	var out []string
	for _, dir := range all {
		if dir = filepath.Join(dir, "applications"); filepath.IsAbs(dir) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// installed reads all entries. One that a stronger folder holds hides its namesakes, also where it is hidden itself.
func (a apps) installed() []program {
	seen := map[string]bool{}
	var all []program
	for _, folder := range a.folders() {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".desktop") {
				return nil // what cannot be read is not installed
			}
			rel, _ := filepath.Rel(folder, path) // path is below folder
			id := strings.ReplaceAll(rel, string(filepath.Separator), "-")
			if seen[id] {
				return nil
			}
			seen[id] = true
			f, err := os.Open(path)
			if err != nil {
				return nil
			}
			defer f.Close()
			if p, ok := parseDesktop(f); ok {
				p.id, p.entry.path = id, path
				all = append(all, p)
			}
			return nil
		})
	}
	return all
}
