package keys

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"ctrl+alt+space":         "ctrl+alt+space",
		"F9":                     "f9",
		"super+grave":            "super+grave",
		" Control + Option + A ": "ctrl+alt+a",
		"space+alt+ctrl":         "ctrl+alt+space",
		"win+`":                  "super+grave",
		"cmd+shift+/":            "shift+super+slash",
		"RightCtrl":              "rightctrl",
		"ralt":                   "rightalt",
		"Pause":                  "pause",
		"shift+f24":              "shift+f24",
		"ctrl+Return":            "ctrl+enter",
		"meta+0":                 "super+0",
		"alt+pgdn":               "alt+pagedown",
	} {
		c, err := Parse(text)
		if err != nil || c.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, c, err, want)
		}
	}
}

// What is refused says why, and an unknown name lists what is allowed.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":               "no key is named; modifiers are",
		" ":              "no key is named",
		"+":              "lacks a name",
		"ctrl++":         "lacks a name",
		"ctrl+alt":       "only modifiers",
		"hyper+x":        `there is no key "hyper"; modifiers are ctrl, alt, shift, super; keys are a-z, 0-9, f1-f24, apostrophe`,
		"f25":            `there is no key "f25"`,
		"f0":             `there is no key "f0"`,
		"ctrl+ä":         `there is no key "ä"`,
		"ctrl+ctrl+a":    "ctrl twice",
		"ctrl+control+a": "ctrl twice",
		"ctrl+a+b":       "two keys, a and b",
		"a":              "add ctrl, alt or super",
		"shift+space":    "add ctrl, alt or super",
		"enter":          "add ctrl, alt or super",
		"alt+rightctrl":  "stands alone",
	} {
		if c, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want an error with %q", text, c, err, want)
		}
	}
}

// Every key has its own code in each system, and every name is listed or belongs to a listed range.
func TestTable(t *testing.T) {
	syms, vks, names := map[uint32]string{}, map[uint16]string{}, map[string]bool{}
	for _, k := range table {
		if syms[k.Sym] != "" || vks[k.VK] != "" || names[k.SymX] {
			t.Errorf("%s shares a code with %s%s", k.Name, syms[k.Sym], vks[k.VK])
		}
		syms[k.Sym], vks[k.VK], names[k.SymX] = k.Name, k.Name, true
		if len(k.Name) > 1 && !isFunction(k.Name) && !strings.Contains(Allowed(), k.Name) {
			t.Errorf("%s is not listed", k.Name)
		}
	}
	if len(named) != len(table) {
		t.Errorf("%d names for %d keys", len(named), len(table))
	}
	for from, to := range aliases {
		if _, ok := named[to]; !ok && modNamed(to) == 0 {
			t.Errorf("%s stands for %s, which is unknown", from, to)
		}
	}
}

// What is understood is written so that it is understood the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"ctrl+alt+space", "F9", "super+grave", "", "+", "a+b", "Control+ +x", "\xff+a", "rightctrl", "ctrl+İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		again, err := Parse(c.String())
		if err != nil || again != c {
			t.Errorf("%q is %v, which is %v, %v", text, c, again, err)
		}
	})
}
