package rows

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// Tests run as root in containers, whom no mode keeps out: they give that up for a thread of their own.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Error(err)
				return
			}
		}
		do()
	}()
	<-done
}

func TestAReadOnlyPlaceIsSaid(t *testing.T) {
	pgtest.OnlyFiles(t)
	dir := t.TempDir()
	for d := dir; strings.HasPrefix(d, os.TempDir()) && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	locked := filepath.Join(t.TempDir(), "solo.db")
	reopen(t, locked)
	if err := os.Chmod(locked, 0o400); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		for name, path := range map[string]string{"folder": filepath.Join(dir, "solo.db"), "no folder": filepath.Join(dir, "new", "solo.db"), "file": locked} {
			db, err := Open(t.Context(), Config{Path: path})
			if err == nil {
				_ = db.Close()
				t.Errorf("%s: opened", name)
			} else if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
