package intent

import "maps"

// op is one step of a compiled template or rule.
type op struct {
	code code
	a, b int // word, rule, slot name or targets, by code
	c    int
}

type code uint8

const (
	opWord  code = iota // a: word
	opSplit             // a first, then b
	opJump              // a
	opRule              // a: rule
	opSlot              // a: rule, b: slot name
	opFree              // a: rule, b: slot name, -1 for none
	opFixed             // b: slot name, c: value
	opEnd
)

// program is a compiled template or rule.
type program struct {
	ops   []op
	first map[int]bool // words that it can begin with, nil for any
	needs []int        // words without which it cannot match
}

// compiler turns nodes into programs and words into small numbers.
type compiler struct {
	book    *book
	words   map[string]int // 0 is an unknown word
	rules   map[string]int
	slots   map[string]int
	names   []string // slot names
	values  []string // fixed values
	program []op
	begins  map[string]beginning // by rule
}

// beginning is what a rule can begin with and cannot do without.
type beginning struct {
	first map[int]bool
	empty bool
	needs map[int]bool
}

func newCompiler(b *book) *compiler {
	c := &compiler{book: b, words: map[string]int{}, rules: map[string]int{}, slots: map[string]int{}, begins: map[string]beginning{}}
	for i, name := range b.order {
		c.rules[name] = i
	}
	return c
}

func (c *compiler) word(w string) int {
	id, ok := c.words[w]
	if !ok {
		id = len(c.words) + 1
		c.words[w] = id
	}
	return id
}

func (c *compiler) slot(name string) int {
	id, ok := c.slots[name]
	if !ok {
		id = len(c.names)
		c.slots[name], c.names = id, append(c.names, name)
	}
	return id
}

// compile makes the program of a template or rule.
func (c *compiler) compile(n *node) *program {
	c.program = nil
	c.node(n)
	c.emit(op{code: opEnd})
	p := &program{ops: c.program}
	first := map[int]bool{}
	if c.first(n, first) || first[0] {
		first = nil // may be empty or begin with anything
	}
	p.first = first
	needs := map[int]bool{}
	c.needs(n, needs)
	for w := range needs {
		p.needs = append(p.needs, w)
	}
	return p
}

func (c *compiler) emit(o op) int {
	c.program = append(c.program, o)
	return len(c.program) - 1
}

func (c *compiler) node(n *node) {
	switch n.kind {
	case literal:
		c.emit(op{code: opWord, a: c.word(n.text)})
	case series:
		for _, p := range n.parts {
			c.node(p)
		}
	case choice:
		c.choice(n.parts)
	case perhaps:
		at := c.emit(op{code: opSplit})
		c.program[at].a = at + 1
		c.node(n.parts[0])
		c.program[at].b = len(c.program)
	case repeat:
		start := len(c.program)
		c.node(n.parts[0])
		c.emit(op{code: opSplit, a: start, b: len(c.program) + 1})
	case rule, slot:
		if d := c.book.rules[n.text]; n.kind == rule && d.free == nil && c.book.keeps(d.root) {
			c.node(d.root) // what it keeps belongs to the template
			return
		}
		o := op{code: opSlot, a: c.rules[n.text], b: -1}
		if n.kind == slot {
			o.b = c.slot(n.slot)
		}
		if c.book.rules[n.text].free != nil {
			o.code = opFree
		} else if n.kind == rule {
			o.code = opRule
		}
		c.emit(o)
	case fixed:
		c.values = append(c.values, n.value)
		c.emit(op{code: opFixed, b: c.slot(n.slot), c: len(c.values) - 1})
	}
}

func (c *compiler) choice(parts []*node) {
	var ends []int
	for i, p := range parts {
		if i == len(parts)-1 {
			c.node(p)
			break
		}
		at := c.emit(op{code: opSplit})
		c.program[at].a = at + 1
		c.node(p)
		ends = append(ends, c.emit(op{code: opJump}))
		c.program[at].b = len(c.program)
	}
	for _, e := range ends {
		c.program[e].a = len(c.program)
	}
}

// first collects the words that n may begin with, 0 for any; true when n may be empty.
func (c *compiler) first(n *node, into map[int]bool) bool {
	switch n.kind {
	case literal:
		into[c.word(n.text)] = true
		return false
	case series:
		for _, p := range n.parts {
			if !c.first(p, into) {
				return false
			}
		}
		return true
	case choice:
		empty := false
		for _, p := range n.parts {
			empty = c.first(p, into) || empty
		}
		return empty
	case perhaps:
		c.first(n.parts[0], into)
		return true
	case repeat:
		return c.first(n.parts[0], into)
	case rule, slot:
		d := c.book.rules[n.text]
		if d.free != nil {
			into[0] = true
			return false
		}
		b := c.begin(n.text)
		maps.Copy(into, b.first)
		return b.empty
	}
	return true
}

// begin finds a rule's beginning once.
func (c *compiler) begin(name string) beginning {
	b, ok := c.begins[name]
	if !ok {
		b = beginning{first: map[int]bool{}, needs: map[int]bool{}}
		b.empty = c.first(c.book.rules[name].root, b.first)
		c.needs(c.book.rules[name].root, b.needs)
		c.begins[name] = b
	}
	return b
}

// needs collects words that every match of n has.
func (c *compiler) needs(n *node, into map[int]bool) {
	switch n.kind {
	case literal:
		into[c.word(n.text)] = true
	case series:
		for _, p := range n.parts {
			c.needs(p, into)
		}
	case repeat:
		c.needs(n.parts[0], into)
	case rule, slot:
		if d := c.book.rules[n.text]; d.free == nil {
			maps.Copy(into, c.begin(n.text).needs)
		}
	case choice:
		var common map[int]bool
		for _, p := range n.parts {
			own := map[int]bool{}
			c.needs(p, own)
			if common == nil {
				common = own
				continue
			}
			for w := range common {
				if !own[w] {
					delete(common, w)
				}
			}
		}
		for w := range common {
			into[w] = true
		}
	}
}
