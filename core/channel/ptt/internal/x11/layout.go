package x11

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jezek/xgb/xproto"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// Keysyms of the modifiers and the locks.
const (
	symNumLock    = 0xff7f
	symScrollLock = 0xff14
)

var symsOf = map[keys.Mods][]xproto.Keysym{
	keys.Alt:   {0xffe9, 0xffea, 0xffe7, 0xffe8}, // Alt_L, Alt_R, Meta_L, Meta_R
	keys.Super: {0xffeb, 0xffec},                 // Super_L, Super_R
}

// layout is what the keys of this keyboard mean just now.
type layout struct {
	first xproto.Keycode
	width int // keysyms a key
	syms  []xproto.Keysym
	masks map[keys.Mods]uint16 // the modifier bit of each
	locks []uint16             // every combination of locks that must not matter
}

// learn asks the server for the keyboard's layout.
func learn(w *wire) (*layout, error) {
	setup := xproto.Setup(w.Conn)
	n := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	m, err := xproto.GetKeyboardMapping(w.Conn, setup.MinKeycode, n).Reply()
	if err != nil {
		return nil, fmt.Errorf("ask for the keyboard's layout: %w", err)
	}
	mods, err := xproto.GetModifierMapping(w.Conn).Reply()
	if err != nil {
		return nil, fmt.Errorf("ask for the keyboard's modifiers: %w", err)
	}
	l := &layout{first: setup.MinKeycode, width: int(m.KeysymsPerKeycode), syms: m.Keysyms}
	l.modifiers(mods)
	return l, nil
}

// same says that every key and modifier is where it was.
func (l *layout) same(o *layout) bool {
	return l.first == o.first && l.width == o.width && slices.Equal(l.syms, o.syms) &&
		maps.Equal(l.masks, o.masks) && slices.Equal(l.locks, o.locks)
}

// modifiers finds which bit of a key event stands for which modifier: alt and super are where the
// layout put them.
func (l *layout) modifiers(m *xproto.GetModifierMappingReply) {
	l.masks = map[keys.Mods]uint16{keys.Shift: xproto.ModMaskShift, keys.Ctrl: xproto.ModMaskControl}
	l.locks = []uint16{0, xproto.ModMaskLock}
	for bit := 3; bit < 8; bit++ { // Mod1 to Mod5
		mask := uint16(1) << bit
		for mod, syms := range symsOf {
			if l.masks[mod] == 0 && l.holds(m, bit, syms...) {
				l.masks[mod] = mask
			}
		}
		if l.holds(m, bit, symNumLock, symScrollLock) {
			for _, other := range l.locks {
				l.locks = append(l.locks, other|mask)
			}
		}
	}
}

// holds says whether one of the syms is on a key that sets the modifier bit.
func (l *layout) holds(m *xproto.GetModifierMappingReply, bit int, syms ...xproto.Keysym) bool {
	per := int(m.KeycodesPerModifier)
	for _, code := range m.Keycodes[bit*per : (bit+1)*per] {
		for _, have := range l.symsAt(code) {
			for _, s := range syms {
				if have == s {
					return true
				}
			}
		}
	}
	return false
}

func (l *layout) symsAt(code xproto.Keycode) []xproto.Keysym {
	at := (int(code) - int(l.first)) * l.width
	if code < l.first || at+l.width > len(l.syms) {
		return nil
	}
	return l.syms[at : at+l.width]
}

// codes finds the keys that make a keysym: those that make it alone, else those that make it at all.
func (l *layout) codes(sym xproto.Keysym) []xproto.Keycode {
	for column := range l.width {
		var found []xproto.Keycode
		for at := column; at < len(l.syms); at += l.width {
			if l.syms[at] == sym {
				found = append(found, l.first+xproto.Keycode(at/l.width))
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// mask is the bits of a chord's modifiers; an error names one that the keyboard lacks.
func (l *layout) mask(m keys.Mods) (uint16, error) {
	var all uint16
	for _, mod := range []keys.Mods{keys.Ctrl, keys.Alt, keys.Shift, keys.Super} {
		if m&mod == 0 {
			continue
		}
		bit := l.masks[mod]
		if bit == 0 {
			return 0, fmt.Errorf("this keyboard has no %s", (keys.Chord{Mods: mod}).String())
		}
		all |= bit
	}
	return all, nil
}

// plain is the bits of a key event that count: those of modifiers, without locks and buttons.
func (l *layout) plain(state uint16) uint16 {
	var all uint16
	for _, bit := range l.masks {
		all |= bit
	}
	return state & all
}
