// Package silero tells speech from other sound with the Silero VAD network, version 6.2, in plain Go.
//
// The weights are one safetensors file of 1.2 MB (snakers4/silero-vad, MIT; the 16 kHz network, taken
// from its ONNX file: upstream's own safetensors file holds others). It costs less than 1 % of a core.
package silero

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/solo-assistant/solo/audio"
)

// ErrAbsent says that there is no file of weights.
var ErrAbsent = errors.New("silero's weights are not there; convert silero_vad_16k_op15.onnx (github.com/snakers4/silero-vad) to safetensors and name the file as weights, or use the webrtc VAD")

// Config says where the weights are and when a window counts as speech.
type Config struct {
	Weights string  `toml:"weights"`             // path of the safetensors file
	On      float64 `toml:"on" min:"0" max:"1"`  // speech begins at this probability, 0 to 1; 0 means 0.5
	Off     float64 `toml:"off" min:"0" max:"1"` // and ends below this one; 0 means On - 0.15
}

func (c Config) filled() (Config, error) {
	if c.On == 0 {
		c.On = 0.5
	}
	if c.Off == 0 {
		c.Off = max(c.On-0.15, 0.01)
	}
	if !(c.On > 0 && c.On <= 1) || !(c.Off > 0 && c.Off <= c.On) {
		return c, fmt.Errorf("VAD probabilities on %v and off %v: want 0 < off <= on <= 1", c.On, c.Off)
	}
	return c, nil
}

// Detector says of each frame whether it is speech. It is used by one goroutine at a time.
//
// The network looks at windows of 32 ms. A frame of 20 ms gets the answer of the last window that it
// completed, or of the one before: the answer is at most 32 ms late.
type Detector struct {
	net    *network
	c      Config
	window [window]float32
	n      int
	speech bool
	last   float32 // probability of the last window
}

// New loads the weights.
func New(c Config) (*Detector, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(c.Weights)
	if c.Weights == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (looked at %q)", ErrAbsent, c.Weights)
	}
	if err != nil {
		return nil, fmt.Errorf("loading silero: %w", err)
	}
	tensors, err := readTensors(b)
	if err != nil {
		return nil, fmt.Errorf("loading silero from %s: %w", c.Weights, err)
	}
	net, err := newNetwork(tensors)
	if err != nil {
		return nil, fmt.Errorf("loading silero from %s: %w", c.Weights, err)
	}
	return &Detector{net: net, c: c}, nil
}

// Speech says whether there is speech in f, with hysteresis between On and Off.
func (d *Detector) Speech(f audio.Frame) (bool, error) {
	if len(f.PCM) != audio.FrameLen {
		return false, fmt.Errorf("hearing speech: a frame of %d samples, want %d", len(f.PCM), audio.FrameLen)
	}
	for _, s := range f.PCM {
		d.window[d.n] = float32(s) / 32768
		if d.n++; d.n == window {
			d.n = 0
			d.decide(d.net.probability(&d.window))
		}
	}
	return d.speech, nil
}

func (d *Detector) decide(p float32) {
	d.last = p
	if d.speech {
		d.speech = float64(p) >= d.c.Off
	} else {
		d.speech = float64(p) >= d.c.On
	}
}

// Probability is the network's answer on the last whole window, 0 to 1.
func (d *Detector) Probability() float64 { return float64(d.last) }

// Reset forgets what was heard.
func (d *Detector) Reset() {
	d.net.reset()
	d.n, d.speech, d.last = 0, false, 0
}

// String names the engine.
func (d *Detector) String() string { return "silero" }
