// Package winkeys watches chords of keys on Windows, whichever window has the focus.
//
// RegisterHotKey keeps a chord from other programs and tells when it goes down; Raw Input tells when
// the key goes up. A key that is a modifier itself cannot be registered: Raw Input tells both. While a
// window of an administrator has the focus Windows tells other programs no more of a key than that it
// went down; a hold then ends at once, rather than never.
package winkeys

import "github.com/solo-assistant/solo/core/channel/ptt/internal/keys"

// Flags of a raw key.
const (
	keyBreak = 1 // the key goes up
	keyE0    = 2 // an extended key, such as the right one of two
)

// Virtual keys that stand for the left and the right key in raw input, and the right shift's scan code.
const (
	vkShift, vkCtrl, vkAlt    = 0x10, 0x11, 0x12
	vkRShift, vkRCtrl, vkRAlt = 0xa1, 0xa3, 0xa5
	scanRShift                = 0x36
)

// misses is how many looks in a row must find a held key up before it counts as up: a single look may
// come while the focus changes.
const misses = 3

// board knows which wishes are down.
type board struct {
	want   []keys.Wish
	down   []bool
	missed []int
	told   func(keys.Event)
}

func newBoard(want []keys.Wish, told func(keys.Event)) *board {
	return &board{want: want, down: make([]bool, len(want)), missed: make([]int, len(want)), told: told}
}

// hotkey notes that a registered chord went down.
func (b *board) hotkey(i int) {
	if i >= 0 && i < len(b.want) {
		b.set(i, true)
	}
}

// raw notes a raw key: its virtual key, flags and scan code.
func (b *board) raw(vk, flags, scan uint16) {
	vk = sided(vk, flags, scan)
	for i, w := range b.want {
		switch {
		case w.Key.VK != vk:
		case flags&keyBreak != 0:
			b.set(i, false)
		case w.Key.Mod() != 0:
			b.set(i, true)
		}
	}
}

// look asks of each held key whether it is down still.
func (b *board) look(isDown func(vk uint16) bool) {
	for i, w := range b.want {
		if !b.down[i] || isDown(w.Key.VK) {
			b.missed[i] = 0
			continue
		}
		if b.missed[i]++; b.missed[i] >= misses {
			b.set(i, false)
		}
	}
}

func (b *board) set(i int, down bool) {
	if b.down[i] == down {
		return
	}
	b.down[i], b.missed[i] = down, 0
	b.told(keys.Event{Which: i, Down: down})
}

// sided is the virtual key of the right modifier where a raw key means that one.
func sided(vk, flags, scan uint16) uint16 {
	switch {
	case vk == vkCtrl && flags&keyE0 != 0:
		return vkRCtrl
	case vk == vkAlt && flags&keyE0 != 0:
		return vkRAlt
	case vk == vkShift && scan == scanRShift:
		return vkRShift
	}
	return vk
}

// Modifiers of RegisterHotKey.
const (
	modAlt, modCtrl, modShift, modWin = 1, 2, 4, 8
	modNoRepeat                       = 0x4000
)

// modifiers are a chord's as RegisterHotKey wants them.
func modifiers(m keys.Mods) uintptr {
	all := uintptr(modNoRepeat)
	for mod, bit := range map[keys.Mods]uintptr{keys.Alt: modAlt, keys.Ctrl: modCtrl, keys.Shift: modShift, keys.Super: modWin} {
		if m&mod != 0 {
			all |= bit
		}
	}
	return all
}
