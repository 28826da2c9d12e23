// Package porcupine hears the wake word with Picovoice's Porcupine 1.9.
//
// Library, model and 14 words come with the Go module: no key, no network, about 0.3 % of a core.
// The module has the library for 64-bit Intel Linux, Windows and macOS; elsewhere, and without cgo,
// New returns ErrAbsent. Raspberry Pi 3 and 4 can be had with the build tag porcupine_pi; it is no
// default because the binding ends the program at start on a board that it does not know.
package porcupine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrAbsent says that this build has no Porcupine.
var ErrAbsent = errors.New("porcupine is not in this build; on 64-bit Intel Linux, Windows or macOS build with CGO_ENABLED=1 and a C compiler (Debian: apt install gcc)")

// DefaultSensitivity is the lowest from which on hardly more is found: of 40 people's "jarvis" 39 clean,
// 97 % in 10 dB and 91 % in 5 dB of babble, and no false hit in the other recordings, clean or in babble
// (at 0.5: 39, 91 % and 79 %; at 1.0: 40, 98 % and 94 %).
const DefaultSensitivity = 0.9

// Words are those that Porcupine knows.
func Words() []string {
	return []string{
		"alexa", "americano", "blueberry", "bumblebee", "computer", "grapefruit", "grasshopper",
		"hey google", "hey siri", "jarvis", "ok google", "picovoice", "porcupine", "terminator",
	}
}

// Config says what to listen for.
type Config struct {
	// Words are one or more of Words(); none means "jarvis".
	Words []string `toml:"words" default:"jarvis" allowed:"alexa|americano|blueberry|bumblebee|computer|grapefruit|grasshopper|hey google|hey siri|jarvis|ok google|picovoice|porcupine|terminator" doc:"what wakes Solo"`
	// Sensitivity is 0 to 1, higher finds more and errs more; 0 means DefaultSensitivity.
	Sensitivity float64 `toml:"sensitivity" default:"0.9" min:"0" max:"1" doc:"higher hears the wake word more often, rightly and wrongly"`
}

// filled returns the config with its zero values replaced, or says what is wrong with it.
func (c Config) filled() (Config, error) {
	if len(c.Words) == 0 {
		c.Words = []string{"jarvis"}
	}
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = strings.ToLower(strings.TrimSpace(w))
		if !slices.Contains(Words(), words[i]) {
			return c, fmt.Errorf("wake word %q is not one of %s", w, strings.Join(Words(), ", "))
		}
		if slices.Contains(words[:i], words[i]) {
			return c, fmt.Errorf("wake word %q is given twice", w)
		}
	}
	c.Words = words
	if c.Sensitivity == 0 {
		c.Sensitivity = DefaultSensitivity
	}
	if !(c.Sensitivity > 0 && c.Sensitivity <= 1) {
		return c, fmt.Errorf("wake sensitivity %v is not between 0 and 1", c.Sensitivity)
	}
	return c, nil
}
