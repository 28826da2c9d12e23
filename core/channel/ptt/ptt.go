// Package ptt is push-to-talk: a key that is held to talk, whichever window has the focus, and one
// that mutes.
//
// On Linux keys are watched through X11 or, in a Wayland session, through the desktop portal's global
// shortcuts; on Windows through RegisterHotKey and Raw Input; on macOS, in builds with the tag hotkey, through
// an event tap.
//
// The program gives what the keys do: Press stops speech at once and begins to listen without a wake
// word, Release ends the utterance at once, Mute turns the microphone off or on. However the keyboard behaves - auto-repeat,
// modifiers let go first, a display that goes away while the key is down - Press and Release come in
// turn, each once, and the door never leaves with a Press that has no Release.
//
// What keeps the keys from being watched (a key that another program holds, no display) is no failure
// of the service: Serve stays, Trouble says it in one sentence, and the keys are tried again later.
//
// # Concurrency promises
//
//   - Press, Release and Mute are called one at a time, in order, in Serve's goroutine. They should
//     return soon; what the keys do meanwhile is told afterwards.
//   - Trouble, How and Check may be called at any time.
package ptt

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// What Trouble may be, for errors.Is.
var (
	ErrTaken   = keys.ErrTaken   // another program holds the key
	ErrAbsent  = keys.ErrAbsent  // no display, no desktop session
	ErrUnable  = keys.ErrUnable  // this system, desktop or keyboard has no such key to watch
	ErrGone    = keys.ErrGone    // the display went away, or the desktop took the key back
	ErrRefused = keys.ErrRefused // the user did not let the desktop give the key; it is not asked again
)

// Config is what the user chooses and what the program gives.
type Config struct {
	Mode    string        `toml:"mode" default:"hold" allowed:"hold|toggle|off" doc:"hold the key while you talk, press it before and after (toggle), or off"`
	Key     string        `toml:"key" default:"ctrl+alt+space" doc:"key to talk with: ctrl+alt+space, F9, super+grave, rightctrl, ..."`
	MuteKey string        `toml:"mute_key" doc:"key that turns the microphone off and on; empty for none"`
	Longest time.Duration `toml:"longest" default:"2m" min:"1s" max:"1h" doc:"the longest that one press keeps the microphone open"`
	Through string        `toml:"through" default:"auto" allowed:"auto|x11|portal" doc:"how keys are watched on Linux"`

	Press   func() `toml:"-"` // the user begins to talk
	Release func() `toml:"-"` // the user has talked
	Mute    func() `toml:"-"` // the microphone goes off, or on again

	Getenv func(name string) string `toml:"-"` // nil: os.Getenv
	Log    zerolog.Logger           `toml:"-"`
}

// Door watches the keys.
type Door struct {
	conf    Config
	want    []keys.Wish
	deeds   []deed // what each of want is for
	watcher watcher

	mu      sync.Mutex
	trouble error
}

// deed is what a key is for.
type deed int

const (
	talk deed = iota
	mute
)

// New checks the settings; an error names a key that it does not know, and those that it knows.
func New(c Config) (*Door, error) {
	for _, give := range []*func(){&c.Press, &c.Release, &c.Mute} {
		if *give == nil {
			*give = func() {}
		}
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Mode == "" {
		c.Mode = "hold"
	}
	if c.Longest <= 0 {
		c.Longest = 2 * time.Minute
	}
	d := &Door{conf: c}
	if c.Mode != "off" {
		if err := d.add(c.Key, talk); err != nil {
			return nil, fmt.Errorf("push-to-talk: %w", err)
		}
	}
	if c.MuteKey != "" {
		if err := d.add(c.MuteKey, mute); err != nil {
			return nil, fmt.Errorf("push-to-talk, mute_key: %w", err)
		}
	}
	d.watcher = choose(c)
	return d, nil
}

func (d *Door) add(text string, what deed) error {
	chord, err := keys.Parse(text)
	if err != nil {
		return err
	}
	for _, other := range d.want {
		if other.Chord == chord {
			return fmt.Errorf("the key %s is to talk and to mute; choose two", chord)
		}
	}
	wish := keys.Wish{Chord: chord, Name: "talk", Say: "Hold to talk to Solo"}
	switch {
	case what == mute:
		wish.Name, wish.Say = "mute", "Turn Solo's microphone off or on"
	case d.conf.Mode == "toggle":
		wish.Say = "Press to talk to Solo, and again when done"
	}
	d.want, d.deeds = append(d.want, wish), append(d.deeds, what)
	return nil
}

func (d *Door) String() string { return "push-to-talk" }

// How says which keys do what, and through what they are watched, for people.
func (d *Door) How() string {
	var text string
	for i, chord := range d.want {
		switch {
		case d.deeds[i] == mute:
			text += fmt.Sprintf("press %s to mute, ", chord)
		case d.conf.Mode == "toggle":
			text += fmt.Sprintf("press %s before and after you talk, ", chord)
		default:
			text += fmt.Sprintf("hold %s to talk, ", chord)
		}
	}
	if text == "" {
		return "off"
	}
	return text + "through " + d.watcher.String()
}

// Trouble says in one sentence why the keys are not watched just now; nil while they are, and before
// Serve has tried.
func (d *Door) Trouble() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.trouble
}

// note keeps what went wrong, nil for nothing, and says whether that is new.
func (d *Door) note(err error) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	same := err == nil && d.trouble == nil || err != nil && d.trouble != nil && err.Error() == d.trouble.Error()
	d.trouble = err
	return !same
}

// lasting says that trying again would only annoy.
func lasting(err error) bool { return errors.Is(err, ErrRefused) }
