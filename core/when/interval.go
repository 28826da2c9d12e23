package when

// clockRange runs from one time of day to the next occurrence of another. A half that is left open follows the other time.
func clockRange(a, b item) item {
	r := item{cat: cTime | cRange | cInterval, g: min(a.g, b.g), strict: true, sec: a.sec}
	switch {
	case a.half && b.half:
		r.s, r.inPart = reach{a: a.s, b: b.s}, reach{a: a.s, b: b.s}
		r.dated = reach{a: daily(sensible(a.sec), a.g), b: b.s}
		r.half = true
		if b.sec <= a.sec { // "from 9 to 5" is not meant to pass midnight
			r.s = reach{a: daily(a.sec, a.g), b: b.s}
			r.dated = r.s
		}
	case a.half:
		sec := a.sec
		if afternoon := sec + 12*anHour; (b.sec-afternoon+2*aDay)%aDay < (b.sec-sec+2*aDay)%aDay && b.sec != afternoon {
			sec = afternoon
		}
		r.s = reach{a: daily(sec, a.g), b: b.s}
	default:
		r.s = reach{a: a.s, b: b.s}
	}
	return r
}

// between joins any two times. It fails where the second does not follow the first.
func (p *parse) between(a, b *item) (item, bool) {
	if a.is(cClock) && b.is(cClock) {
		if a.zone == nil && b.zone != nil {
			x, y := unzoned(a), unzoned(b)
			r := clockRange(x, y)
			return p.inZone(&r, b.zone), true
		}
		return clockRange(*a, *b), true
	}
	if a.is(cRange|cInterval) && !a.is(cDayPart|cPart|cWeekend|cSeason|cHoliday|cThird) || b.is(cRange) || b.is(cClock) && a.g >= gWeek || b.is(cPart) && !a.is(cDayPart|cPart|cMoment|cNow|cClock) {
		return item{}, false
	}
	first, last := a.s, b.s
	if s, ok := p.find(b); ok && a.is(cDom0) && !b.is(cDom0) {
		last = one(s) // "from the 3rd to the 5th of next month" are both of next month
	}
	if o, ok := last.(one); ok {
		s, found := p.find(a)
		if a.is(cAnnual|cMonth|cClock|cDom0) || !found || s.from >= o.from {
			if s, found = a.s.prev(o.from); !found {
				return item{}, false
			}
		}
		first = one(s)
	}
	it := item{cat: cTime | cInterval, g: min(a.g, b.g), strict: a.strict, past: a.past}
	if b.half && !a.is(cClock) {
		it.s = reach{a: first, b: last}
	} else {
		it.s = reach{a: first, b: last, full: b.g >= gDay || b.is(cThird|cDayPart|cWeekend)}
	}
	if a.is(cClock) != b.is(cClock) {
		it.cost = 3
	}
	_, ok := p.find(&it)
	return it, ok
}

func betweenRule(p *parse, a []*item) (item, bool) { return p.between(a[0], a[1]) }

// hours joins times of which one or both are mere numbers.
func hours(cost int) build {
	return func(p *parse, a []*item) (item, bool) {
		x, y := asClock(a[0]), asClock(a[1])
		it, ok := p.between(&x, &y)
		it.cost = cost
		return it, ok && !(a[0].n == 0 && a[0].is(cHour))
	}
}

// asClock takes a number as an hour and spoken minutes as a time.
func asClock(n *item) item {
	switch {
	case n.is(cClock):
		return *n
	case n.is(cSoft):
		return firm(*n)
	case n.is(cHHMM) && n.n >= 100:
		it, _ := atDigits(nil, []*item{n})
		return it
	case n.is(cHour):
		return bare(n)
	}
	return *n
}

func monthDays(p *parse, a []*item) (item, bool) { return p.daysIn(a[0], a[1], a[2]) }
func daysMonth(p *parse, a []*item) (item, bool) { return p.daysIn(a[2], a[0], a[1]) }

// daysIn is "july 13 to 15".
func (p *parse) daysIn(month, from, to *item) (item, bool) {
	a, ok1 := dateOf(int(month.n), int(from.n))
	b, ok2 := dateOf(int(month.n), int(to.n))
	if !ok1 || !ok2 || from.n >= to.n {
		return item{}, false
	}
	it := item{cat: cTime | cInterval | cAnnual, g: gDay, s: reach{a: a.s, b: b.s, full: true}}
	return it, true
}

