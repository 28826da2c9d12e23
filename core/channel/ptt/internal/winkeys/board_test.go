package winkeys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

func wishes(t *testing.T, chords ...string) (all []keys.Wish) {
	t.Helper()
	for _, text := range chords {
		c, err := keys.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, keys.Wish{Chord: c})
	}
	return all
}

const vkSpace, vkF9 = 0x20, 0x78

func TestBoard(t *testing.T) {
	all := []string{"ctrl+alt+space", "f9", "rightctrl", "rightshift"}
	is := func(down bool) func(uint16) bool { return func(uint16) bool { return down } }
	for name, tt := range map[string]struct {
		do   func(b *board)
		want string
	}{
		"down by the hotkey, up by raw input": {func(b *board) {
			b.raw(vkSpace, 0, 0x39)
			b.hotkey(0)
			b.raw(vkSpace, 0, 0x39) // repeats
			b.raw(vkSpace, 0, 0x39)
			b.raw(vkSpace, keyBreak, 0x39)
		}, "+0 -0"},
		"raw input alone is no chord": {func(b *board) { b.raw(vkSpace, 0, 0x39); b.raw(vkSpace, keyBreak, 0x39) }, ""},
		"modifiers first":             {func(b *board) { b.hotkey(0); b.raw(vkCtrl, keyBreak, 0x1d); b.raw(vkSpace, keyBreak, 0x39) }, "+0 -0"},
		"two at once":                 {func(b *board) { b.hotkey(0); b.hotkey(1); b.raw(vkF9, keyBreak, 0); b.raw(vkSpace, keyBreak, 0) }, "+0 +1 -1 -0"},
		"up twice":                    {func(b *board) { b.hotkey(1); b.raw(vkF9, keyBreak, 0); b.raw(vkF9, keyBreak, 0) }, "+1 -1"},
		"right ctrl, which repeats": {func(b *board) {
			b.raw(vkCtrl, keyE0, 0x1d)
			b.raw(vkCtrl, keyE0, 0x1d)
			b.raw(vkCtrl, keyE0|keyBreak, 0x1d)
		}, "+2 -2"},
		"left ctrl is another":         {func(b *board) { b.raw(vkCtrl, 0, 0x1d); b.raw(vkCtrl, keyBreak, 0x1d) }, ""},
		"right shift by its scan code": {func(b *board) { b.raw(vkShift, 0, 0x36); b.raw(vkShift, 0, 0x2a); b.raw(vkShift, keyBreak, 0x36) }, "+3 -3"},
		"up that was never told": {func(b *board) {
			b.hotkey(1)
			b.look(is(false))
			b.look(is(false))
			b.look(is(false))
			b.look(is(false))
		}, "+1 -1"},
		"a look that missed":             {func(b *board) { b.hotkey(1); b.look(is(false)); b.look(is(false)); b.look(is(true)); b.look(is(false)) }, "+1"},
		"a hotkey that nobody asked for": {func(b *board) { b.hotkey(-1); b.hotkey(4) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			tt.do(newBoard(wishes(t, all...), func(e keys.Event) {
				said = append(said, fmt.Sprintf("%c%d", map[bool]rune{true: '+', false: '-'}[e.Down], e.Which))
			}))
			if got := strings.Join(said, " "); got != tt.want {
				t.Errorf("%s; want %s", got, tt.want)
			}
		})
	}
}

func TestModifiers(t *testing.T) {
	for text, want := range map[string]uintptr{
		"f9": 0x4000, "ctrl+a": 0x4002, "alt+a": 0x4001, "ctrl+alt+shift+super+a": 0x400f, "super+a": 0x4008,
	} {
		if got := modifiers(wishes(t, text)[0].Mods); got != want {
			t.Errorf("%s: %#x", text, got)
		}
	}
}
