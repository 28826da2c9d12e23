//go:build !(cgo && ((amd64 && (linux || windows || darwin)) || (linux && (arm || arm64) && porcupine_pi)))

package porcupine

import "github.com/solo-assistant/solo/audio"

// Detector stands where Porcupine is absent; New never returns one.
type Detector struct{}

// New returns ErrAbsent, or what is wrong with c.
func New(c Config) (*Detector, error) {
	if _, err := c.filled(); err != nil {
		return nil, err
	}
	return nil, ErrAbsent
}

// Feed returns ErrAbsent.
func (*Detector) Feed([]int16) (audio.Hit, bool, error) { return audio.Hit{}, false, ErrAbsent }

// Reset does nothing.
func (*Detector) Reset() {}

// Close does nothing.
func (*Detector) Close() error { return nil }

// Version is "".
func Version() string { return "" }
