package listen

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Utterance is what the user said in one turn, still with its recogniser.
type Utterance struct {
	From     time.Duration // first sample that the recogniser was fed, in the stream
	Start    time.Duration // first sample of speech in the stream
	End      time.Duration // last sample of speech
	Endpoint time.Duration // sound from End to the decision that the turn ended
	Partial  string        // the recogniser's words at that decision, "" for none
	Why      string        // what ended it: "final", "extendable", "strange", "open", "faded", "stalled", "longest", "key" or "end of sound"

	mu     sync.Mutex
	stream Stream
	said   audio.Transcript
	err    error
}

// errClosed is what Finish returns after Close.
var errClosed = errors.New("the utterance was closed")

// Finish is the recogniser's last word, audio.ErrNoSpeech where it heard none. It may take long and is
// called outside the listener's callbacks; it frees the recogniser. A second call gives the same again. When
// the next turn opens before Finish was called, it fails: the user has woken Solo again.
func (u *Utterance) Finish(ctx context.Context) (audio.Transcript, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stream == nil {
		return u.said, u.err
	}
	said, err := u.stream.Finish(ctx)
	if closeErr := u.stream.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("closing the recogniser: %w", closeErr)
	}
	u.stream, u.said, u.err = nil, said, err
	return said, err
}

// forsake frees the recogniser where nobody has begun to finish: the next turn needs it, and who wakes Solo
// again no longer waits for an answer.
func (u *Utterance) forsake() {
	if !u.mu.TryLock() {
		return
	}
	defer u.mu.Unlock()
	if u.stream != nil {
		u.stream.Close() // its error changes nothing for anyone
		u.stream, u.err = nil, errClosed
	}
}

// Close frees the recogniser of an utterance that nobody wants to read. It may be called after Finish.
func (u *Utterance) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stream == nil {
		return nil
	}
	err := u.stream.Close()
	u.stream, u.err = nil, errClosed
	return err
}
