package when

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// length is a duration in the three measures that do not convert into each other.
type length struct {
	months, days int
	secs         float64
	g            grain // the finest unit said
}

// measure is n units of g. What is left of a fraction goes to the next smaller measure.
func measure(n float64, g grain) length {
	whole, part := math.Modf(n)
	if part != 0 && g > gSecond {
		l := measure(whole, g).plus(fraction(part, g))
		return l
	}
	switch g {
	case gYear:
		return length{months: int(n) * 12, g: g}
	case gQuarter:
		return length{months: int(n) * 3, g: g}
	case gMonth:
		return length{months: int(n), g: g}
	case gWeek:
		return length{days: int(n) * 7, g: g}
	case gDay:
		return length{days: int(n), g: g}
	}
	return length{secs: n * float64(g.seconds()), g: g}
}

// fraction is a part of one unit, to the next smaller unit.
func fraction(part float64, g grain) length {
	switch g {
	case gYear:
		return length{months: int(math.Round(part * 12)), g: gMonth}
	case gQuarter:
		return fraction(part*3/12, gYear)
	case gMonth:
		return length{days: int(math.Round(part * 30)), g: gDay}
	case gWeek:
		days, rest := math.Modf(part * 7)
		l := length{days: int(days), g: gDay}
		if rest > 1e-9 {
			l = l.plus(fraction(rest, gDay))
		}
		return l
	case gDay:
		return length{secs: math.Round(part * aDay), g: gHour}
	}
	return length{secs: math.Round(part*float64(g.seconds())*1000) / 1000, g: g - 1}
}

// seconds is the length of a second, minute or hour.
func (g grain) seconds() int { return [...]int{1, aMinute, anHour}[g] }

func (l length) plus(m length) length {
	return length{l.months + m.months, l.days + m.days, l.secs + m.secs, min(l.g, m.g)}
}

func (l length) zero() bool { return l.months == 0 && l.days == 0 && l.secs == 0 }

// iso writes l as ISO 8601.
func (l length) iso() string {
	var b strings.Builder
	b.WriteByte('P')
	put := func(n int, letter byte) {
		if n != 0 {
			fmt.Fprintf(&b, "%d%c", n, letter)
		}
	}
	put(l.months/12, 'Y')
	put(l.months%12, 'M')
	if l.g == gWeek && l.days%7 == 0 && l.months == 0 && l.secs == 0 {
		put(l.days/7, 'W')
	} else {
		put(l.days, 'D')
	}
	if l.secs != 0 || b.Len() == 1 {
		return b.String() + strings.TrimPrefix(FormatISO(time.Duration(math.Round(l.secs*1e9))), "P")
	}
	return b.String()
}

// shift moves a reading by sign times l: months and days on the calendar, the rest as time that really passes.
func (p *parse) shift(w wall, fold bool, l length, sign int) (wall, bool) {
	if l.months != 0 || l.days != 0 {
		w, fold = w.addMonths(sign*l.months).add(gDay, sign*l.days), false
	}
	if l.secs == 0 {
		return w, fold
	}
	t := instant(w, p.zone)
	if fold {
		t = again(w, p.zone)
	}
	return wallOf(t.Add(time.Duration(l.secs*1e9)*time.Duration(sign)), p.zone)
}

const longest = 4000 * 12 // months

func (l length) sane() bool {
	return l.months <= longest && l.days <= longest*30 && l.secs <= 200*366*aDay
}