// edge is where an open interval begins or ends at a time: at its end for "after easter", at its beginning for "before easter".
func edge(it *item, s span, behind bool) (wall, bool) {
	sharp := it.is(cClock|cMoment|cNow) && !s.interval || s.g < gHour && !s.interval
	if sharp || !behind && !(it.is(cThird) && it.sec == end) {
		return s.from, s.fold
	}
	return s.to, s.foldTo
}

func opened(s span) item {
	it := fixed(s)
	it.cat |= cInterval | cOpen
	return it
}

func before(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || a[0].is(cOpen) {
		return item{}, false
	}
	at, fold := edge(a[0], s, false)
	return opened(span{to: at, foldTo: fold, g: s.g, interval: true, open: noStart}), true
}

// through also takes the last unit: "through friday".
func through(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || a[0].is(cOpen) {
		return item{}, false
	}
	at, fold := edge(a[0], s, true)
	return opened(span{to: at, foldTo: fold, g: s.g, interval: true, open: noStart}), true
}

func after(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || a[0].is(cOpen) {
		return item{}, false
	}
	at, fold := edge(a[0], s, true)
	return opened(span{from: at, fold: fold, g: s.g, interval: true, open: noEnd}), true
}

func starting(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if a[0].is(cOpen) || a[0].is(cInterval) && !a[0].is(cDayPart|cPart|cWeekend|cSeason|cHoliday|cThird) {
		return item{}, false
	}
	return opened(span{from: s.from, fold: s.fold, g: s.g, interval: true, open: noEnd}), ok
}

// since looks back.
func since(p *parse, a []*item) (item, bool) {
	s, ok := p.begun(a[0].s)
	if !ok {
		s, ok = p.find(a[0])
	}
	return opened(span{from: s.from, fold: s.fold, g: s.g, interval: true, open: noEnd}), ok && !a[0].is(cOpen)
}

// by runs from now to the end.
func by(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || a[0].is(cOpen) {
		return item{}, false
	}
	at, fold := edge(a[0], s, true)
	it := opened(span{from: p.now, fold: p.fold, to: at, foldTo: fold, g: s.g, interval: true})
	return it, at > p.now
}

func byBare(f build, cost int) build {
	return func(p *parse, a []*item) (item, bool) {
		c := asClock(a[0])
		it, ok := f(p, []*item{&c})
		it.cost = cost
		return it, ok && c.is(cClock)
	}
}

func yearly(f build) build {
	return func(p *parse, a []*item) (item, bool) {
		y := yearItem(yearOf(a[0]))
		return f(p, []*item{&y})
	}
}

// within is the time from now on for a length.
func withinRule(p *parse, a []*item) (item, bool) {
	return p.lasting(one(span{from: p.now, fold: p.fold, to: p.now + 1}), a[0].d)
}

func withinUnit(p *parse, a []*item) (item, bool) {
	return p.lasting(one(span{from: p.now, fold: p.fold, to: p.now + 1}), measure(a[0].n, a[0].g))
}

// lasting is an interval by its beginning and length.
func (p *parse) lasting(s series, l length) (item, bool) {
	if !l.sane() || l.zero() {
		return item{}, false
	}
	it := item{cat: cTime | cInterval, g: l.g}
	it.s = mapped{s: s, turn: func(s span) (span, bool) {
		out := span{from: s.from, fold: s.fold, g: l.g, interval: true}
		out.to, out.foldTo = p.shift(s.from, s.fold, l, 1)
		return out, true
	}}
	return it, true
}

func fromFor(p *parse, a []*item) (item, bool) {
	if a[0].is(cInterval|cRange) && !a[0].is(cOpen) || a[0].is(cDur) {
		return item{}, false
	}
	base := a[0].s
	if a[0].is(cOpen) {
		o := a[0].s.(one)
		if o.open != noEnd {
			return item{}, false
		}
		base = one(span{from: o.from, fold: o.fold, to: o.from + 1})
	}
	it, ok := p.lasting(base, a[1].d)
	it.strict, it.past = a[0].strict, a[0].past
	if _, found := p.find(&it); !found {
		return it, false
	}
	return it, ok
}

func forFrom(p *parse, a []*item) (item, bool) { return fromFor(p, []*item{a[1], a[0]}) }

const (
	to   = "to|till|til|until|through|thru|-|–"
	untl = "until|till|til"
	clk  = "<clock|soft>"
	clkN = "<clock|soft|hour|hhmm>"
)

