package intent

import (
	"fmt"
	"slices"
	"strings"
)

// FSG writes the language of JSGF as a finite state grammar in the Sphinx format, with one state
// for all places from which the same words may follow. It is many times smaller than what a recogniser makes of JSGF.
func (c *Commands) FSG() string {
	a := automaton{grammar: &grammar{book: c.book, used: map[string]bool{}}, states: [][]arc{nil}, same: map[string]int{}, rules: map[ruleAt]int{}}
	end := a.node(&node{kind: perhaps, parts: []*node{{kind: rule, text: "after"}}}, 0)
	var starts []arc
	for _, t := range c.book.templates {
		if !t.root.typed && a.grammar.sayable(t.root) {
			starts = append(starts, arc{to: a.node(t.root, end)})
		}
	}
	start := a.node(&node{kind: perhaps, parts: []*node{{kind: rule, text: "before"}}}, a.state(a.merge(starts)))
	return a.write(start)
}

// arc leads to a state by a word, or by nothing.
type arc struct {
	word string
	to   int
}

// ruleAt is a rule and the state that follows it.
type ruleAt struct {
	name string
	next int
}

// automaton is built from its end: a state is known by what follows it, so that equal states are one.
type automaton struct {
	grammar *grammar
	states  [][]arc // state 0 is the end
	same    map[string]int
	rules   map[ruleAt]int
}

// state finds or makes the state with these arcs.
func (a *automaton) state(arcs []arc) int {
	if len(arcs) == 1 && arcs[0].word == "" {
		return arcs[0].to
	}
	slices.SortFunc(arcs, func(x, y arc) int {
		if d := strings.Compare(x.word, y.word); d != 0 {
			return d
		}
		return x.to - y.to
	})
	arcs = slices.Compact(arcs)
	key := fmt.Sprint(arcs)
	id, ok := a.same[key]
	if !ok {
		id = len(a.states)
		a.states = append(a.states, arcs)
		a.same[key] = id
	}
	return id
}

// few is how many arcs are copied rather than led to by an empty arc.
const few = 6

// merge takes over the arcs of small states that arcs lead to by nothing.
func (a *automaton) merge(arcs []arc) []arc {
	var out []arc
	for _, x := range arcs {
		if n := len(a.states[x.to]); x.word == "" && n > 0 && n <= few { // a loop being built has no arcs yet
			out = append(out, a.states[x.to]...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// node makes the state from which n is said and then goes on at next.
func (a *automaton) node(n *node, next int) int {
	switch n.kind {
	case literal:
		return a.state([]arc{{n.text, next}})
	case series:
		return a.series(n.parts, next)
	case choice:
		var arcs []arc
		for _, p := range n.parts {
			if a.grammar.sayable(p) {
				arcs = append(arcs, arc{to: a.node(p, next)})
			}
		}
		return a.state(a.merge(arcs))
	case perhaps:
		if !a.grammar.sayable(n.parts[0]) {
			return next
		}
		return a.state(a.merge([]arc{{to: a.node(n.parts[0], next)}, {to: next}}))
	case repeat:
		return a.loop(n.parts[0], next)
	case rule, slot:
		return a.rule(n.text, next)
	}
	return next
}

// series goes through the parts from the last; two words with a short form get an arc for it.
func (a *automaton) series(parts []*node, next int) int {
	for i := len(parts) - 1; i >= 0; i-- {
		at := a.node(parts[i], next)
		if i > 0 && parts[i].kind == literal && parts[i-1].kind == literal {
			if short := shortForm[parts[i-1].text+" "+parts[i].text]; short != "" {
				next = a.state([]arc{{short, next}, {parts[i-1].text, at}})
				i--
				continue
			}
		}
		next = at
	}
	return next
}

// loop makes a state of its own, which the end of n leads back to.
func (a *automaton) loop(n *node, next int) int {
	again := len(a.states)
	a.states = append(a.states, nil)
	start := a.node(n, again)
	a.states[again] = []arc{{to: start}, {to: next}}
	return start
}

func (a *automaton) rule(name string, next int) int {
	d := a.grammar.book.rules[name]
	if d.free != nil {
		name = "free"
	}
	at := ruleAt{name, next}
	id, ok := a.rules[at]
	if ok {
		return id
	}
	if d.free != nil {
		words := &node{kind: choice}
		for _, w := range freeWords {
			words.parts = append(words.parts, &node{kind: literal, text: w})
		}
		id = a.loop(words, next)
	} else {
		id = a.node(d.root, next)
	}
	a.rules[at] = id
	return id
}

// write gives the states reached from start in the order in which they are found.
func (a *automaton) write(start int) string {
	number := map[int]int{start: 0}
	order := []int{start}
	var b strings.Builder
	for i := 0; i < len(order); i++ {
		for _, x := range a.states[order[i]] {
			if _, ok := number[x.to]; !ok {
				number[x.to] = len(order)
				order = append(order, x.to)
			}
			// As in a JSGF grammar without weights no way is likelier than another; a share of 1/n for each
			// of n words was tried and made the recogniser prune away long commands.
			fmt.Fprintf(&b, "TRANSITION %d %d 1.0 %s\n", number[order[i]], number[x.to], x.word)
		}
	}
	return fmt.Sprintf("FSG_BEGIN solo\nNUM_STATES %d\nSTART_STATE 0\nFINAL_STATE %d\n", len(order), number[0]) +
		strings.ReplaceAll(b.String(), " \n", "\n") + "FSG_END\n"
}
