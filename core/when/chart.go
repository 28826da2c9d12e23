package when

import (
	"math/bits"
	"time"
)

// parse is the state of reading one text: a chart of items by the token at which they begin.
type parse struct {
	g     *grammar
	text  string
	toks  []token
	at    [][]*item
	slab  []item
	todo  []*item // new items whose rules have yet to be tried
	now   wall
	fold  bool // now is the later of two equal readings
	today wall
	clock time.Time
	zone  *time.Location
	wake  bool // the text is about getting up
	made  int
	from  int // tokens of the match that is being built
	to    int
}

const (
	crowd  = 4    // readings kept of the same words in the same categories
	plenty = 6000 // items after which a strange text is read no further
)

func (g *grammar) start(text string, now time.Time) *parse {
	p := &parse{g: g, text: text, clock: now, zone: now.Location()}
	p.now, p.fold = wallOf(now, p.zone)
	p.today = p.now.midnight()
	p.toks = g.words.tokenise(text, make([]token, 0, 16))
	p.at = make([][]*item, len(p.toks)+1)
	return p
}

// read fills the chart from the last token to the first, so that whatever follows an item is already known.
func (p *parse) read() {
	for i := len(p.toks) - 1; i >= 0; i-- {
		p.wake = p.wake || waking[p.toks[i].text]
	}
	for i := len(p.toks) - 1; i >= 0; i-- {
		p.seed(i)
		if id := p.toks[i].id; id != 0 {
			for _, r := range p.g.byWord[id] {
				p.try(r, i, nil)
			}
		}
		for len(p.todo) > 0 {
			it := p.todo[len(p.todo)-1]
			p.todo = p.todo[:len(p.todo)-1]
			p.extend(it)
		}
	}
}

var waking = map[string]bool{"wake": true, "alarm": true, "breakfast": true, "sunrise": true}

// extend tries every rule that may begin with it.
func (p *parse) extend(it *item) {
	for c := uint64(it.cat); c != 0; c &= c - 1 {
		for _, r := range p.g.byCat[bits.TrailingZeros64(c)] {
			p.try(r, it.start, it)
		}
	}
}

// try matches r from token i on. With first, the first category place that is reached must hold it.
func (p *parse) try(r *production, i int, first *item) {
	var room [6]*item
	p.match(r, r.elements, i, i, first, room[:0])
}

func (p *parse) match(r *production, rest []element, from, i int, first *item, got []*item) {
	if len(rest) == 0 {
		if first == nil && i > from {
			p.produce(r, from, i, got)
		}
		return
	}
	e := &rest[0]
	if e.optional {
		p.match(r, rest[1:], from, i, first, got)
	}
	if first != nil { // nothing but absent places may come before the first item
		if first.cat&e.cat != 0 {
			p.match(r, rest[1:], from, first.end, nil, append(got, first))
		}
		return
	}
	if i >= len(p.toks) {
		return
	}
	if e.words != nil && e.hasWord(p.toks[i].id) {
		p.match(r, rest[1:], from, i+1, nil, got)
	}
	if e.cat == 0 || i == from {
		return
	}
	for _, it := range p.at[i] {
		if it.cat&e.cat != 0 {
			p.match(r, rest[1:], from, it.end, nil, append(got, it))
		}
	}
}

func (p *parse) produce(r *production, from, to int, got []*item) {
	p.from, p.to = from, to
	it, ok := r.build(p, got)
	if !ok {
		return
	}
	it.start, it.end = from, to
	for _, a := range got {
		it.cost += a.cost
	}
	p.put(it)
}

// put enters an item into the chart, unless enough readings of the same words are there.
func (p *parse) put(it item) {
	if it.cat&cTime != 0 {
		it.cat |= cWhen
	}
	if it.cat&cWeak != 0 && it.cat&(cMonth|cWeekday|cSeason|cHoliday) != 0 {
		it.cat |= cWhen
	}
	same := 0
	for _, old := range p.at[it.start] {
		if old.end == it.end && old.cat == it.cat {
			if same++; same >= crowd {
				return
			}
		}
	}
	if p.made++; p.made > plenty {
		return
	}
	if len(p.slab) == cap(p.slab) {
		p.slab = make([]item, 0, 24)
	}
	p.slab = append(p.slab, it)
	kept := &p.slab[len(p.slab)-1]
	p.at[it.start] = append(p.at[it.start], kept)
	p.todo = append(p.todo, kept)
}
