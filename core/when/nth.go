package when

// nthIn is the n-th occurrence of inner that lies wholly in a span, from its end where n is below zero.
func nthIn(inner series, n int, in span) (span, bool) {
	if n > 0 {
		s, ok := inner.next(in.from)
		for i := 1; ok && i < n; i++ {
			s, ok = inner.next(s.from + 1)
		}
		return s, ok && s.to <= in.to
	}
	s, ok := inner.prev(in.to)
	for ok && s.to > in.to {
		s, ok = inner.prev(s.from)
	}
	for i := -1; ok && i > n; i-- {
		s, ok = inner.prev(s.from)
	}
	return s, ok && s.from >= in.from
}

// every is each unit of a grain, as a series.
func every(g grain) series {
	return cycle{g, func(w wall) (span, bool) { return unit(w, g), true }}
}

// nthOf is "the third monday of march", "the last day of the month".
func (p *parse) nthOf(n int, what series, g grain, cats cat, outer *item) (item, bool) {
	if outer.g <= g && !outer.is(cInterval) || outer.is(cClock|cPart|cDayPart|cMoment) || n == 0 || n > 400 {
		return item{}, false
	}
	it := item{cat: cTime | cats, g: g, past: outer.past}
	it.s = mapped{s: outer.s, far: 400 * aDay, turn: func(in span) (span, bool) { return nthIn(what, n, in) }}
	_, ok := p.find(&it)
	return it, ok
}

func nthWeekday(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		k, a := pick(n, a)
		cats := cDay | cDate
		if a[0].is(cWeekend) {
			cats = cInterval
		}
		return p.nthOf(k, a[0].s, a[0].g, cats, a[1])
	}
}

// pick takes the count from the items where the rule itself has none.
func pick(n int, a []*item) (int, []*item) {
	if n == 0 {
		return int(a[0].n), a[1:]
	}
	return n, a
}

func nthUnit(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		k, a := pick(n, a)
		if a[0].n != 1 {
			return item{}, false
		}
		return p.nthOf(k, every(a[0].g), a[0].g, widths(a[0].g), a[1])
	}
}

// severalOf is "the first three days of march", "the last two weeks of july".
func severalOf(sign int) build {
	return func(p *parse, a []*item) (item, bool) {
		n, u, outer := int(a[0].n), a[1], a[2]
		if outer.g <= u.g || n < 1 || n > 400 || outer.is(cClock) {
			return item{}, false
		}
		it := item{cat: cTime | cInterval, g: u.g, past: outer.past}
		it.s = mapped{s: outer.s, far: 400 * aDay, turn: func(in span) (span, bool) {
			s := span{from: in.from, to: in.from.add(u.g, n*int(u.n)), g: u.g, interval: true}
			if sign < 0 {
				s.from, s.to = in.to.add(u.g, -n*int(u.n)), in.to
			}
			return s, true
		}}
		_, ok := p.find(&it)
		return it, ok
	}
}

// weekOf is the week that holds a day.
func weekOf(p *parse, a []*item) (item, bool) {
	it := item{cat: cTime | cWeekGrain, g: gWeek, past: a[0].past}
	it.s = mapped{s: a[0].s, far: 8 * aDay, turn: func(s span) (span, bool) { return unit(s.from.floor(gWeek), gWeek), true }}
	_, ok := p.find(&it)
	return it, ok
}

// weekFrom is the seven days from a day.
func weekFrom(p *parse, a []*item) (item, bool) {
	it := item{cat: cTime | cInterval, g: gDay}
	it.s = mapped{s: a[0].s, turn: func(s span) (span, bool) {
		return span{from: s.from, to: s.from.add(gWeek, 1), g: gDay, interval: true}, true
	}}
	return it, true
}

const (
	beginning = iota
	middle
	end
)

