//go:build !cgo

package device

// openDriver has nothing to open: sound devices are reached through C.
func openDriver(Kind) (driver, error) { return nil, ErrAbsent }
