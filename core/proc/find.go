package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Executable is the name of a program's file on this system.
func Executable(program string) string {
	if runtime.GOOS == "windows" {
		return program + ".exe"
	}
	return program
}

// Unpacked are the files that may be a program in the folder for Solo's data: in bin, and where release archives unpack to,
// which is a folder whose name begins with prefix and in it one of the inner ones; of each the later names first. It is
// empty where data is no absolute path: a program must not depend on the working folder.
func Unpacked(data, prefix, program string, inner ...string) []string {
	if !filepath.IsAbs(data) {
		return nil
	}
	name := Executable(program)
	paths := []string{filepath.Join(data, "bin", name)}
	for _, in := range inner {
		found, _ := filepath.Glob(filepath.Join(Literal(data), prefix+"*", in, name)) // the pattern is well formed
		slices.Sort(found)
		slices.Reverse(found)
		paths = append(paths, found...)
	}
	return paths
}

// Fetched are the files that may be a program which a script put into .tools/NAME of a checkout, beside whose bin/solo we
// run, and where Homebrew puts it: a service on macOS has no such PATH.
func Fetched(tool, program string) (paths []string) {
	name := Executable(program)
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		paths = append(paths, filepath.Join(filepath.Dir(self), "..", ".tools", tool, name))
	}
	if runtime.GOOS == "darwin" {
		paths = append(paths, "/opt/homebrew/bin/"+name, "/usr/local/bin/"+name)
	}
	return paths
}

// Literal makes a folder's name stand for itself in a pattern of filepath.Glob.
func Literal(dir string) string {
	if runtime.GOOS == "windows" {
		return dir // its patterns know no escape; its names have no *
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}
