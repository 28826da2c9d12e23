//go:build cgo

package webrtc

import (
	"encoding/binary"
	"fmt"

	binding "github.com/maxhawkins/go-webrtcvad"
	"github.com/solo-assistant/solo/audio"
)

// Detector says of each frame whether it is speech. It is used by one goroutine at a time.
type Detector struct {
	mode int
	vad  *binding.VAD
	raw  [2 * audio.FrameLen]byte
}

// New makes a detector.
func New(c Config) (*Detector, error) {
	mode, err := c.mode()
	if err != nil {
		return nil, err
	}
	d := &Detector{mode: mode}
	return d, d.renew()
}

func (d *Detector) renew() error {
	vad, err := binding.New()
	if err != nil {
		return fmt.Errorf("opening the WebRTC VAD: %w", err)
	}
	if err := vad.SetMode(d.mode); err != nil {
		return fmt.Errorf("opening the WebRTC VAD in mode %d: %w", d.mode, err)
	}
	d.vad = vad
	return nil
}

// Speech says whether there is speech in f.
func (d *Detector) Speech(f audio.Frame) (bool, error) {
	if err := check(f); err != nil {
		return false, err
	}
	for i, s := range f.PCM {
		binary.NativeEndian.PutUint16(d.raw[2*i:], uint16(s))
	}
	speech, err := d.vad.Process(audio.Rate, d.raw[:])
	if err != nil {
		return false, fmt.Errorf("hearing speech: %w", err)
	}
	return speech, nil
}

// Reset forgets what was heard. Where that fails, which is memory running out, the old state goes on.
func (d *Detector) Reset() { _ = d.renew() }

// String names the engine.
func (d *Detector) String() string { return "webrtc" }
