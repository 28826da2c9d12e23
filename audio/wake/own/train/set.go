package train

import (
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// clip is a sound as embeddings, and what is known of it.
type clip struct {
	Who   string // whose voice, for holding whole voices back
	Kind  kind
	Plain bool      // nothing was done to it but to make it louder or quieter
	End   int       // of a word: the sample behind it
	Sound []float32 // embeddings side by side
}

type kind uint8

const (
	word    kind = iota // the phrase, once
	similar             // something that sounds like it
	other               // speech or noise
	wrong               // what the user said was no wake word
)

// frames is how many embeddings a clip has.
func (c *clip) frames() int { return len(c.Sound) / ear.Size }

// ends is the sample with which embedding i ends.
func ends(i int) int { return ear.First + i*ear.Step }

// embed makes a clip of samples.
func embed(e *ear.Ear, pcm []int16) []float32 {
	var out []float32
	e.Reset()
	e.Hear(pcm, func(v []float32) { out = append(out, v...) })
	return out
}