var intervalRules = []entry{
	{"<when> " + to + " [the] <when>", betweenRule}, {"from [the] <when> " + to + " [the] <when>", betweenRule}, {"between [the] <when> and|- [the] <when>", betweenRule}, {"from <when> up to <when>", betweenRule}, {"<when> up to|until <when>", betweenRule}, {"<when> , to|until|till|through <when>", betweenRule},
	{"starting|beginning [on|at|from] <when> and ending [on|at] <when>", betweenRule}, {"starting|beginning [on|at] <when> until|to|through <when>", betweenRule}, {"between <when> to <when>", betweenRule},
	{"from [about|around] " + clkN + " " + to + " [about|around] " + clkN, hours(1)}, {"between [about|around] " + clkN + " and|-|to [about|around] " + clkN, hours(1)},
	{"<hour12> to <hour12>", softHours}, {"<hour12> - <clock>", hours(0)}, {"<hour12> to|till|til|until|through|thru <clock>", hoursBefore}, {"<clock> " + to + " <hour12|soft>", hours(1)}, {"<soft> " + to + " " + clk, hours(1)}, {"at <hour12> - <hour12>", hours(1)}, {"<hour12> - <hour12> oclock", hours(0)},
	{"<hour12> - <hour12> <daypart|date|weekday>", hoursOn}, {"<date|weekday> [from] [,] <hour12> -|to|until|till <hour12>", onHours}, {"<date|weekday> [,] <hour12> - <clock>", onHours}, {"<hour12> to <hour12> on <date|weekday>", hoursOn},
	{"<month> <dom|domord> " + to + " [the] <dom|domord>", monthDays}, {"from <month> [the] <dom|domord> " + to + " [the] <dom|domord>", monthDays}, {"between <month> [the] <dom|domord> and [the] <dom|domord>", monthDays}, {"<month> the <domord> " + to + " the <domord>", monthDays}, {"<month> from [the] <dom|domord> " + to + " [the] <dom|domord>", monthDays},
	{"[from] [the] <dom|domord> " + to + " [the] <dom|domord> [of] <month>", daysMonth}, {"between [the] <dom|domord> and [the] <dom|domord> [of] <month>", daysMonth},
	{"from [the] <dom|domord> " + to + " <date>", domTo}, {"<domord> - <date>", domTo}, {"<domord> - <domord>", domDom}, {"from <domord> " + to + " [the] <domord>", domDom}, {"between [the] <domord> and [the] <domord>", domDom}, {"the <domord> " + to + " [the] <domord>", domDom},
	{"from <yearnum> " + to + " <yearnum>", years}, {"between <yearnum> and <yearnum>", years}, {"<yearnum> - <yearnum>", years}, {"<yearnum> to|through|until <yearnum>", years},
	{"before|until|till|til [the] <when>", before}, {"prior to <when>", before}, {"up to|until|till [the] <when>", before}, {"earlier than <when>", before}, {"no later than <when>", by}, {"not later than <when>", by}, {"at the latest [by] <when>", by}, {"<when> at the latest", by}, {"leading up to <when>", before}, {"ahead of <holiday>", before}, {"anytime|sometime|any time before|until <when>", before}, {"before the <holiday>", before}, {"til|till|until the <third>", before},
	{"through|thru <when>", through}, {"up to and including <when>", through}, {"until|till the end of <when>", through}, {"until after <when>", through},
	{"after [the] <when>", after}, {"later than <when>", after}, {"anytime|sometime|any time|not|no after <when>", after}, {"no earlier|sooner than <when>", starting}, {"not before <when>", starting}, {"past <clock>", after}, {"anytime|sometime after <when>", after},
	{"since [the] <when>", since}, {"ever since <when>", since}, {"starting|beginning|from|commencing [on|at|from|in] <when> [on|onward|onwards|forward|forwards]", from}, {"as of|from [on] <when>", starting}, {"<when> onward|onwards", starting}, {"<when> and after|later|beyond|onwards", starting}, {"<when> or later", starting}, {"<when> or before|earlier", before}, {"effective [from] <when>", starting}, {"from <when> on", starting},
	{"by [the] <when>", by}, {"by at latest <when>", by}, {"by the end of <when>", by}, {"by end of <when>", by}, {"by [about|around] <hour|soft|hhmm>", byBare(by, 2)}, {"by [the] [end] [of] <the>", by},
	{"until|till|til|before [about|around] <hour|soft|hhmm>", byBare(before, 2)}, {"after [about|around] <hour|soft|hhmm>", byBare(after, 2)}, {"since <hour|soft>", byBare(since, 2)}, {"from <hour|soft> on|onwards|onward", byBare(starting, 2)}, {"<clock> or later", starting},
	{"by <hour12|soft> [on] <date|weekday>", bareOn(by)}, {"before|until|till|til <hour12|soft> [on] <date|weekday>", bareOn(before)}, {"after <hour12|soft> [on] <date|weekday>", bareOn(after)},
	{"before|until|till|til <yearnum>", yearly(before)}, {"after <yearnum>", yearly(after)}, {"since <yearnum>", yearly(since)}, {"by <yearnum>", yearly(by)}, {"through <yearnum>", yearly(through)}, {"from|starting <yearnum> [on|onwards|onward]", yearly(starting)}, {"starting in <yearnum>", yearly(starting)}, {"prior to <yearnum>", yearly(before)}, {"by the year <yearnum>", yearly(by)},
	{"within [the] [next|coming|following] <dur>", withinRule}, {"within a|an|one|the [next] <unit>", withinUnit}, {"in under|within <dur>", withinRule}, {"in less|fewer than <dur>", withinRule}, {"in less than a|an|one <unit>", withinUnit}, {"in the space of <dur>", withinRule}, {"inside of|the [next] <dur>", withinRule}, {"no more than <dur> from now", withinRule}, {"in the next <dur> or so", withinRule}, {"over the course of the next <dur>", withinRule}, {"sometime|anytime in the next <dur>", withinRule}, {"within <dur> from|of <now>", withinRule},
	{"within <dur> of|from|after <when>", forFrom},
	{"for [the] <dur> from|starting|beginning [on|at|from] [the] <when>", forFrom}, {"<dur> starting|beginning [on|at|from] [the] <when>", forFrom}, {"<when> for [about|around] <dur>", fromFor}, {"[starting] from <when> for <dur>", fromFor}, {"for [the] [next] <dur> after <when>", forFrom}, {"for a|an <unit> from|starting [on] <when>", forUnit}, {"<when> for a|an|one <unit>", unitFor}, {"for the <unit> starting|from <when>", forUnit},
	{"for [the] next <dur>", withinRule}, {"next <dur> from now", withinRule}, {"for <dur> from now", withinRule}, {"for <dur> starting now", withinRule},
}

