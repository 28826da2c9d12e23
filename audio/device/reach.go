//go:build cgo && !linux

package device

// reachable is always possible where the system itself has the sound.
func reachable(Kind) bool { return true }
