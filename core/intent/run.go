package intent

import "math/bits"

// capture is a slot's span of words, or a fixed value.
type capture struct {
	slot       int
	from, to   int
	rule       int // -1 for a fixed value
	fixedValue int
}

// runner tries programs on one text. A rule's ends at a word are found once and kept.
type runner struct {
	c        *Commands
	said     *said
	ids      []int
	n        int
	ends     []uint64 // by rule and word: bit e is set when the rule can end at word e
	known    []bool
	hungry   []bool   // the rule could go on after the last word
	arena    []uint64 // visited marks of the programs being run
	captures []capture
	accept   uint64    // words where a command may end
	more     bool      // the program could go on after the last word
	template *compiled // the one that is tried for how it goes on, nil otherwise
	sofar    settled
	free     int // words in free spans
}

func (r *runner) reset(c *Commands, s *said) {
	r.c, r.said, r.n = c, s, len(s.words)
	r.ids = r.ids[:0]
	for _, w := range s.words {
		r.ids = append(r.ids, c.words[w.text])
	}
	size := len(c.rules) * (r.n + 1)
	if cap(r.ends) < size {
		r.ends, r.known, r.hungry = make([]uint64, size), make([]bool, size), make([]bool, size)
	}
	r.ends, r.known, r.hungry = r.ends[:size], r.known[:size], r.hungry[:size]
	clear(r.known)
	r.arena, r.captures, r.more, r.free = r.arena[:0], r.captures[:0], false, 0
	r.accept, r.template, r.sofar = 0, nil, anything
}

// marks takes a cleared set of visited positions for a program.
func (r *runner) marks(p *program) int {
	at := len(r.arena)
	for range p.ops {
		r.arena = append(r.arena, 0)
	}
	return at
}

// ruleEnds finds where rule id can end when it begins at word pos.
func (r *runner) ruleEnds(id, pos int) (ends uint64, hungry bool) {
	key := id*(r.n+1) + pos
	if r.known[key] {
		return r.ends[key], r.hungry[key]
	}
	p := r.c.rules[id]
	if pos < r.n && p.first != nil && !p.first[r.ids[pos]] {
		r.known[key], r.ends[key], r.hungry[key] = true, 0, false
		return 0, false
	}
	m := r.marks(p)
	r.explore(p, m, 0, pos, &ends, &hungry)
	r.arena = r.arena[:m]
	r.known[key], r.ends[key], r.hungry[key] = true, ends, hungry
	return ends, hungry
}

// explore follows every path of a rule's program.
func (r *runner) explore(p *program, m, pc, pos int, ends *uint64, hungry *bool) {
	for {
		if r.arena[m+pc]&(1<<pos) != 0 {
			return
		}
		r.arena[m+pc] |= 1 << pos
		o := &p.ops[pc]
		switch o.code {
		case opWord:
			if pos == r.n {
				*hungry = true
				return
			}
			if r.ids[pos] != o.a {
				return
			}
			pos, pc = pos+1, pc+1
		case opSplit:
			r.explore(p, m, o.a, pos, ends, hungry)
			pc = o.b
		case opJump:
			pc = o.a
		case opRule, opSlot:
			all, h := r.ruleEnds(o.a, pos)
			*hungry = *hungry || h
			for all != 0 {
				e := bits.Len64(all) - 1
				all &^= 1 << e
				r.explore(p, m, pc+1, e, ends, hungry)
			}
			return
		case opEnd:
			*ends |= 1 << pos
			return
		default:
			pc++
		}
	}
}

// run tries a template's program from pc and pos on; the first path that ends where a command may end wins.
func (r *runner) run(p *program, m, pc, pos int) bool {
	for {
		if r.arena[m+pc]&(1<<pos) != 0 {
			return false
		}
		r.arena[m+pc] |= 1 << pos
		o := &p.ops[pc]
		switch o.code {
		case opWord:
			if pos == r.n {
				r.goesOn(pc, 0)
				return false
			}
			if r.ids[pos] != o.a {
				return false
			}
			pos, pc = pos+1, pc+1
		case opSplit:
			if r.run(p, m, o.a, pos) {
				return true
			}
			pc = o.b
		case opJump:
			pc = o.a
		case opRule, opSlot:
			return r.runRule(p, m, pc, pos)
		case opFree:
			return r.runFree(p, m, pc, pos)
		case opFixed:
			r.captures = append(r.captures, capture{slot: o.b, rule: -1, fixedValue: o.c})
			if r.run(p, m, pc+1, pos) {
				return true
			}
			r.captures = r.captures[:len(r.captures)-1]
			return false
		case opEnd:
			return r.accept&(1<<pos) != 0
		}
	}
}

// runRule goes on after a rule, its longest span first.
func (r *runner) runRule(p *program, m, pc, pos int) bool {
	o := &p.ops[pc]
	all, hungry := r.ruleEnds(o.a, pos)
	if hungry && (o.code != opSlot || r.fits(o.a, pos)) {
		r.goesOn(pc, 0)
	}
	for all != 0 {
		e := bits.Len64(all) - 1
		all &^= 1 << e
		if o.code == opSlot && e > pos {
			if _, ok := r.c.value(r.said, o.a, pos, e); !ok {
				continue
			}
			r.captures = append(r.captures, capture{slot: o.b, from: pos, to: e, rule: o.a})
		}
		if r.run(p, m, pc+1, e) {
			return true
		}
		if o.code == opSlot && e > pos {
			r.captures = r.captures[:len(r.captures)-1]
		}
	}
	return false
}

// runFree goes on after a free span, the shortest first.
func (r *runner) runFree(p *program, m, pc, pos int) bool {
	o := &p.ops[pc]
	f := r.c.free[o.a]
	if pos == r.n {
		r.goesOn(pc, 1)
		return false
	}
	if first := r.said.words[pos].text; !r.said.cut(pos) || f.start[first] || len(f.only) > 0 && !f.only[first] {
		return false
	}
	for e := pos + 1; e <= min(r.n, pos+f.most); e++ {
		if e == r.n {
			r.goesOn(pc, e-pos)
		}
		if !r.said.cut(e) || f.end[r.said.words[e-1].text] {
			continue
		}
		r.captures = append(r.captures, capture{slot: o.b, from: pos, to: e, rule: o.a})
		r.free += e - pos
		if r.run(p, m, pc+1, e) {
			return true
		}
		r.free -= e - pos
		r.captures = r.captures[:len(r.captures)-1]
	}
	return false
}
