// Package webrtc tells speech from other sound with the WebRTC project's voice activity detector.
//
// It costs 0.015 % of a core. Its answer may outlast the speech by some frames (its hangover), it misses
// weak endings, and it takes music and far voices for speech: whoever needs the true end or the one
// speaker looks at the level too. Without cgo a detector by energy stands in its place.
package webrtc

import (
	"fmt"

	"github.com/solo-assistant/solo/audio"
)

// DefaultMode misses no word in the mixes that package listen is tested with; 3 missed a short "no".
const DefaultMode = 2

// Config says how strict to be.
type Config struct {
	// Mode is 1 (lets most through) to 3 (strictest); 0 means DefaultMode.
	Mode int `toml:"mode" default:"2" min:"0" max:"3" doc:"1 takes most for speech, 3 least"`
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