// third is the beginning, middle or end of a unit: ten days of a month, three of a week, three or four months of a year.
func third(which int, s span) (span, bool) {
	out := span{g: gDay, interval: true}
	var from, to wall
	switch {
	case s.interval && s.g >= gDay || s.g == gQuarter:
		days := (s.to - s.from) / aDay / 3
		from, to = s.from+days*aDay, s.from+2*days*aDay
	case s.g == gYear:
		out.g = gMonth
		from, to = s.from.add(gMonth, 3), s.from.add(gMonth, 8)
	case s.g == gMonth:
		from, to = s.from+10*aDay, s.from+20*aDay
	case s.g == gWeek:
		from, to = s.from+3*aDay, s.from+4*aDay
	case s.g == gDay:
		out.g = gHour
		from, to = s.from+9*anHour, s.from+17*anHour
	default:
		return span{}, false
	}
	switch which {
	case beginning:
		out.from, out.to = s.from, from
	case middle:
		out.from, out.to = from, to
	default:
		out.from, out.to = to, s.to
	}
	return out, true
}

func thirdRule(which int) build {
	return func(p *parse, a []*item) (item, bool) { return p.thirdOf(which, a[0]) }
}

func (p *parse) thirdOf(which int, base *item) (item, bool) {
	if base.g < gDay || base.is(cDayPart|cMoment) {
		return item{}, false
	}
	it := item{cat: cTime | cInterval | cThird, g: min(base.g, gDay), past: base.past}
	it.s = mapped{s: base.s, far: 400 * aDay, turn: func(s span) (span, bool) { return third(which, s) }}
	it.sec = which
	_, ok := p.find(&it)
	return it, ok
}

// endOfThe is EOD, EOM and EOY.
func endOfThe(g grain) build {
	return func(p *parse, _ []*item) (item, bool) {
		base := period(p.now.floor(g), g)
		return p.thirdOf(end, &base)
	}
}

const (
	starts  = "beginning|start|outset|early"
	middles = "middle|midst|mid"
	ends    = "end|close|late|ending"
	wide    = "<date|weekday|weekgrain|month|monthgrain|year|season|quarter|the>"
)

