package scripts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/tool"
)

// script is a file that can be run.
type script struct {
	name string
	path string
	mode fs.FileMode
}

func (s scripts) folder() string { return filepath.Join(s.Workspace, "scripts") }

// all is the user's scripts, in the order of their names.
func (s scripts) all() ([]script, error) {
	entries, err := os.ReadDir(s.folder())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing scripts: %w", err)
	}
	var all []script
	for _, e := range entries {
		path := filepath.Join(s.folder(), e.Name())
		info, err := os.Stat(path) // a link of the user's own is as good as a copy
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f := script{e.Name(), path, info.Mode()}
		if _, _, missing := command(f, nil); missing != notScript {
			all = append(all, f)
		}
	}
	return all, nil
}

// find finds a script by its name, with or without ending; refused says why there is none to run. A name that is only
// near is not enough: what was agreed to is what runs.
func (s scripts) find(name string) (f script, refused string, err error) {
	all, err := s.all()
	if err != nil {
		return script{}, "", err
	}
	var names []string
	for _, f := range all {
		if alike(f.name, name) {
			return f, s.loose(f), nil
		}
		names = append(names, f.name)
	}
	of := slices.IndexFunc(all, func(f script) bool { return alike(strings.TrimSuffix(f.name, filepath.Ext(f.name)), name) })
	switch {
	case of >= 0 && slices.ContainsFunc(all[of+1:], func(f script) bool {
		return alike(strings.TrimSuffix(f.name, filepath.Ext(f.name)), name)
	}):
		return script{}, fmt.Sprintf("There are several scripts called %s. Say its ending too.", name), nil
	case of >= 0:
		return all[of], s.loose(all[of]), nil
	case strings.ContainsAny(name, `/\`):
		return script{}, "I run scripts by their names only, from the folder scripts of my workspace.", nil
	case len(names) == 0:
		return script{}, "You have no scripts. Put some into the folder scripts of my workspace.", nil
	}
	return script{}, fmt.Sprintf("You have no script of that name. There's %s.", tool.Some(names, 5)), nil
}

// alike compares names as they are spoken: "back up" and "back_up" sound the same.
func alike(a, b string) bool {
	flat := strings.NewReplacer("_", " ", "-", " ")
	return strings.EqualFold(flat.Replace(strings.TrimSpace(a)), flat.Replace(strings.TrimSpace(b)))
}

// loose says that others on this machine could have changed what would run. Windows keeps no such bits.
func (s scripts) loose(f script) string {
	const others = 0o002
	if runtime.GOOS == "windows" {
		return ""
	}
	dir, err := os.Stat(s.folder())
	if err != nil || dir.Mode()&others != 0 || f.mode&others != 0 {
		return "I won't run that, because everyone on this machine can change it. Take that right from others first."
	}
	return ""
}

const notScript = "That file is no script that I can run."

// command is the program to start for a script and all its arguments; missing says what is not there.
func command(f script, given []string) (path string, args []string, missing string) {
	direct := func() (string, []string, string) { return f.path, given, "" }
	if runtime.GOOS != "windows" && f.mode&0o111 != 0 && startable(f.path) {
		return direct()
	}
	switch strings.ToLower(filepath.Ext(f.name)) {
	case ".exe":
		if runtime.GOOS == "windows" {
			return direct()
		}
	case ".sh":
		return interpreted("a shell", []string{"sh", "bash"}, nil, f.path, given)
	case ".py":
		return interpreted("Python", []string{"python3", "python"}, nil, f.path, given)
	case ".ps1":
		return interpreted("PowerShell", []string{"pwsh", "powershell"},
			[]string{"-NoProfile", "-NonInteractive", "-ExecutionPolicy", "RemoteSigned", "-File"}, f.path, given)
	}
	return "", nil, notScript
}

func interpreted(what string, names, flags []string, path string, given []string) (string, []string, string) {
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, slices.Concat(flags, []string{path}, given), ""
		}
	}
	return "", nil, fmt.Sprintf("That script needs %s, which is not installed.", what)
}

// startable tells whether the system knows how to start a file: by its first line, or as a program of its own.
func startable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [4]byte
	n, _ := f.Read(start[:])
	for _, magic := range []string{"#!", "\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if strings.HasPrefix(string(start[:n]), magic) {
			return true
		}
	}
	return false
}
