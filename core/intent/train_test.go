package intent

import (
	"strings"
	"testing"
)

// spokenAll says every template some times with real words.
func spokenAll(c *Commands, each func(intent, template, text string)) {
	g := grammar{book: c.book, used: map[string]bool{}}
	for i, t := range c.book.templates {
		s := speaker{book: c.book, grammar: &g, seed: uint64(i)*7919 + 3}
		for range 12 {
			if text, ok := s.sentence(t.root, true); ok && text != "" {
				each(t.intent, t.source, text)
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	c := English()
	wrong, all := 0, 0
	spokenAll(c, func(name, template, text string) {
		if twice(text) {
			return
		}
		all++
		m, ok := c.Match(text)
		if ok && m.Name == name {
			return
		}
		if hasFree(c, template) && ok {
			return // words of a free span may make another command
		}
		wrong++
		t.Errorf("%q of %s %q is %v %s %v", text, name, template, ok, m.Name, m.Slots)
	})
	if all < 5000 {
		t.Errorf("only %d sentences were made", all)
	}
}

// twice says that a small word stands twice in a row, which is taken for a stutter.
func twice(text string) bool {
	f := strings.Fields(text)
	for i := 1; i < len(f); i++ {
		if f[i] == f[i-1] {
			return true
		}
	}
	return false
}

func hasFree(c *Commands, template string) bool {
	n, _, err := parseTemplate(strings.TrimPrefix(template, "~ "))
	return err == nil && c.book.keeps(&node{kind: series, parts: []*node{n}}) && strings.Contains(template, "{")
}