var durationRules = []entry{
	{"<num> <unit>", func(_ *parse, a []*item) (item, bool) {
		if a[1].g == gQuarter {
			return article(measure(a[0].n, gQuarter)), true // "three quarters full"
		}
		return lengthOf(measure(a[0].n*a[1].n, a[1].g)), a[0].is(cInt) || a[0].n > 0
	}},
	{"<num> more|extra|additional|full|whole|straight|consecutive|long <unit>", func(_ *parse, a []*item) (item, bool) {
		return lengthOf(measure(a[0].n*a[1].n, a[1].g)), true
	}},
	{"a|an|one [whole|full|single|good] <unit>", func(_ *parse, a []*item) (item, bool) { return article(measure(a[0].n, a[0].g)), true }},
	{"half a|an|of [a|an] <unit>", halfUnit}, {"[a] half <unit>", halfUnit},
	{"one half <unit>", halfUnit},
	{"a|an|one <unit> and a half", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure(1.5*a[0].n, a[0].g)), true }},
	{"a|an|one <unit> and a quarter", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure(1.25*a[0].n, a[0].g)), true }},
	{"a|an|one <unit> and three quarters", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure(1.75*a[0].n, a[0].g)), true }},
	{"<int> <unit> and a half", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure((a[0].n+.5)*a[1].n, a[1].g)), true }},
	{"<int> <unit> and a quarter", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure((a[0].n+.25)*a[1].n, a[1].g)), true }},
	{"[a] quarter of|- an|a [-] <unit>", quarterUnit(.25)}, {"[a] quarter <unit>", quarterUnit(.25)},
	{"three quarters|quarter of an|a <unit>", quarterUnit(.75)}, {"three quarter|quarters <unit>", quarterUnit(.75)},
	{"3 quarters|quarter of an|a <unit>", quarterUnit(.75)},
	{"[a] third of an|a <unit>", quarterUnit(1.0 / 3)}, {"two thirds of an|a <unit>", quarterUnit(2.0 / 3)},
	{"<dur> and <dur>", sumLengths}, {"<dur> [,] <dur>", sumLengths}, {"<dur> , and <dur>", sumLengths},
	{"about|around|approximately|roughly|approx|circa|exactly|precisely|~|almost|nearly|just|only|some <dur>", func(_ *parse, a []*item) (item, bool) {
		return lengthOf(a[0].d), true
	}},
	{"a|another|an additional <dur>", func(_ *parse, a []*item) (item, bool) { return lengthOf(a[0].d), a[0].d.g <= gHour }},
	{"another <unit>", func(_ *parse, a []*item) (item, bool) { return lengthOf(measure(a[0].n, a[0].g)), true }},
	{"<int> <unit> <min>", clockLength},
	{"for [a] [the] [about|around] <dur>", func(_ *parse, a []*item) (item, bool) { return lengthOf(a[0].d), true }},
	{"for another <dur>", func(_ *parse, a []*item) (item, bool) { return lengthOf(a[0].d), true }},
	{"<dur> long", func(_ *parse, a []*item) (item, bool) { return lengthOf(a[0].d), true }},
	{"<num> m", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gMinute) }},
	{"<num> s", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gSecond) }},
	{"<num> h", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gHour) }},
	{"<num> d", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gDay) }},
	{"<num> w", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gWeek) }},
	{"<num> y", func(p *parse, a []*item) (item, bool) { return p.letterUnit(a[0], gYear) }},
	{"<num> h <min>", func(_ *parse, a []*item) (item, bool) {
		return lengthOf(measure(a[0].n, gHour).plus(measure(a[1].n, gMinute))), !a[0].is(cSpelt) && !a[1].is(cSpelt)
	}},
}

func lengthOf(l length) item { return item{cat: cDur | cLen, d: l} }

// article is a length such as "a day", which needs words around it that make it one.
func article(l length) item { return item{cat: cDur, d: l} }

func halfUnit(_ *parse, a []*item) (item, bool) {
	return lengthOf(measure(a[0].n/2, a[0].g)), a[0].g != gQuarter
}

func quarterUnit(part float64) build {
	return func(_ *parse, a []*item) (item, bool) {
		return lengthOf(measure(a[0].n*part, a[0].g)), a[0].g != gQuarter
	}
}

// sumLengths adds a smaller length to a larger one.
func sumLengths(_ *parse, a []*item) (item, bool) {
	sum := a[0].d.plus(a[1].d)
	return lengthOf(sum), a[1].d.g < a[0].d.g && sum.sane()
}

// clockLength is "2 hours 30", where the next smaller unit goes without saying.
func clockLength(_ *parse, a []*item) (item, bool) {
	if a[1].g != gHour && a[1].g != gMinute {
		return item{}, false
	}
	it := lengthOf(measure(a[0].n*a[1].n, a[1].g).plus(measure(a[2].n, a[1].g-1)))
	it.cost = 2
	return it, a[2].n >= 5
}

// letterUnit is "5m": a letter is a unit only when it touches digits.
func (p *parse) letterUnit(n *item, g grain) (item, bool) {
	it := lengthOf(measure(n.n, g))
	if g == gHour && n.n >= 13 && n.n <= 24 {
		it.cost = 1 // "15h" is rather a time of day
	}
	return it, !n.is(cSpelt) && (p.toks[p.to-1].glued || g == gHour)
}