var nthRules = []entry{
	{"[on] [the] <ord> <weekday|weekend> of|in|during|from " + wide, nthWeekday(0)}, {"[on] [the] last|final <weekday|weekend> of|in|during|from " + wide, nthWeekday(-1)}, {"[on] [the] <ord> <weekday> " + "<monthgrain>", nthWeekday(0)},
	{"[on] [the] <ord> last <weekday|weekend> of|in " + wide, nthLast}, {"[the] <ord> to last <weekday|weekend> of|in " + wide, nthLast}, {"[the] penultimate <weekday|weekend> of|in " + wide, nthWeekday(-2)}, {"[the] next to last <weekday|weekend> of|in " + wide, nthWeekday(-2)},
	{"<month> [s] <ord> <weekday>", func(p *parse, a []*item) (item, bool) { return p.nthOf(int(a[1].n), a[2].s, gDay, cDay|cDate, a[0]) }},
	{"<ord> <weekday> <month>", nthWeekday(0)}, {"last <weekday> <month>", nthWeekday(-1)},
	{"[on|in|during] [the] <ord> [full|whole] <unit> of|in|during|from " + wide, nthUnit(0)}, {"[on|in|during] [the] last|final [full|whole] <unit> of|in|during|from " + wide, nthUnit(-1)},
	{"[the] very last|final <unit> of " + wide, nthUnit(-1)}, {"[the] very first <unit> of " + wide, nthUnit(1)}, {"[the] opening <unit> of " + wide, nthUnit(1)},
	{"[the] <ord> last <unit> of|in " + wide, nthLast}, {"[the] <ord> to last <unit> of|in " + wide, nthLast}, {"[the] penultimate <unit> of|in " + wide, nthUnit(-2)}, {"[the] next to last <unit> of|in " + wide, nthUnit(-2)},
	{"[in|during|for] [the] first <int> <unit> of|in " + wide, severalOf(1)}, {"[in|during|for] [the] last|final <int> <unit> of|in " + wide, severalOf(-1)}, {"[the] <int> last|final <unit> of " + wide, severalOf(-1)}, {"[the] <int> first <unit> of " + wide, severalOf(1)},
	{"[in|during] [the|this] week of [the] <date|weekday>", weekOf}, {"[in|during] the week with <date>", weekOf}, {"[the] same week as <date>", weekOf}, {"[the] week containing|including [the] <date>", weekOf}, {"[the] <holiday> week", weekOf}, {"the week that has <date>", weekOf},
	{"[the] week starting|beginning|commencing|from [on] [the] <date|weekday>", weekFrom}, {"[the] week <date>", weekOf}, {"week of <holiday>", weekOf},
	{"[at|in|by|during|toward|towards|around] [the] [very] " + starts + " of [the] " + wide, thirdRule(beginning)}, {"[in] early [in] <month|monthgrain|year|weekgrain>", thirdRule(beginning)}, {"early|start|beginning in <month|monthgrain|year>", thirdRule(beginning)}, {"[in] early <season>", thirdRule(beginning)},
	{"[at|in|during|toward|towards|around] [the] [very] " + ends + " of [the] " + wide, thirdRule(end)}, {"[in] late [in] <month|monthgrain|year|weekgrain>", thirdRule(end)}, {"late in <month|monthgrain|year>", thirdRule(end)}, {"[in] late <season>", thirdRule(end)}, {"<month|weekgrain|monthgrain|year> end", thirdRule(end)},
	{"[at|in|during|around] [the] " + middles + " of [the] " + wide, thirdRule(middle)}, {"[in] mid [of] <month|monthgrain|year|weekgrain>", thirdRule(middle)}, {"[in] mid <season>", thirdRule(middle)}, {"halfway through <month|monthgrain|year|weekgrain>", thirdRule(middle)},
	{"[in|at] early|beginning|start <yearnum>", earlyYear(beginning)}, {"[in|at] late|end <yearnum>", earlyYear(end)}, {"[in|at] mid <yearnum>", earlyYear(middle)}, {"[in] [the] early|beginning|start of <yearnum>", earlyYear(beginning)}, {"[at|in] [the] end of <yearnum>", earlyYear(end)}, {"[in] the middle of <yearnum>", earlyYear(middle)},
	{"[at] [the] eod", endOfThe(gDay)}, {"[at] [the] eow", endOfThe(gWeek)}, {"[at] [the] eom", endOfThe(gMonth)}, {"[at] [the] eoq", endOfThe(gQuarter)}, {"[at] [the] eoy", endOfThe(gYear)}, {"[at] [the] bom", func(p *parse, _ []*item) (item, bool) {
		base := period(p.now.floor(gMonth), gMonth)
		return p.thirdOf(beginning, &base)
	}},
	{"[at] [the] month end", endOfThe(gMonth)}, {"[at] [the] year end", endOfThe(gYear)}, {"[at] [the] end of day", endOfThe(gDay)}, {"[at] [the] end of week", endOfThe(gWeek)}, {"[at|by] [the] end of month", endOfThe(gMonth)}, {"[at] [the] end of year", endOfThe(gYear)}, {"[at] [the] end of quarter", endOfThe(gQuarter)}, {"[at] the days end", endOfThe(gDay)}, {"[at] close of business", endOfThe(gDay)}, {"[at] [the] end of business [day]", endOfThe(gDay)},
	{"midweek", func(p *parse, _ []*item) (item, bool) {
		base := period(p.now.floor(gWeek), gWeek)
		return p.thirdOf(middle, &base)
	}}, {"mid week", func(p *parse, _ []*item) (item, bool) {
		base := period(p.now.floor(gWeek), gWeek)
		return p.thirdOf(middle, &base)
	}}, {"mid month", func(p *parse, _ []*item) (item, bool) {
		base := period(p.now.floor(gMonth), gMonth)
		return p.thirdOf(middle, &base)
	}},
	{"[the|in|during] <ord> quarter [of|,|in] <yearnum>", quarterOf}, {"[the|in|during] <ord> quarter of <year|the>", quarterIn}, {"[in|during] [the] <ord> quarter", quarterRule}, {"[the] last|final quarter of <year|the>", func(p *parse, a []*item) (item, bool) { return p.nthOf(-1, every(gQuarter), gQuarter, 0, a[0]) }},
	{"q <int>", qRule}, {"quarter <int>", qRule}, {"[in] [the] <quarter> of <year>", func(p *parse, a []*item) (item, bool) { return narrow(p, a[1], a[0]) }}, {"in <quarter>", same}, {"the <quarter>", same}, {"qtr <int>", qRule},
	{"[in|during|for] [the] first half of " + wide, halfOf(0)}, {"[in|during|for] [the] second|last|latter|other half of " + wide, halfOf(1)}, {"[the] first half of <yearnum>", halfYear(0)}, {"[the] second half of <yearnum>", halfYear(1)}, {"h 1 [of] <yearnum>", halfYear(0)}, {"h 2 [of] <yearnum>", halfYear(1)},
}

