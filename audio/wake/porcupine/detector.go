//go:build cgo && ((amd64 && (linux || windows || darwin)) || (linux && (arm || arm64) && porcupine_pi))

package porcupine

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	binding "github.com/Picovoice/porcupine/binding/go"
	"github.com/solo-assistant/solo/audio"
)

// frame is what the library takes at once, in samples (32 ms).
const frame = 512

// Detector finds its words in a stream. It is used by one goroutine at a time.
type Detector struct {
	words   []string
	engine  binding.Porcupine
	open    bool
	pending [frame]int16
	n       int
}

// New loads the library's words; it takes about 1 ms.
func New(c Config) (*Detector, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "solo-wake-")
	if err != nil {
		return nil, fmt.Errorf("unpacking wake words: %w", err)
	}
	defer os.RemoveAll(dir) // the library has read all of it once it is open
	d := &Detector{words: c.Words}
	if d.engine.ModelPath, err = put(dir, modelFile); err != nil {
		return nil, err
	}
	for _, w := range c.Words {
		path, err := put(dir, w)
		if err != nil {
			return nil, err
		}
		d.engine.KeywordPaths = append(d.engine.KeywordPaths, path)
		d.engine.Sensitivities = append(d.engine.Sensitivities, float32(c.Sensitivity))
	}
	if err := d.engine.Init(); err != nil {
		return nil, fmt.Errorf("opening porcupine: %w", err)
	}
	d.open = true
	return d, nil
}

// put writes one of the binding's files into dir and returns its path.
func put(dir, name string) (string, error) {
	b, ok := files[name]
	if !ok {
		return "", fmt.Errorf("unpacking wake words: the binding gave no %q", name)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return "", fmt.Errorf("unpacking wake words: %w", err)
	}
	return path, nil
}

// Feed takes 16 kHz mono sound of any length and says whether a word ended in it. At most 31 ms wait
// inside until the next Feed. Of several hits in one Feed the first is told; Score is NaN, the engine
// gives none.
func (d *Detector) Feed(pcm []int16) (audio.Hit, bool, error) {
	var hit audio.Hit
	var found bool
	for len(pcm) > 0 {
		took := copy(d.pending[d.n:], pcm)
		pcm = pcm[took:]
		if d.n += took; d.n < frame {
			break
		}
		d.n = 0
		i, err := d.process()
		if err != nil {
			return hit, found, err
		}
		if i >= 0 && !found {
			hit, found = audio.Hit{Word: d.words[i], Score: math.NaN()}, true
		}
	}
	return hit, found, nil
}

func (d *Detector) process() (int, error) {
	if !d.open {
		return -1, fmt.Errorf("hearing the wake word: the detector is closed")
	}
	i, err := d.engine.Process(d.pending[:])
	if err != nil {
		return -1, fmt.Errorf("hearing the wake word: %w", err)
	}
	return i, nil
}

// Reset forgets what was heard, so that half a word before a gap and half a word after it make none.
// The library has no call for that; half a second of silence does it.
func (d *Detector) Reset() {
	d.n, d.pending = 0, [frame]int16{}
	for range audio.Rate / 2 / frame {
		if _, err := d.process(); err != nil {
			return // Feed will say it
		}
	}
}

// Close frees the library's memory. It may be called twice.
func (d *Detector) Close() error {
	if !d.open {
		return nil
	}
	d.open = false
	if err := d.engine.Delete(); err != nil {
		return fmt.Errorf("closing porcupine: %w", err)
	}
	return nil
}

// Version is the library's, such as "1.9.0".
func Version() string { return binding.Version }
