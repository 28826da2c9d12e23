package machine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tree writes files under a root of its own.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

var notebook = map[string]string{
	"proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz\n",
	"proc/loadavg": "1.25 0.80 0.50 1/300 1234\n",
	"proc/stat":    "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n",
	"proc/meminfo": "MemTotal:       16777216 kB\nMemFree: 100 kB\nMemAvailable:    4194304 kB\nodd\n",
	"proc/mounts": "/dev/sda1 / ext4 rw 0 0\nproc /proc proc rw 0 0\n/dev/sda1 /mnt/again ext4 rw 0 0\n" +
		"/dev/sdb1 /media/anna/My\\040Disk vfat rw 0 0\n/dev/loop1 /snap/x squashfs ro 0 0\nserver:/x /mnt/dead nfs rw 0 0\n",
	"proc/uptime":                          "273720.55 1000.00\n",
	"sys/class/power_supply/AC/type":       "Mains\n",
	"sys/class/power_supply/BAT0/type":     "Battery\n",
	"sys/class/power_supply/BAT0/capacity": "81\n",
	"sys/class/power_supply/BAT0/status":   "Charging\n",
	"sys/class/power_supply/m/type":        "Battery\n",
	"sys/class/power_supply/m/scope":       "Device\n",
	"sys/class/power_supply/m/capacity":    "5\n",
}

func rooms(path string) (total, free int64, err error) {
	switch path {
	case "/":
		return 500 << 30, 120 << 30, nil
	case "/media/anna/My Disk":
		return 2 << 40, 800 << 30, nil
	}
	return 0, 0, errors.New("no answer")
}

func TestLinux(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := linux{root: tree(t, notebook), room: rooms}
		time.AfterFunc(sample/2, func() {
			if err := os.WriteFile(filepath.Join(l.root, "proc/stat"), []byte("cpu  130 0 120 740 110 0 0 0 0 0\n"), 0o644); err != nil {
				t.Error(err)
			}
		})
		p, err := l.cpu(t.Context())
		if err != nil || p.Name != "Intel Core i7-8550U" || p.Load != 1.25 || p.Busy != 50 || p.Cores < 1 {
			t.Errorf("got %+v, %v", p, err)
		}
		if m, err := l.memory(); err != nil || m != (memory{16 << 30, 4 << 30}) {
			t.Errorf("got %+v, %v", m, err)
		}
		if d, err := l.disks(); err != nil || len(d) != 2 || d[1] != (disk{"/media/anna/My Disk", 2 << 40, 800 << 30}) {
			t.Errorf("got %+v, %v", d, err)
		}
		if b, err := l.battery(); err != nil || b != (battery{81, "charging"}) {
			t.Errorf("got %+v, %v", b, err)
		}
		if d, err := l.uptime(); err != nil || d.Truncate(time.Hour) != 76*time.Hour {
			t.Errorf("got %v, %v", d, err)
		}
	})
}

// A system that tells nothing, or nonsense, is said to be unknown.
func TestLinuxTellsNothing(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing": {},
		"nonsense": {"proc/stat": "cpu x y", "proc/meminfo": "MemTotal: many kB", "proc/uptime": "long", "proc/mounts": "odd\n", "proc/loadavg": "",
			"sys/class/power_supply/BAT0/type": "Battery", "sys/class/power_supply/BAT0/capacity": "half"},
	} {
		l := linux{root: tree(t, files), room: rooms}
		if _, err := l.memory(); err == nil {
			t.Errorf("%s: memory", name)
		}
		if d, _ := l.disks(); len(d) > 0 {
			t.Errorf("%s: disks %v", name, d)
		}
		if _, err := l.battery(); err == nil || errors.Is(err, errUnknown) {
			t.Errorf("%s: battery %v", name, err)
		}
		if _, err := l.uptime(); err == nil {
			t.Errorf("%s: uptime", name)
		}
		if p, _ := l.cpu(t.Context()); p.Busy != -1 {
			t.Errorf("%s: processor %+v", name, p)
		}
	}
}

// What this very machine tells is plausible.
func TestThisMachine(t *testing.T) {
	m := machine{source: system()}
	for _, theme := range []string{"cpu", "memory", "uptime"} {
		say, figures := m.tell(t.Context(), theme, false)
		if figures == nil || strings.HasPrefix(say, "I can't") {
			t.Errorf("%s: %q, %v", theme, say, figures)
		}
		t.Log(say)
	}
	v, err := m.source.memory()
	if err != nil || v.Total < 64<<20 || v.Free < 0 || v.Free > v.Total {
		t.Errorf("memory %+v, %v", v, err)
	}
}

func TestNoBattery(t *testing.T) {
	m := machine{source: linux{root: tree(t, map[string]string{"sys/class/power_supply/AC/type": "Mains"}), room: rooms}}
	if say, _ := m.tell(t.Context(), "battery", false); say != "This machine has no battery." {
		t.Errorf("said %q", say)
	}
	if say, _ := m.tell(t.Context(), "battery", true); say != "" {
		t.Errorf("among all, said %q", say)
	}
}
