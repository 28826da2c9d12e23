package autostart

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// runKey is the list of what Windows starts for a user that logs in.
type runKey struct{}

const (
	runPath      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedPath = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
	valueName    = "Solo"
	longest      = 260 // characters of a command line there; Windows passes over longer ones
)

var errLong = errors.New("the path of the program is too long: Windows starts no command line of more than 260 characters at login")

func (runKey) write(_ context.Context, e Entry) error {
	command := windowsCommand(e)
	if len([]rune(command)) > longest {
		return errLong
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runPath, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer k.Close()
	if err := k.SetStringValue(valueName, command); err != nil {
		return err
	}
	return drop(approvedPath) // where the user switched it off once
}

func (runKey) remove(context.Context) error {
	return errors.Join(drop(runPath), drop(approvedPath))
}

// drop deletes our value of a key; none is no error.
func drop(path string) error {
	k, err := registry.OpenKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer k.Close()
	if err := k.DeleteValue(valueName); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}

func (runKey) read(e Entry) (State, bool, error) {
	s := State{How: "registry", Where: `HKEY_CURRENT_USER\` + runPath + `\` + valueName}
	k, err := registry.OpenKey(registry.CURRENT_USER, runPath, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	defer k.Close()
	s.Starts, _, err = k.GetStringValue(valueName)
	if errors.Is(err, registry.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	s.On = true
	if disapproved() {
		s.On, s.Trouble = false, "it was switched off in the Task Manager or in Settings, Startup; solo autostart on switches it on again"
	}
	return s, strings.EqualFold(s.Starts, windowsCommand(e)), nil
}

// disapproved is whether the user switched it off in the Task Manager: the first byte is odd then.
func disapproved() bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, approvedPath, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer k.Close()
	b, _, err := k.GetBinaryValue(valueName)
	return err == nil && len(b) > 0 && b[0]&1 == 1
}

// windowsCommand starts the program without a window where solow.exe, which does that, lies beside it.
func windowsCommand(e Entry) string {
	program := e.Program
	quiet := filepath.Join(filepath.Dir(program), "solow.exe")
	if _, err := windows.GetFileAttributes(windows.StringToUTF16Ptr(quiet)); err == nil {
		program = quiet
	}
	words := []string{`"` + program + `"`} // always in quotation marks: a folder's name may have spaces, and a hostile neighbour
	for _, a := range e.Args {
		words = append(words, windows.EscapeArg(a))
	}
	return strings.Join(words, " ")
}
