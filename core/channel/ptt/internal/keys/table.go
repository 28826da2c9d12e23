package keys

import "fmt"

// Key is one key as the systems know it.
type Key struct {
	Name  string // as settings write it, in lower case
	Sym   uint32 // X11 keysym
	SymX  string // name of the keysym, as xkbcommon and the desktop portal write it
	VK    uint16 // Windows virtual key code
	alone bool   // may be used without a modifier
	mod   Mods   // the modifier that it is itself
}

// Mod is the modifier that the key is itself, such as Ctrl for the right ctrl key; 0 for most.
func (k Key) Mod() Mods { return k.mod }

var table, named = build()

func build() ([]Key, map[string]Key) {
	all := []Key{
		typed("space", 0x20, "space", 0x20), typed("tab", 0xff09, "Tab", 0x09), typed("enter", 0xff0d, "Return", 0x0d),
		typed("escape", 0xff1b, "Escape", 0x1b), typed("backspace", 0xff08, "BackSpace", 0x08),
		typed("delete", 0xffff, "Delete", 0x2e), typed("home", 0xff50, "Home", 0x24), typed("end", 0xff57, "End", 0x23),
		typed("pageup", 0xff55, "Page_Up", 0x21), typed("pagedown", 0xff56, "Page_Down", 0x22),
		typed("left", 0xff51, "Left", 0x25), typed("up", 0xff52, "Up", 0x26),
		typed("right", 0xff53, "Right", 0x27), typed("down", 0xff54, "Down", 0x28),
		typed("grave", 0x60, "grave", 0xc0), typed("minus", 0x2d, "minus", 0xbd), typed("equal", 0x3d, "equal", 0xbb),
		typed("bracketleft", 0x5b, "bracketleft", 0xdb), typed("bracketright", 0x5d, "bracketright", 0xdd),
		typed("backslash", 0x5c, "backslash", 0xdc), typed("semicolon", 0x3b, "semicolon", 0xba),
		typed("apostrophe", 0x27, "apostrophe", 0xde), typed("comma", 0x2c, "comma", 0xbc),
		typed("period", 0x2e, "period", 0xbe), typed("slash", 0x2f, "slash", 0xbf),
		lone("insert", 0xff63, "Insert", 0x2d), lone("pause", 0xff13, "Pause", 0x13), lone("scrolllock", 0xff14, "Scroll_Lock", 0x91),
		lone("print", 0xff61, "Print", 0x2c), lone("menu", 0xff67, "Menu", 0x5d), lone("play", 0x1008ff14, "XF86AudioPlay", 0xb3),
		side("rightctrl", 0xffe4, "Control_R", 0xa3, Ctrl), side("rightalt", 0xffea, "Alt_R", 0xa5, Alt),
		side("rightshift", 0xffe2, "Shift_R", 0xa1, Shift), side("rightsuper", 0xffec, "Super_R", 0x5c, Super),
	}
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, typed(string(c), uint32(c), string(c), uint16(c-'a'+'A')))
	}
	for c := '0'; c <= '9'; c++ {
		all = append(all, typed(string(c), uint32(c), string(c), uint16(c)))
	}
	for n := uint32(1); n <= 24; n++ {
		all = append(all, lone(fmt.Sprint("f", n), 0xffbd+n, fmt.Sprint("F", n), uint16(0x6f+n)))
	}
	byName := map[string]Key{}
	for _, k := range all {
		byName[k.Name] = k
	}
	return all, byName
}

// typed is a key of everyday typing, which needs a modifier.
func typed(name string, sym uint32, symX string, vk uint16) Key {
	return Key{Name: name, Sym: sym, SymX: symX, VK: vk}
}

// lone is a key that nobody misses.
func lone(name string, sym uint32, symX string, vk uint16) Key {
	return Key{Name: name, Sym: sym, SymX: symX, VK: vk, alone: true}
}

// side is a modifier on the right side, used as a key.
func side(name string, sym uint32, symX string, vk uint16, mod Mods) Key {
	return Key{Name: name, Sym: sym, SymX: symX, VK: vk, alone: true, mod: mod}
}
