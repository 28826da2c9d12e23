package sphinx

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A grammar that needs more states than these is refused: pocketsphinx would neither start nor answer in time.
const (
	maxStates = 300_000 // while building
	maxFinal  = 30_000  // when all equal states are one
)

// label of an arc: a word and how likely it is taken. Arcs without a word have the label silentStep.
type label struct {
	word string
	prob float64
}

type arc struct {
	label label
	to    int
}

// automaton is a graph of words from state 0.
type automaton struct {
	arcs  [][]arc
	final []bool
}

// builder turns rules into a graph with silent steps.
type builder struct {
	rules *rules
	arcs  [][]arc
	open  map[string][2]int // rules being built: their first and last state
	free  *[2]int           // first and last state of <free>
	prob  float64           // of a word
}

// freeRule is the rule for spans of any words. All places that name it share one copy of it: what may follow in one
// place may then follow in all, which costs nothing, since the text is understood again, and keeps hundreds of
// copies of its words out of the graph. freeProb is the price of a word in it, so that words of commands win.
const freeRule = "free"

// freeMark is the label of a step into <free>. It is kept like a word until the graph is written, so that the words of
// <free> are not copied to every state from which they may come.
const freeMark = "<" + freeRule + ">"

const freeProb = 0.03

// compile makes the smallest deterministic graph of all public rules.
func (rs *rules) compile() (*automaton, error) {
	b := &builder{rules: rs, open: map[string][2]int{}, prob: 1}
	from, to := b.state(), b.state()
	for _, r := range rs.public {
		if err := b.rule(&expr{op: opRule, word: r.name, line: r.line}, from, to); err != nil {
			return nil, err
		}
	}
	a, err := determine(b.arcs, from, to)
	if err != nil {
		return nil, err
	}
	a = a.minimize()
	if len(a.arcs) > maxFinal {
		return nil, wrong(rs.public[0].line, "the grammar is too large (%d states, at most %d)", len(a.arcs), maxFinal)
	}
	if a.empty() {
		return nil, wrong(rs.public[0].line, "the grammar holds no words")
	}
	return a, nil
}

// empty says that no sentence of at least one word is in the graph.
func (a *automaton) empty() bool { return len(a.arcs) == 0 || len(a.arcs[0]) == 0 }

func (b *builder) state() int {
	b.arcs = append(b.arcs, nil)
	return len(b.arcs) - 1
}

func (b *builder) step(from, to int, word string, prob float64) {
	b.arcs[from] = append(b.arcs[from], arc{label{word, prob}, to})
}

// add builds e between two states.
func (b *builder) add(e *expr, from, to int) error {
	if len(b.arcs) > maxStates {
		return wrong(e.line, "the grammar is too large (over %d states)", maxStates)
	}
	switch e.op {
	case opWord:
		b.step(from, to, e.word, b.prob)
	case opRule:
		return b.rule(e, from, to)
	case opThen:
		return b.then(e.parts, from, to)
	case opEither:
		return b.either(e.parts, from, to)
	case opMaybe:
		b.step(from, to, "", 1)
		return b.add(e.parts[0], from, to)
	case opAny, opMany:
		return b.repeat(e, from, to)
	}
	return nil
}

func (b *builder) then(parts []*expr, from, to int) error {
	if len(parts) == 0 {
		b.step(from, to, "", 1)
	}
	for i, p := range parts {
		next := to
		if i < len(parts)-1 {
			next = b.state()
		}
		if err := b.add(p, from, next); err != nil {
			return err
		}
		from = next
	}
	return nil
}

func (b *builder) either(parts []*expr, from, to int) error {
	for _, p := range parts {
		start := from
		if p.weight != 1 {
			start = b.state()
			b.step(from, start, "", p.weight)
		}
		if err := b.add(p, start, to); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) repeat(e *expr, from, to int) error {
	in, out := b.state(), b.state()
	b.step(from, in, "", 1)
	b.step(out, in, "", 1)
	b.step(out, to, "", 1)
	if e.op == opAny {
		b.step(in, out, "", 1)
	}
	return b.add(e.parts[0], in, out)
}

// rule builds the rule's body in place. A rule may name itself only as its very last item: more is no finite graph.
func (b *builder) rule(e *expr, from, to int) error {
	switch e.word {
	case "NULL":
		b.step(from, to, "", 1)
		return nil
	case "VOID":
		return nil
	}
	r := b.rules.byName[e.word]
	if r == nil {
		return wrong(e.line, "there is no rule <%s>", e.word)
	}
	if ends, busy := b.open[e.word]; busy {
		if ends[1] != to {
			return wrong(e.line, "<%s> names itself other than at its end", e.word)
		}
		b.step(from, ends[0], "", 1)
		return nil
	}
	if e.word == freeRule {
		return b.any(r, from, to)
	}
	start := b.state() // own first state, so that a loop back does not take in what else leaves from
	b.step(from, start, "", 1)
	b.open[e.word] = [2]int{start, to}
	defer delete(b.open, e.word)
	return b.add(r.body, start, to)
}

// any leads through the one copy of <free>.
func (b *builder) any(r *rule, from, to int) error {
	if b.free == nil {
		b.free = &[2]int{b.state(), b.state()}
		b.open[freeRule], b.prob = *b.free, freeProb
		err := b.add(r.body, b.free[0], b.free[1])
		delete(b.open, freeRule)
		if b.prob = 1; err != nil {
			return err
		}
	}
	b.step(from, b.free[0], freeMark, 1)
	b.step(b.free[1], to, "", 1)
	return nil
}

// String writes the graph in pocketsphinx's FSG text format. pocketsphinx knows one final state:
// silent arcs lead there.
func (a *automaton) String() string {
	var b strings.Builder
	end := len(a.arcs)
	fmt.Fprintf(&b, "FSG_BEGIN solo\nNUM_STATES %d\nSTART_STATE 0\nFINAL_STATE %d\n", end+1, end)
	for from, arcs := range a.arcs {
		for _, t := range arcs {
			word := t.label.word
			if word == freeMark {
				word = ""
			}
			fmt.Fprintf(&b, "TRANSITION %d %d %.6f %s\n", from, t.to, max(t.label.prob, 1e-6), word)
		}
		if a.final[from] {
			fmt.Fprintf(&b, "TRANSITION %d %d 1.0\n", from, end)
		}
	}
	b.WriteString("FSG_END\n")
	return b.String()
}

// words lists every word of the graph once, sorted.
func (a *automaton) words() []string {
	var out []string
	for _, arcs := range a.arcs {
		for _, t := range arcs {
			out = append(out, t.label.word)
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(w string) bool { return w == freeMark })
}

// without takes every arc of a word out that keep refuses, and what became unreachable.
func (a *automaton) without(keep func(word string) bool) *automaton {
	for s, arcs := range a.arcs {
		a.arcs[s] = slices.DeleteFunc(arcs, func(t arc) bool { return t.label.word != freeMark && !keep(t.label.word) })
	}
	return a.minimize()
}

func key(ints []int) string {
	b := make([]byte, 0, len(ints)*4)
	for _, n := range ints {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(b)
}
