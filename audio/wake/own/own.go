// Package own hears a wake word that the user chose and Solo learned, without account or cloud.
//
// Sound becomes embeddings (openWakeWord's front end and Google's speech embedding, 1.3 MB of weights, both
// run in plain Go) and a small classifier that package train made says whether the word has just ended in
// them. What is doubtful may be given to a second stage, such as a recogniser that looks for the words.
package own

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// ErrAbsent says that a file that the detector needs is not there.
var ErrAbsent = errors.New("it is not there")

// Check says whether the word is in the last sound, Mono16k, at most CheckSpan of it. It is given to what is
// doubtful; ctx ends after CheckTime, and an error lets the word count.
type Check func(ctx context.Context, pcm []int16) (bool, error)

// Bounds of the second stage.
const (
	CheckSpan = 2500 * time.Millisecond
	CheckTime = 400 * time.Millisecond
)

// Config says what to listen for.
type Config struct {
	Embedding string   // path of openWakeWord's embedding_model.onnx
	Models    []string // paths of trained words, one at least
	// Threshold overrules the one that each word came with, 0 to 1; 0 does not.
	Threshold float64
	Check     Check // nil: every hit counts
	// Sure is the score from which on Check is not asked, 0 to 1; 0 means always.
	Sure float64
}

// New loads the embedding and the words.
func New(c Config) (*Detector, error) {
	if !(c.Threshold >= 0 && c.Threshold <= 1) || !(c.Sure >= 0 && c.Sure <= 1) {
		return nil, fmt.Errorf("wake word threshold %v and sure %v: want 0 to 1", c.Threshold, c.Sure)
	}
	if len(c.Models) == 0 {
		return nil, fmt.Errorf("no trained wake word is chosen; train one with: solo wake train \"hey solo\"")
	}
	e, err := OpenEar(c.Embedding)
	if err != nil {
		return nil, err
	}
	var models []*Model
	for _, path := range c.Models {
		m, err := Load(path)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return newDetector(c, e, models), nil
}

// OpenEar loads the embedding network; package train hears through it too.
func OpenEar(path string) (*ear.Ear, error) {
	b, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("openWakeWord's embedding_model.onnx: %w (looked at %q); get it with: solo models pull openwakeword-embedding", ErrAbsent, path)
	}
	if err != nil {
		return nil, fmt.Errorf("loading the speech embedding: %w", err)
	}
	e, err := ear.New(b)
	if err != nil {
		return nil, fmt.Errorf("loading the speech embedding from %s: %w", path, err)
	}
	return e, nil
}
