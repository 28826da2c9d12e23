package mackeys

import (
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

func TestCodes(t *testing.T) {
	for text, want := range map[string]uint32{"ctrl+alt+space": 49, "F9": 0x65, "cmd+grave": 50, "ctrl+shift+z": 6} {
		c, err := keys.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := codeOf(c); err != nil || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, err, want)
		}
	}
	c, err := keys.Parse("scrolllock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codeOf(c); !errors.Is(err, keys.ErrUnable) || !strings.Contains(err.Error(), "scrolllock") {
		t.Error(err)
	}
	seen := map[uint32]string{}
	for name, code := range codes {
		if other, twice := seen[code]; twice {
			t.Errorf("%s and %s are the same key", name, other)
		}
		seen[code] = name
	}
}
