package sphinx

import (
	"cmp"
	"slices"
)

// shareLeast is how many arcs must be saved by one new state: pocketsphinx visits each state in every frame. With 3 as
// little memory is taken, and a tenth more time.
const shareLeast = 12

// share puts arcs that several states have in common into a state of their own, to which silent steps lead.
// pocketsphinx makes a tree of sounds for each state, with a leaf for every sound that may follow each word: of Solo's
// own grammar it takes 53 MB without this, 26 with it. The graph is no longer deterministic, but reads the same.
func (a *automaton) share() {
	owners := map[arc][]int{}
	for s, arcs := range a.arcs {
		for _, t := range arcs {
			if t.label.word != "" && t.label.word != freeMark {
				owners[t] = append(owners[t], s)
			}
		}
	}
	groups := map[string][]arc{}
	for t, states := range owners {
		if len(states) > 1 {
			k := key(states)
			groups[k] = append(groups[k], t)
		}
	}
	shared := make([][]arc, 0, len(groups))
	for _, arcs := range groups {
		if len(arcs)*(len(owners[arcs[0]])-1) >= shareLeast {
			slices.SortFunc(arcs, compareArcs)
			shared = append(shared, arcs)
		}
	}
	slices.SortFunc(shared, func(x, y []arc) int { return compareArcs(x[0], y[0]) })
	moved := map[arc]bool{}
	for _, arcs := range shared {
		fresh := len(a.arcs)
		a.arcs, a.final = append(a.arcs, arcs), append(a.final, false)
		for _, s := range owners[arcs[0]] {
			a.arcs[s] = append(a.arcs[s], arc{label{prob: 1}, fresh})
		}
		for _, t := range arcs {
			moved[t] = true
		}
	}
	for s := range len(a.arcs) - len(shared) {
		a.arcs[s] = slices.DeleteFunc(a.arcs[s], func(t arc) bool { return moved[t] })
	}
}

func compareArcs(a, b arc) int {
	return cmp.Or(compareLabels(a.label, b.label), cmp.Compare(a.to, b.to))
}
