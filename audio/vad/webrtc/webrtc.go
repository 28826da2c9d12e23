// Package webrtc tells speech from other sound with the WebRTC project's voice activity detector.
//
// It costs 0.01 % of a core. It goes on saying speech for about 100 ms after the last of it (its
// hangover), and takes music and loud voices nearby for speech; whoever needs the true end or the one
// speaker looks at the level too. Without cgo a detector by energy stands in its place.
package webrtc

import (
	"fmt"

	"github.com/solo-assistant/solo/audio"
)

// DefaultMode lets most words through and little noise.
const DefaultMode = 3

// Config says how strict to be.
type Config struct {
	// Mode is 1 (lets most through) to 3 (strictest); 0 means DefaultMode.
	Mode int `toml:"mode"`
}

func (c Config) mode() (int, error) {
	switch {
	case c.Mode == 0:
		return DefaultMode, nil
	case c.Mode < 1 || c.Mode > 3:
		return 0, fmt.Errorf("VAD mode %d is not 1, 2 or 3", c.Mode)
	}
	return c.Mode, nil
}

func check(f audio.Frame) error {
	if len(f.PCM) != audio.FrameLen {
		return fmt.Errorf("hearing speech: a frame of %d samples, want %d", len(f.PCM), audio.FrameLen)
	}
	return nil
}
