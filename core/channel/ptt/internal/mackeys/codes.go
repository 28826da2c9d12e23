// Package mackeys watches keys on macOS, in builds with the tag hotkey.
//
// The system tells keys through an event tap, for which the user must allow Solo in System Settings under Privacy and
// Security, Accessibility, and which needs the main thread's run loop: the program's main must run under
// mainthread.Init.
package mackeys

import (
	"fmt"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// codes are the virtual key codes of a Mac, by the names of keys (Apple's Events.h, kVK_...).
var codes = map[string]uint32{
	"space": 0x31, "tab": 0x30, "enter": 0x24, "escape": 0x35, "backspace": 0x33, "delete": 0x75, "home": 0x73, "end": 0x77, "pageup": 0x74, "pagedown": 0x79,
	"left": 0x7b, "right": 0x7c, "down": 0x7d, "up": 0x7e, "grave": 0x32, "minus": 0x1b, "equal": 0x18, "bracketleft": 0x21, "bracketright": 0x1e,
	"backslash": 0x2a, "semicolon": 0x29, "apostrophe": 0x27, "comma": 0x2b, "period": 0x2f, "slash": 0x2c,
	"a": 0x00, "b": 0x0b, "c": 0x08, "d": 0x02, "e": 0x0e, "f": 0x03, "g": 0x05, "h": 0x04, "i": 0x22, "j": 0x26, "k": 0x28, "l": 0x25, "m": 0x2e,
	"n": 0x2d, "o": 0x1f, "p": 0x23, "q": 0x0c, "r": 0x0f, "s": 0x01, "t": 0x11, "u": 0x20, "v": 0x09, "w": 0x0d, "x": 0x07, "y": 0x10, "z": 0x06,
	"0": 0x1d, "1": 0x12, "2": 0x13, "3": 0x14, "4": 0x15, "5": 0x17, "6": 0x16, "7": 0x1a, "8": 0x1c, "9": 0x19,
	"f1": 0x7a, "f2": 0x78, "f3": 0x63, "f4": 0x76, "f5": 0x60, "f6": 0x61, "f7": 0x62, "f8": 0x64, "f9": 0x65, "f10": 0x6d, "f11": 0x67, "f12": 0x6f,
	"f13": 0x69, "f14": 0x6b, "f15": 0x71, "f16": 0x6a, "f17": 0x40, "f18": 0x4f, "f19": 0x50, "f20": 0x5a,
}

// codeOf finds a key, or says that a Mac has none of that name.
func codeOf(c keys.Chord) (uint32, error) {
	code, ok := codes[c.Key.Name]
	if !ok {
		return 0, &keys.Trouble{Kind: keys.ErrUnable, Say: fmt.Sprintf("a Mac has no key %q to watch; choose another ptt.key, such as ctrl+alt+space or f19", c)}
	}
	return code, nil
}
