//go:build cgo

package device

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// reachable says whether there may be a device of the kind. Asking the library where there is
// nothing takes long, so the sound server's socket and the kernel's devices are looked at first.
func reachable(k Kind) bool {
	for _, s := range servers() {
		if answers(s) {
			return true
		}
	}
	pattern := "/dev/snd/pcmC*c"
	if k == Playback {
		pattern = "/dev/snd/pcmC*p"
	}
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// servers are the addresses where a PulseAudio server, or PipeWire in its place, may listen.
func servers() []string {
	if s := os.Getenv("PULSE_SERVER"); s != "" {
		return strings.Fields(s)
	}
	var dirs []string
	if d := os.Getenv("PULSE_RUNTIME_PATH"); d != "" {
		dirs = append(dirs, d)
	}
	if d := os.Getenv("XDG_RUNTIME_DIR"); d != "" {
		dirs = append(dirs, filepath.Join(d, "pulse"))
	}
	dirs = append(dirs, filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "pulse"), "/run/pulse", "/var/run/pulse")
	for i, d := range dirs {
		dirs[i] = "unix:" + filepath.Join(d, "native")
	}
	return dirs
}

// answers says whether something listens at an address such as "unix:/run/pulse/native",
// "{machine}unix:...", "tcp:host:4713" or "host".
func answers(s string) bool {
	if i := strings.Index(s, "}"); strings.HasPrefix(s, "{") && i > 0 {
		s = s[i+1:]
	}
	network, at := "tcp", strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s, "tcp4:"), "tcp6:"), "tcp:")
	if path, ok := strings.CutPrefix(s, "unix:"); ok || strings.HasPrefix(s, "/") {
		network, at = "unix", path
		if !ok {
			at = s
		}
	} else if _, _, err := net.SplitHostPort(at); err != nil {
		at = net.JoinHostPort(at, "4713")
	}
	c, err := net.DialTimeout(network, at, 150*time.Millisecond)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
