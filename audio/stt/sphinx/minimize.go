package sphinx

import (
	"cmp"
	"slices"
	"sort"
)

// determine makes the graph deterministic: no silent steps, one arc of a label from each state.
// A silent step's probability goes to the words after it.
func determine(arcs [][]arc, from, to int) (*automaton, error) {
	d := &determiner{arcs: arcs, end: to, ids: map[string]int{}, out: &automaton{}}
	d.id([]int{from})
	for i := 0; i < len(d.sets); i++ {
		if len(d.sets) > maxStates/4 {
			return nil, wrong(1, "the grammar is too large (over %d states)", maxStates/4)
		}
		if d.expand(i); d.work > maxWork {
			return nil, wrong(1, "the grammar is too ambiguous")
		}
	}
	return d.out, nil
}

// maxWork is how many states may be looked at before a grammar is refused: some seconds' worth. Solo's own takes a
// thirtieth of it.
const maxWork = 20_000_000

type determiner struct {
	work int
	arcs [][]arc
	end  int
	ids  map[string]int
	sets [][]int
	out  *automaton
}

func (d *determiner) id(set []int) int {
	k := key(set)
	id, known := d.ids[k]
	if !known {
		id = len(d.sets)
		d.ids[k] = id
		d.sets = append(d.sets, set)
		d.out.arcs = append(d.out.arcs, nil)
		d.out.final = append(d.out.final, false)
	}
	return id
}

func (d *determiner) expand(i int) {
	targets := map[label][]int{}
	for s, p := range d.closure(d.sets[i]) {
		d.work += 1 + len(d.arcs[s])
		d.out.final[i] = d.out.final[i] || s == d.end
		for _, t := range d.arcs[s] {
			if t.label.word != "" {
				l := label{t.label.word, t.label.prob * p}
				targets[l] = append(targets[l], t.to)
			}
		}
	}
	labels := make([]label, 0, len(targets))
	for l := range targets {
		labels = append(labels, l)
	}
	slices.SortFunc(labels, compareLabels)
	for _, l := range labels {
		set := targets[l]
		sort.Ints(set)
		d.out.arcs[i] = append(d.out.arcs[i], arc{l, d.id(slices.Compact(set))})
	}
}

// closure is every state reached from the set by silent steps, with the best probability of getting there.
func (d *determiner) closure(set []int) map[int]float64 {
	best, todo := map[int]float64{}, slices.Clone(set)
	for _, s := range set {
		best[s] = 1
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range d.arcs[s] {
			if p := best[s] * t.label.prob; t.label.word == "" && p > best[t.to] {
				best[t.to] = p
				todo = append(todo, t.to)
			}
		}
	}
	return best
}

func compareLabels(a, b label) int {
	return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.prob, b.prob))
}

// minimize drops states that lead to no end and joins states with equal futures, until none is left to join.
func (a *automaton) minimize() *automaton {
	class := a.prune()
	count := 0
	for {
		next, n := a.refine(class)
		if class = next; n == count {
			return a.join(class, n)
		}
		count = n
	}
}

// refine splits classes by where their states' arcs lead; the new classes are numbered from state 0 on.
func (a *automaton) refine(class []int) ([]int, int) {
	words := map[label]int{}
	ids := map[string]int{}
	next := make([]int, len(class))
	var sig []int
	for s, arcs := range a.arcs {
		sig = append(sig[:0], class[s])
		for _, t := range arcs {
			w, known := words[t.label]
			if !known {
				w = len(words)
				words[t.label] = w
			}
			sig = append(sig, w, class[t.to])
		}
		k := key(sig)
		id, known := ids[k]
		if !known {
			id = len(ids)
			ids[k] = id
		}
		next[s] = id
	}
	return next, len(ids)
}

func (a *automaton) join(class []int, n int) *automaton {
	out := &automaton{arcs: make([][]arc, n), final: make([]bool, n)}
	done := make([]bool, n)
	for s, c := range class {
		if done[c] {
			continue
		}
		done[c], out.final[c] = true, a.final[s]
		for _, t := range a.arcs[s] {
			out.arcs[c] = append(out.arcs[c], arc{t.label, class[t.to]})
		}
	}
	return out
}

// prune keeps what lies on a way from state 0 to an end, and state 0 itself. It returns how far each state that is
// left is from an end: equal states are equally far.
func (a *automaton) prune() (far []int) {
	back := make([][]int, len(a.arcs))
	for s, arcs := range a.arcs {
		for _, t := range arcs {
			back[t.to] = append(back[t.to], s)
		}
	}
	far = make([]int, len(a.arcs)) // 0: no end is reached
	var todo []int
	for s, f := range a.final {
		if f {
			far[s] = 1
			todo = append(todo, s)
		}
	}
	for i := 0; i < len(todo); i++ {
		for _, p := range back[todo[i]] {
			if far[p] == 0 {
				far[p] = far[todo[i]] + 1
				todo = append(todo, p)
			}
		}
	}
	return a.keep(far)
}

// keep takes out states that reach no end or are not reached from state 0, and numbers the rest anew. It returns far
// for these.
func (a *automaton) keep(far []int) (left []int) {
	number := make([]int, len(a.arcs))
	out := &automaton{}
	var visit []int
	take := func(s int) int {
		if number[s] == 0 {
			visit = append(visit, s)
			number[s] = len(visit)
		}
		return number[s] - 1
	}
	if len(a.arcs) > 0 {
		take(0)
	}
	for i := 0; i < len(visit); i++ {
		var arcs []arc
		for _, t := range a.arcs[visit[i]] {
			if far[t.to] > 0 {
				arcs = append(arcs, arc{t.label, take(t.to)})
			}
		}
		out.arcs = append(out.arcs, arcs)
		out.final = append(out.final, a.final[visit[i]])
		left = append(left, far[visit[i]])
	}
	*a = *out
	return left
}