func forUnit(p *parse, a []*item) (item, bool) {
	l := article(measure(a[0].n, a[0].g))
	return forFrom(p, []*item{&l, a[1]})
}

func unitFor(p *parse, a []*item) (item, bool) {
	l := article(measure(a[1].n, a[1].g))
	return fromFor(p, []*item{a[0], &l})
}

// from is "from monday", "starting tomorrow".
func from(p *parse, a []*item) (item, bool) {
	it, ok := starting(p, a)
	it.cost = 1
	return it, ok
}

// hoursBefore is "3 to 5 pm"; "ten to 5 pm" is 4:50.
func hoursBefore(p *parse, a []*item) (item, bool) {
	it, ok := hours(1)(p, a)
	if a[0].is(cFive) && a[0].is(cSpelt) && p.toks[a[0].end].text == "to" {
		it.cost = 4
	}
	return it, ok && a[1].g <= gHour
}

func hoursOn(p *parse, a []*item) (item, bool) {
	r, ok := hours(0)(p, a[:2])
	if !ok {
		return r, false
	}
	return p.meet(a[2], &r)
}

func onHours(p *parse, a []*item) (item, bool) {
	r, ok := hours(1)(p, a[1:])
	if !ok {
		return r, false
	}
	return p.meet(a[0], &r)
}

// domTo is "from the 13th to 15 july".
func domTo(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[1])
	if !ok || s.g != gDay {
		return item{}, false
	}
	y, m, d := s.from.date()
	if int(a[0].n) >= d {
		m--
	}
	start := on(y, m, int(a[0].n))
	return stretch(start, s.to, gDay), start < s.from
}

func domDom(p *parse, a []*item) (item, bool) {
	x, y := dayInMonth(a[0]), dayInMonth(a[1])
	x.cost = 1
	return p.between(&x, &y)
}

func years(p *parse, a []*item) (item, bool) {
	return stretch(on(int(a[0].n), 1, 1), on(int(a[1].n)+1, 1, 1), gYear), a[0].n < a[1].n
}

// softHours is "9 to 5", when nothing else is said.
func softHours(p *parse, a []*item) (item, bool) {
	it, ok := hours(3)(p, a)
	it.cat = cSoft | cInterval
	return it, ok
}

// bareOn is "after 6 tomorrow".
func bareOn(f build) build {
	return func(p *parse, a []*item) (item, bool) {
		c := asClock(a[0])
		it, ok := p.meet(a[1], &c)
		if !ok || !c.is(cClock) {
			return item{}, false
		}
		return f(p, []*item{&it})
	}
}
