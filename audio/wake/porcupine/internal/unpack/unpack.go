// Package unpack gives the Porcupine binding a folder of its own to unpack its library into.
//
// The binding writes its library and models to TMPDIR/porcupine while Go initialises packages, before
// main runs. It writes over what lies there: a second process would cut the library away under the
// first one, which then dies of SIGBUS, and another user's folder of that name would end the program.
// So this package points TMPDIR to a fresh folder first. Go initialises packages whose imports are
// ready in the order of their paths; this one imports little enough to come before "os/exec" and
// "path/filepath", which the binding needs. A test holds that promise.
package unpack

import (
	"os"
	"runtime"
	"time"
)

// prefix names the folders; stale is the age at which a folder was surely left by a crash.
const (
	prefix = "solo-porcupine-"
	stale  = time.Hour
)

// Dir is the folder that the binding unpacked into, "" where none could be made.
var Dir = claim()

var before, hadBefore = "", false

func claim() string {
	for _, base := range bases() {
		if base == "" || noExec(base) {
			continue
		}
		if os.MkdirAll(base, 0o700) != nil {
			continue
		}
		sweep(base)
		dir, err := os.MkdirTemp(base, prefix)
		if err != nil {
			continue
		}
		before, hadBefore = os.LookupEnv(variable())
		os.Setenv(variable(), dir)
		return dir
	}
	return ""
}

// bases are the places to try: the library must be allowed to run from there.
func bases() []string {
	cache, _ := os.UserCacheDir()
	return []string{os.TempDir(), cache, "/dev/shm", "."}
}

func variable() string {
	if runtime.GOOS == "windows" {
		return "TMP"
	}
	return "TMPDIR"
}

// sweep removes what crashed processes left. A folder lives for milliseconds, except on Windows, which
// keeps a loaded library from being removed: there the folder goes at a later start.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || len(e.Name()) <= len(prefix) || e.Name()[:len(prefix)] != prefix {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			os.RemoveAll(base + string(os.PathSeparator) + e.Name())
		}
	}
}

// Done puts TMPDIR back and removes the folder; the loaded library stays in memory.
func Done() {
	if Dir == "" {
		return
	}
	if hadBefore {
		os.Setenv(variable(), before)
	} else {
		os.Unsetenv(variable())
	}
	os.RemoveAll(Dir)
}
