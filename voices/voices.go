// Package voices is the vocabulary of speech: what is said, in which voice, and how text is cut and
// made fit to be spoken.
package voices

import "time"

// Voice is one way to sound, such as flite's "slt".
type Voice struct {
	ID     string // "engine/name": "flite/slt", "espeak/en-us"
	Lang   string // BCP 47: "en-US"
	Gender string // "female", "male" or ""
}

// Phrase is one piece of text to be spoken in one breath, usually a sentence.
type Phrase struct {
	Text  string
	Voice string  // name within the engine, "" for its default
	Pace  float64 // 1 is the voice's own pace, 2 twice as fast; 0 means 1; 0.5 to 3
}

// Spoken is what an answer came to at the loudspeaker.
type Spoken struct {
	Text  string    // the words that were really said, to the nearest word where it was cut off
	First time.Time // when the first sample was handed to the loudspeaker, zero where none was
	Rest  []string  // the sentences that were not, or not wholly, said
}

// Earcon is a short sound with a meaning.
type Earcon string

const (
	Hark  Earcon = "hark"  // Solo listens
	Sorry Earcon = "sorry" // nothing was heard or understood
	Chime Earcon = "chime" // something is due
)