func nthLast(p *parse, a []*item) (item, bool) {
	if a[1].is(cUnit) {
		return nthUnit(-int(a[0].n))(p, a[1:])
	}
	return nthWeekday(-int(a[0].n))(p, a[1:])
}

func earlyYear(which int) build {
	return func(p *parse, a []*item) (item, bool) {
		y := yearItem(yearOf(a[0]))
		return p.thirdOf(which, &y)
	}
}

func quarterItem(n int) item {
	return item{cat: cQuarter | cTime, n: float64(n), g: gQuarter, s: cycle{gYear, func(y wall) (span, bool) { return unit(y.add(gQuarter, n-1), gQuarter), true }}}
}

func quarterRule(_ *parse, a []*item) (item, bool) {
	return quarterItem(int(a[0].n)), a[0].n >= 1 && a[0].n <= 4
}

func qRule(p *parse, a []*item) (item, bool) {
	it, ok := quarterRule(p, a)
	return it, ok && p.toks[p.to-1].digits == 1
}

func quarterOf(p *parse, a []*item) (item, bool) {
	y := yearItem(yearOf(a[1]))
	return quarterIn(p, []*item{a[0], &y})
}

func quarterIn(p *parse, a []*item) (item, bool) {
	return p.nthOf(int(a[0].n), every(gQuarter), gQuarter, 0, a[1])
}

// halfOf is the first or second half of a unit; of a month the first half has 15 days.
func halfOf(second int) build {
	return func(p *parse, a []*item) (item, bool) {
		base := a[0]
		it := item{cat: cTime | cInterval, g: min(base.g, gDay), past: base.past}
		it.s = mapped{s: base.s, far: 400 * aDay, turn: func(s span) (span, bool) { return half(second, s) }}
		_, ok := p.find(&it)
		return it, ok && base.g >= gDay
	}
}

func half(second int, s span) (span, bool) {
	mid := s.from + (s.to-s.from)/2
	switch s.g {
	case gYear:
		mid = s.from.add(gMonth, 6)
	case gMonth:
		mid = s.from.add(gDay, 15)
	case gDay:
		mid = s.from + 12*anHour
	default:
		mid = mid.midnight()
	}
	out := span{from: s.from, to: mid, g: min(s.g, gDay), interval: true}
	if second == 1 {
		out.from, out.to = mid, s.to
	}
	return out, true
}

func halfYear(second int) build {
	return func(p *parse, a []*item) (item, bool) {
		y := yearItem(yearOf(a[0]))
		return halfOf(second)(p, []*item{&y})
	}
}
