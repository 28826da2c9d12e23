package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
)

// named are the paths that the user's own words named lately: documents there may be read although they lie in no
// folder that the settings allow.
type named struct {
	mu   sync.Mutex
	list []string
}

// namedMost is how many paths are remembered; older ones must be named again.
const namedMost = 8

// hear looks for paths in what the user says.
func (n *named) hear(_ bus.Meta, v any) {
	h, ok := v.(event.Heard)
	if !ok {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range pathsIn(h.Text) {
		n.list = append(slices.DeleteFunc(n.list, func(old string) bool { return old == p }), p)
	}
	n.list = n.list[max(0, len(n.list)-namedMost):]
}

func (n *named) paths(context.Context) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// pathsIn are the absolute paths in a text: in quotation marks, or up to the next space.
func pathsIn(text string) []string {
	var out []string
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\"“”`", r) }) {
		words := []string{part}
		if i%2 == 0 { // outside of the marks
			words = strings.Fields(part)
		}
		for _, w := range words {
			if w = strings.TrimRight(strings.TrimSpace(w), ".,;:!?'"); filepath.IsAbs(w) && filepath.Clean(w) != filepath.VolumeName(w)+string(filepath.Separator) {
				out = append(out, filepath.Clean(w))
			}
		}
	}
	return out
}
