package bus

import (
	"maps"
	"slices"
)

// Cycle returns a ring of parts which can wait on each other for ever ("mind", "voice", "mind"),
// or nil. A part waits on another when it publishes a type for which the other's subscription is Block.
func (b *Bus) Cycle() []string {
	w := walk{next: b.waits(), state: map[string]int{}}
	for _, n := range slices.Sorted(maps.Keys(w.next)) {
		if ring := w.visit(n); ring != nil {
			return ring
		}
	}
	return nil
}

// waits says for each publisher on whom it may have to wait, in the order of names.
func (b *Bus) waits() map[string][]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := map[string][]string{}
	for _, p := range b.pubs {
		for _, s := range b.subs {
			if name, typ, waits := s.who(); waits && typ == p.typ {
				next[p.from] = append(next[p.from], name)
			}
		}
	}
	for n := range next {
		slices.Sort(next[n])
	}
	return next
}

// walk looks for a ring depth first.
type walk struct {
	next  map[string][]string
	state map[string]int // 0 new, else one of these
	path  []string
}

const (
	onPath  = 1
	cleared = 2
)

func (w *walk) visit(n string) []string {
	switch w.state[n] {
	case onPath:
		return append(slices.Clone(w.path[slices.Index(w.path, n):]), n)
	case cleared:
		return nil
	}
	w.state[n] = onPath
	w.path = append(w.path, n)
	for _, m := range w.next[n] {
		if ring := w.visit(m); ring != nil {
			return ring
		}
	}
	w.path, w.state[n] = w.path[:len(w.path)-1], cleared
	return nil
}
