package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestCoresIn(t *testing.T) {
	for name, tt := range map[string]struct {
		siblings []string
		want     int
	}{
		"two threads a core": {[]string{"0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"}, 4},
		"two kinds of cores": {[]string{"0-1", "0-1", "2", "3"}, 3},
		"not told":           {nil, 0},
	} {
		dir := t.TempDir()
		for i, s := range tt.siblings {
			sub := filepath.Join(dir, fmt.Sprint("cpu", i), "topology")
			if err := os.MkdirAll(sub, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(sub, "thread_siblings_list"), s+"\n")
		}
		if got := coresIn(dir); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestMemoryIn(t *testing.T) {
	dir := t.TempDir()
	info, limit := filepath.Join(dir, "meminfo"), filepath.Join(dir, "max")
	for _, tt := range []struct {
		info, limit string
		want        int64
	}{
		{"MemTotal:       16384 kB\nMemFree: 1 kB\n", "max\n", 16 << 20},
		{"MemTotal:       16384 kB\n", "8388608\n", 8 << 20},
		{"MemTotal:       16384 kB\n", "99999999999\n", 16 << 20},
		{"nonsense", "max", 0},
		{"MemTotal: -5 kB", "4096", 4096},
	} {
		write(t, info, tt.info)
		write(t, limit, tt.limit)
		if got := memoryIn(info, limit); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.info, tt.limit, got, tt.want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
