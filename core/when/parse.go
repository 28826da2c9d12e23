package when

import (
	"sort"
	"sync"
	"time"
)

// theGrammar is compiled once, when the first text is read.
var theGrammar = sync.OnceValue(func() *grammar {
	g := &grammar{words: vocabulary{}, byWord: map[int][]*production{}}
	for w := range numberWords {
		g.words.add(w)
	}
	for w := range ordinalWords {
		g.words.add(w)
	}
	g.lexicon = newLexicon(g.words)
	g.compile(numberRules, durationRules, clockRules, dateRules, relativeRules, partRules, seasonRules, nthRules,
		offsetRules, meetRules, intervalRules, recurrenceRules, holidayRules(), zoneRules())
	return g
})

// Parse finds the time phrase in text: the longest, of equally long ones the first. It reads the phrase as said
// at now, in now's zone. It reports false where text names no time.
func Parse(text string, now time.Time) (Value, bool) {
	p := theGrammar().start(text, now)
	p.read()
	for _, it := range p.ranked() {
		if v, ok := p.value(it); ok {
			return v, true
		}
	}
	return Value{}, false
}

// ParseAll finds every time phrase in text, in the order of the text. None overlaps another.
func ParseAll(text string, now time.Time) []Value {
	p := theGrammar().start(text, now)
	p.read()
	var out []Value
	for _, it := range p.ranked() {
		v, ok := p.value(it)
		for _, other := range out {
			ok = ok && (v.Span[1] <= other.Span[0] || v.Span[0] >= other.Span[1])
		}
		if ok {
			out = append(out, v)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Span[0] < out[j].Span[0] })
	return out
}

// ranked are the items that may be the answer, the best one first.
func (p *parse) ranked() []*item {
	var out []*item
	for _, items := range p.at {
		for _, it := range items {
			if it.is(cTime | cRec | cDur | cWeak | cSoft) {
				out = append(out, it)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return p.better(out[i], out[j]) })
	return out
}

func (p *parse) better(a, b *item) bool {
	if la, lb := p.bytes(a), p.bytes(b); la != lb {
		return la > lb
	}
	if a.start != b.start {
		return a.start < b.start
	}
	if ra, rb := standing(a), standing(b); ra != rb {
		return ra < rb
	}
	return a.cost < b.cost
}

// standing sorts readings of the same words: a time before a length before what may be none.
func standing(it *item) int {
	switch {
	case it.is(cTime | cRec):
		return 0
	case it.is(cDur):
		return 1
	}
	return 2
}

func (p *parse) bytes(it *item) int { return p.toks[it.end-1].end - p.toks[it.start].start }

// value works an item out, unless the words around it say that it is no time.
func (p *parse) value(it *item) (Value, bool) {
	if !p.plausible(it) {
		return Value{}, false
	}
	v := Value{Span: [2]int{p.toks[it.start].start, p.toks[it.end-1].end}}
	if it.is(cDur) && !it.is(cTime|cRec) {
		v.Kind, v.Grain, v.Duration = Duration, it.d.g.public(), it.d.iso()
		return v, it.d.sane()
	}
	s, ok := p.find(it)
	if !ok || s.from > farthest || s.from < -farthest || s.to > farthest {
		return Value{}, false
	}
	v.Kind, v.Grain = Point, s.g.public()
	if s.open != noStart {
		v.Start = p.moment(s.from, s.fold)
	}
	switch {
	case it.is(cRec):
		v.Kind, v.Recurrence = Recurrence, it.rec.String()
	case s.interval:
		v.Kind = Interval
		if s.open != noEnd {
			v.End = p.moment(s.to, s.foldTo)
		}
	}
	if s.open != noStart && v.Start.IsZero() {
		return Value{}, false // the first instant of the year 1 is Go's word for no time
	}
	return v, true
}

// farthest keeps years within four digits, as RFC 3339 wants them.
const farthest = wall(7900 * 365 * aDay)

func (p *parse) moment(w wall, fold bool) time.Time {
	if fold {
		return again(w, p.zone)
	}
	return instant(w, p.zone)
}
