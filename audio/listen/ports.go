package listen

import (
	"context"

	"github.com/solo-assistant/solo/audio"
)

// Source gives the microphone's frames in their order; io.EOF ends them, as at the end of a file.
type Source interface {
	Read(ctx context.Context) (audio.Frame, error)
}

// Wake finds wake words in 16 kHz mono sound of any length. Reset forgets what was heard.
type Wake interface {
	Feed(pcm []int16) (audio.Hit, bool, error)
	Reset()
}

// VAD says of each frame whether someone speaks in it. Reset forgets what was heard.
type VAD interface {
	Speech(f audio.Frame) (bool, error)
	Reset()
}

// Stream recognises one utterance.
type Stream interface {
	Feed(pcm []int16) error
	Partial() string // words so far, "" for none; may change
	Finish(ctx context.Context) (audio.Transcript, error)
	Close() error
}

// Doubter is a Stream that hears an utterance again in its pauses. Doubts says that it does not trust the words of
// Partial, or not yet: an order that cannot go on is then waited for like one that may.
type Doubter interface{ Doubts() bool }
