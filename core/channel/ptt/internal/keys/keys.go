// Package keys names keys and chords of keys, and says what may go wrong when one watches them.
package keys

import (
	"fmt"
	"slices"
	"strings"
)

// Mods is a set of modifiers. Left and right ones count alike.
type Mods uint8

const (
	Ctrl Mods = 1 << iota
	Alt
	Shift
	Super // the Windows key
)

// modNames is in the order in which a chord is written.
var modNames = []struct {
	name string
	mod  Mods
}{{"ctrl", Ctrl}, {"alt", Alt}, {"shift", Shift}, {"super", Super}}

// Chord is one key with the modifiers that must be down when it goes down.
type Chord struct {
	Mods Mods
	Key  Key
}

// Wish is a chord to watch, and what it is for.
type Wish struct {
	Chord
	Name string // a word that stays the same: "talk"
	Say  string // a line for people: "Hold to talk to Solo"
}

// Event is one change of a chord: which of those wanted, and whether it went down or up.
type Event struct {
	Which int
	Down  bool
}

func (c Chord) String() string {
	var b strings.Builder
	for _, m := range modNames {
		if c.Mods&m.mod != 0 {
			b.WriteString(m.name + "+")
		}
	}
	return b.String() + c.Key.Name
}

// aliases are other names that people write.
var aliases = map[string]string{
	"control": "ctrl", "option": "alt", "win": "super", "windows": "super", "cmd": "super", "meta": "super",
	"return": "enter", "esc": "escape", "backtick": "grave", "del": "delete", "ins": "insert", "pgup": "pageup", "pgdn": "pagedown",
	"rctrl": "rightctrl", "ralt": "rightalt", "rshift": "rightshift", "rsuper": "rightsuper", "break": "pause",
	"`": "grave", "-": "minus", "=": "equal", "[": "bracketleft", "]": "bracketright", "\\": "backslash", ";": "semicolon",
	"'": "apostrophe", ",": "comma", ".": "period", "/": "slash",
}

// Parse reads a chord such as "ctrl+alt+space", "F9" or "super+grave", in any case. What it refuses
// it explains: an unknown name lists the known ones; a key that people type with needs a modifier.
func Parse(text string) (Chord, error) {
	var c Chord
	if strings.TrimSpace(text) == "" {
		return Chord{}, fmt.Errorf("no key is named; %s", Allowed())
	}
	for part := range strings.SplitSeq(strings.ToLower(text), "+") {
		name := strings.TrimSpace(part)
		if a, ok := aliases[name]; ok {
			name = a
		}
		if mod := modNamed(name); mod != 0 {
			if c.Mods&mod != 0 {
				return Chord{}, fmt.Errorf("key %q names %s twice", text, name)
			}
			c.Mods |= mod
			continue
		}
		key, ok := named[name]
		switch {
		case !ok && name == "":
			return Chord{}, fmt.Errorf("key %q lacks a name beside a +; %s", text, Allowed())
		case !ok:
			return Chord{}, fmt.Errorf("key %q: there is no key %q; %s", text, name, Allowed())
		case c.Key.Name != "":
			return Chord{}, fmt.Errorf("key %q names two keys, %s and %s; a chord is modifiers and one key", text, c.Key.Name, name)
		}
		c.Key = key
	}
	return c, c.fit(text)
}

// fit refuses chords that would make the keyboard useless, or that no system can watch.
func (c Chord) fit(text string) error {
	switch {
	case c.Key.Name == "":
		return fmt.Errorf("key %q has only modifiers; %s", text, Allowed())
	case c.Key.mod != 0 && c.Mods != 0:
		return fmt.Errorf("key %q: %s stands alone, without modifiers", text, c.Key.Name)
	case !c.Key.alone && c.Mods&^Shift == 0:
		return fmt.Errorf("key %q would be taken from everything that people type; add ctrl, alt or super", text)
	}
	return nil
}

func modNamed(name string) Mods {
	for _, m := range modNames {
		if m.name == name {
			return m.mod
		}
	}
	return 0
}

// Allowed lists every name that Parse knows, for people.
func Allowed() string {
	var names []string
	for _, k := range table {
		if len(k.Name) > 1 && !isFunction(k.Name) {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return "modifiers are ctrl, alt, shift, super; keys are a-z, 0-9, f1-f24, " + strings.Join(names, ", ")
}

func isFunction(name string) bool {
	return len(name) <= 3 && name[0] == 'f' && name[1] >= '0' && name[1] <= '9'
}
