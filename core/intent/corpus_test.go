package intent_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/intent"
)

// sentence is a line of testdata/positive.txt.
type sentence struct {
	text, name string
	slots      map[string]string
	skip       bool // only the name counts
}

func positives(t testing.TB) []sentence {
	var out []sentence
	name := ""
	for _, l := range lines(t, "testdata/positive.txt") {
		if rest, ok := strings.CutPrefix(l, "== "); ok {
			name = rest
			continue
		}
		text, slots, _ := strings.Cut(l, " =>")
		s := sentence{text: text, name: name, slots: map[string]string{}}
		for part := range strings.SplitSeq(slots, " ; ") {
			if k, v, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
				s.slots[k] = v
			}
		}
		s.skip = s.slots["skip"] != ""
		out = append(out, s)
	}
	return out
}

func lines(t testing.TB, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}

func TestPeople(t *testing.T) {
	c := intent.English()
	for _, s := range positives(t) {
		m, ok := c.Match(s.text)
		switch {
		case !ok:
			t.Errorf("%q is not understood, want %s %v", s.text, s.name, s.slots)
		case m.Name != s.name || !s.skip && !maps.Equal(m.Slots, s.slots):
			t.Errorf("%q is %s %v, want %s %v", s.text, m.Name, m.Slots, s.name, s.slots)
		}
	}
}

func TestOthers(t *testing.T) {
	c := intent.English()
	for _, text := range lines(t, "testdata/negative.txt") {
		if m, ok := c.Match(text); ok {
			t.Errorf("%q is %s %v, want nothing", text, m.Name, m.Slots)
		}
	}
}
