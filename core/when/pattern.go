package when

import (
	"fmt"
	"strings"
)

// make builds the meaning of a pattern from the items of its <...> places, in order.
type build func(p *parse, a []*item) (item, bool)

// entry is one line of a grammar table. In a pattern, words stand for themselves, "a|b" is either,
// "[a]" may be absent, and <day> is an item of that category.
type entry struct {
	pattern string
	build   build
}

// element is one place of a compiled pattern.
type element struct {
	words    []uint64 // bit set of word numbers, nil for a category
	cat      cat
	optional bool
}

func (e *element) hasWord(id int) bool { return id>>6 < len(e.words) && e.words[id>>6]>>(id&63)&1 == 1 }

type production struct {
	elements []element
	build    build
	pattern  string
}

// grammar is all productions by what they may begin with.
type grammar struct {
	words   vocabulary
	lexicon lexicon
	byWord  map[int][]*production
	byCat   [64][]*production
}

var categories = map[string]cat{
	"num": cNum, "int": cInt, "hour": cHour, "hour12": cHour12, "min": cMin, "five": cFive, "dom": cDom, "ord": cOrd, "domord": cDomOrd,
	"yearnum": cYearNum, "hhmm": cHHMM, "spelt": cSpelt, "unit": cUnit, "dur": cDur, "time": cTime, "when": cWhen, "day": cDay, "date": cDate,
	"weekday": cWeekday, "weekdays": cWeekdays, "month": cMonth, "monthgrain": cMonthGrain, "weekgrain": cWeekGrain, "year": cYear,
	"annual": cAnnual, "season": cSeason, "holiday": cHoliday, "weekend": cWeekend, "clock": cClock, "soft": cSoft, "part": cPart,
	"daypart": cDayPart, "range": cRange, "meridiem": cMeridiem, "zone": cZone, "quarter": cQuarter, "interval": cInterval, "rec": cRec,
	"days": cDays, "now": cNow, "dom0": cDom0, "short": cShort, "len": cLen, "city": cCity, "moment": cMoment, "the": cThe, "third": cThird,
}

func (g *grammar) compile(tables ...[]entry) {
	for _, table := range tables {
		for _, e := range table {
			g.add(e)
		}
	}
}

func (g *grammar) add(e entry) {
	p := &production{build: e.build, pattern: e.pattern}
	for _, f := range strings.Fields(e.pattern) {
		p.elements = append(p.elements, g.element(f))
	}
	for i := range p.elements {
		g.index(p, &p.elements[i])
		if !p.elements[i].optional {
			return
		}
	}
	panic("a pattern that matches nothing: " + e.pattern)
}

func (g *grammar) element(f string) element {
	var e element
	if strings.HasPrefix(f, "[") && strings.HasSuffix(f, "]") {
		e.optional, f = true, f[1:len(f)-1]
	}
	class := strings.HasPrefix(f, "<")
	for _, w := range strings.Split(strings.Trim(f, "<>"), "|") {
		if class {
			c, ok := categories[w]
			if !ok {
				panic(fmt.Sprintf("no category %s in %s", w, f))
			}
			e.cat |= c
			continue
		}
		id := g.words.add(w)
		for len(e.words) <= id>>6 {
			e.words = append(e.words, 0)
		}
		e.words[id>>6] |= 1 << (id & 63)
	}
	return e
}

func (g *grammar) index(p *production, e *element) {
	for id := range len(e.words) * 64 {
		if e.hasWord(id) {
			g.byWord[id] = append(g.byWord[id], p)
		}
	}
	for bit := range g.byCat {
		if e.cat>>bit&1 == 1 {
			g.byCat[bit] = append(g.byCat[bit], p)
		}
	}
}
