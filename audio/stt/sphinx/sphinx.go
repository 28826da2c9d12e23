// Package sphinx recognises speech with pocketsphinx: commands by grammar, free words by dictation.
//
// An Engine holds one decoder, which is not safe for two at once: it serves one Stream at a time and Open
// waits for the one before to be closed. A Stream is fed and finished by one goroutine; Partial may be
// asked by others. Config's functions are called by Feed, by Finish and by a goroutine of the Stream, never by two
// at once. The engine is compiled in with cgo and the build tag sphinx; without them New returns ErrAbsent.
package sphinx

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rs/zerolog"
)

// ErrAbsent says that pocketsphinx or its English model is not there, and how to get it.
var ErrAbsent = errors.New(absence[runtime.GOOS == "windows"])

var absence = map[bool]string{
	false: "pocketsphinx is not there: apt-get install libpocketsphinx-dev pocketsphinx-en-us, then make",
	true:  "pocketsphinx is not there: take it from Solo's archive for Windows, which has it in the program and its folder model beside it",
}

// ErrFinished says that a Stream was used after Finish or Close.
var ErrFinished = errors.New("the recogniser's stream is finished")

// ErrTooLong says that one utterance was fed more than Longest.
var ErrTooLong = errors.New("the utterance is too long for the recogniser")

// Longest is how much sound one Stream takes.
const Longest = 60 * time.Second

// DefaultModel is where Debian puts the English model.
const DefaultModel = "/usr/share/pocketsphinx/model/en-us"

// modelHere is the folder model/en-us beside the program, where an archive for other systems has it, or DefaultModel.
func modelHere() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "model", "en-us")
		if _, err := os.Stat(filepath.Join(beside, "cmudict-en-us.dict")); err == nil {
			return beside
		}
	}
	return DefaultModel
}

// Config says what is to be recognised. Zero values are meaningful: without Grammar and Sentences
// everything is dictation.
type Config struct {
	Model string `toml:"model"` // folder with en-us/, cmudict-en-us.dict and en-us.lm.bin; "" is model/en-us beside the program, or DefaultModel
	Cache string `toml:"-"`     // folder for what is built from the texts below; "" builds into a temporary one

	Grammar   string              `toml:"-"` // JSGF 1.0; its rule <free>, a loop of common words, stands for any words
	Sentences []string            `toml:"-"` // what people say, for the trigram; [day] in it stands for any of Classes["day"]
	Classes   map[string][]string `toml:"-"` // members of each class, of one or more words

	// FreeSpan says which words of a command, from included and to excluded, may be any words.
	// With Dictate they are decoded again by dictation.
	FreeSpan func(text string) (from, to int, ok bool) `toml:"-"`
	// Meaning names the command that a text is, with all that it says; "" where it is none, and equal for texts that
	// say the same. It lets the trigram and dictation rescue what the grammar missed, and two of them agree.
	Meaning func(text string) string `toml:"-"`
	// Dictate allows the dictation model, about 90 MB. It is loaded when words are first heard that need it.
	Dictate bool `toml:"dictate" default:"true" doc:"free words, such as what to remember, are heard by the dictation model: 90 MB more memory"`

	Log zerolog.Logger `toml:"-"`
}

// segment is one word or filler of a hypothesis.
type segment struct {
	word     string
	from, to int // first and last frame of 10 ms
	acoustic int // log score of the sound
}
