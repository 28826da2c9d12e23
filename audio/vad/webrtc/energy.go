//go:build !cgo

package webrtc

import "github.com/solo-assistant/solo/audio"

// Detector stands in where there is no cgo: speech is what is clearly louder than the quietest of late.
type Detector struct {
	margin float64 // dB above the floor
	floor  float64 // dBFS
	hold   int     // frames of hangover left
}

// hangover is the frames of speech after the last loud one, as the real detector has it.
const hangover = 5

// New makes a detector.
func New(c Config) (*Detector, error) {
	mode, err := c.mode()
	if err != nil {
		return nil, err
	}
	d := &Detector{margin: float64(6 + 2*mode)}
	d.Reset()
	return d, nil
}

// Speech says whether there may be speech in f.
func (d *Detector) Speech(f audio.Frame) (bool, error) {
	if err := check(f); err != nil {
		return false, err
	}
	level := max(audio.Level(f.PCM), -80)
	d.floor = min(level, d.floor+0.06) // up by 3 dB/s, down at once
	if level > d.floor+d.margin && level > -60 {
		d.hold = hangover + 1
	}
	d.hold = max(d.hold-1, -1)
	return d.hold >= 0, nil
}

// Reset forgets what was heard.
func (d *Detector) Reset() { d.floor, d.hold = -50, -1 }

// String names the engine.
func (d *Detector) String() string { return "energy" }
