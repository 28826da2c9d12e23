package own

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio/wake/own/internal/net"
)

// Extension is what a trained word's file ends in.
const Extension = ".wake"

// Model is a trained word.
type Model struct {
	Phrase    string    `json:"phrase"`    // lower case, such as "hey solo"
	Threshold float64   `json:"threshold"` // the score that it takes, 0 to 1
	Smooth    int       `json:"smooth"`    // over how many embeddings of 80 ms the score is the mean
	Made      time.Time `json:"made"`
	Held      Held      `json:"held"`

	net *net.Net
}

// Held is what the classifier did with sound that it had not learned from.
type Held struct {
	Words       int     `json:"words"`  // times that a voice said the word in quiet
	Missed      int     `json:"missed"` // and those in which it was not found
	Noisy       int     `json:"noisy"`  // the same in rooms, noise and talk, the noise 3 dB below the voice or less
	NoisyMissed int     `json:"noisy_missed"`
	User        int     `json:"user"` // the user's samples, quiet and noisy
	UserMissed  int     `json:"user_missed"`
	Near        int     `json:"near"` // phrases that sound somewhat like it
	NearFalse   int     `json:"near_false"`
	Other       float64 `json:"other"` // seconds of other speech and noise
	False       int     `json:"false"` // how often the word was found there
}

// NewModel is a word with a classifier of embeddings; the threshold is 0.5 and the score is not smoothed.
func NewModel(phrase string, n *net.Net) *Model {
	return &Model{Phrase: Phrase(phrase), Threshold: 0.5, Smooth: 1, net: n}
}

// Net is the classifier; it must not be changed once the model is in use.
func (m *Model) Net() *net.Net { return m.net }

// Phrase is text as a model holds it: lower case, single spaces.
func Phrase(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// FileName is a phrase's, such as "hey_solo.wake".
func FileName(phrase string) string {
	keep := func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r == ' ' || r == '-':
			return '_'
		}
		return -1
	}
	name := strings.Map(keep, Phrase(phrase))
	if name == "" {
		name = fmt.Sprintf("word_%x", phrase)
	}
	return name + Extension
}

// check says what is wrong with a model.
func (m *Model) check() error {
	switch {
	case m.Phrase == "" || len(m.Phrase) > 100 || m.Phrase != Phrase(m.Phrase):
		return fmt.Errorf("its phrase is %q", m.Phrase)
	case !(m.Threshold > 0 && m.Threshold <= 1):
		return fmt.Errorf("its threshold is %v", m.Threshold)
	case m.Smooth < 1 || m.Smooth > 10:
		return fmt.Errorf("its score is the mean of %d", m.Smooth)
	}
	for _, x := range append(m.net.Numbers(), []float32{m.net.OutBias}) {
		for _, v := range x {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return errors.New("it holds numbers that are none")
			}
		}
	}
	return nil
}

// Load reads a word's file.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the trained wake word: %w (looked at %q); make it with: solo wake train PHRASE", ErrAbsent, path)
	}
	if err != nil {
		return nil, fmt.Errorf("loading a wake word: %w", err)
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("loading the wake word from %s: %w", path, err)
	}
	return m, nil
}

// Save writes the word's file, whole or not at all.
func (m *Model) Save(path string) error {
	b, err := m.encode()
	if err != nil {
		return fmt.Errorf("saving a wake word: %w", err)
	}
	if err := replace(path, b); err != nil {
		return fmt.Errorf("saving the wake word %q: %w", m.Phrase, err)
	}
	return nil
}

// replace writes a file beside path and puts it there once it is whole.
func replace(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".wake-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone already where all went well
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
