// Package event holds the facts of a turn, in the order in which they happen.
//
// They ride the bus: past tense, small, immutable, no sound inside. What the user said is private:
// listeners log it at debug only.
package event

import (
	"encoding/json"
	"time"
)

// State is what the conductor of the turn is doing.
type State string

const (
	Idle      State = "idle"
	Listening State = "listening"
	Thinking  State = "thinking"
	Speaking  State = "speaking"
	Muted     State = "muted" // the microphone is closed by the user's word
)

// StateChanged says that the conversation entered a state.
type StateChanged struct{ State State }

// Woke says that the wake word, a key or a follow-up opened the user's turn.
type Woke struct {
	Word  string        // "" where no word was needed
	Score float64       // 0 to 1, NaN where the engine gives none
	At    time.Duration // end of the word in the audio stream
}

// Partial is what the recogniser holds so far. Stable words no longer change.
type Partial struct {
	Text   string
	Stable bool
}

// Heard is the finished utterance.
type Heard struct {
	Text   string
	Sure   float64       // 0 to 1
	Engine string        // recogniser, or "typed"
	Start  time.Duration // first sample of speech in the audio stream
	End    time.Duration // last sample of speech
}

// Misheard says that a turn was opened but no words came of it.
type Misheard struct{ Why string }

// Understood says what the words were taken to mean.
type Understood struct {
	Intent string            // the command's name, "" for none
	Slots  map[string]string // canonical values by slot name
}

// Acted says that a tool was called.
type Acted struct {
	Tool      string
	Arguments json.RawMessage // the user's own words: private
	Status    string          // "ok", "asked" (it waits for the user's word), "denied" or "failed"
	Source    string          // path or address of what strangers wrote and the tool read, "" for none: private
	Took      time.Duration
}

// Replied is one sentence of the answer, handed to the voice.
type Replied struct{ Text string }

// Interrupted says that the user spoke over the answer. Spoken is what was really said aloud.
type Interrupted struct{ Spoken string }

// Turned closes a turn with each stage's time.
type Turned struct {
	Outcome    string        // "answered", "interrupted", "misheard" or "failed"
	Heard      string        // what the user said
	Spoken     string        // what was really said aloud
	Endpoint   time.Duration // audio time from the last speech sample to the decision that the turn ended
	STT        time.Duration // wall time from that decision to the transcript
	Think      time.Duration // wall time from the transcript to the first sentence
	FirstAudio time.Duration // wall time from the first sentence to its first sample at the speaker
}

// Total is the time that the user waited for the first sound, the sum of the stages.
func (t Turned) Total() time.Duration { return t.Endpoint + t.STT + t.Think + t.FirstAudio }

// Telling is how a promise that is due is told.
type Telling string

const (
	First Telling = ""      // for the first time
	Again Telling = "again" // it may have been told before: Solo ended while it was
	Still Telling = "still" // it was told, and nobody answered
	On    Telling = "on"    // it was told and rings on: its words are known
)

// Due says that a promised time has come.
type Due struct {
	Kind string // "timer", "alarm", "reminder", "briefing" or "routine"
	ID   int64
	Text string    // name of the timer or what to remind of, may be ""
	At   time.Time // when it was promised for
	Late time.Duration
	How  Telling
}

// Level is the loudness of the microphone, at most every 50 ms.
type Level struct{ DBFS float64 } // -100 (silence) to 0 (full scale), RMS
