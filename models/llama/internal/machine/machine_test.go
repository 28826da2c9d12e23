package machine

import (
	"runtime"
	"testing"
)

func TestThisMachine(t *testing.T) {
	if n := Cores(); n < 1 || n > runtime.NumCPU() {
		t.Errorf("%d cores of %d threads", n, runtime.NumCPU())
	}
	switch n := Memory(); runtime.GOOS {
	case "linux", "darwin", "windows":
		if n < 64<<20 || n > 1<<50 {
			t.Errorf("%d bytes of memory", n)
		}
	}
}
