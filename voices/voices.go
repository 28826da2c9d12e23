// Package voices is the vocabulary of speech: what is said, in which voice.
package voices

// Voice is one way to sound, such as flite's "slt".
type Voice struct {
	ID     string // "engine/name": "flite/slt", "espeak/en-us"
	Lang   string // BCP 47: "en-US"
	Rate   int    // sample rate of its sound, Hz
	Gender string // "female", "male" or ""
}

// Phrase is one piece of text to be spoken in one breath, usually a sentence.
type Phrase struct {
	Text  string
	Voice string  // name within the engine, "" for its default
	Pace  float64 // 1 is the voice's own pace, 2 twice as fast; 0 means 1; 0.5 to 3
}
