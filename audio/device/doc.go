// Package device joins Solo to microphones and speakers, and to recordings that stand in for both.
//
// A Mic and a Speaker survive an unplugged device, a changed default and a restarted sound server:
// whoever reads or plays notices silence and no more. A Tape is both at once, out of a recording and
// into one, on one clock.
//
// Concurrency: every method may be called from any goroutine. Frames are read by one goroutine at a time.
package device

import "errors"

var (
	// ErrNoMicrophone says that this machine has no microphone at all.
	ErrNoMicrophone = errors.New("no microphone was found: plug one in, or check that the sound server runs")
	// ErrNoSpeaker says that this machine has no speaker at all.
	ErrNoSpeaker = errors.New("no speaker was found: plug one in, or check that the sound server runs")
	// ErrBusy says that another program has the device for itself.
	ErrBusy = errors.New("another program has the device for itself")
	// ErrAbsent says that this build of Solo can not reach sound devices.
	ErrAbsent = errors.New("this build has no sound devices: build it with a C compiler and CGO_ENABLED=1 (make build)")
	// ErrEnded says that a Tape is over and nothing more will be played on it.
	ErrEnded = errors.New("the tape has ended")
)

// Config is what the user may set about devices.
type Config struct {
	Microphone string `toml:"microphone" doc:"a part of the microphone's name, see solo devices; empty: the system's default"`
	Speaker    string `toml:"speaker" doc:"a part of the loudspeaker's name; empty: the system's default"`
}
