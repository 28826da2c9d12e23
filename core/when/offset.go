package when

// fromNow is now moved by a length, to the unit that is one finer than the finest said: in three weeks is a day,
// in two hours a minute.
func (p *parse) fromNow(l length, sign int) (item, bool) {
	if !l.sane() {
		return item{}, false
	}
	g := l.g.finer()
	w, fold := p.shift(p.now, p.fold, l, sign)
	s := unit(w.floor(g), g)
	s.fold = fold
	it := fixed(s)
	it.cat |= widths(g)
	it.cat &^= cMonthGrain
	if g < gDay {
		it.cat |= cMoment
	}
	it.past = sign < 0
	return it, true
}

func offsetRule(sign int) build {
	return func(p *parse, a []*item) (item, bool) { return p.fromNow(a[0].d, sign) }
}

// addTo moves a time by a length. The result is as wide as the finer of the two.
func addTo(p *parse, base *item, l length, sign int) (item, bool) {
	if !l.sane() || base.is(cInterval) && !base.is(cDayPart|cWeekend|cSeason|cHoliday) {
		return item{}, false
	}
	if base.is(cNow) {
		return p.fromNow(l, sign)
	}
	g := min(base.g, l.g)
	far := wall(l.months)*31*aDay + wall(l.days)*aDay + wall(l.secs) + 2*aDay
	it := *base
	it.g, it.dated, it.half, it.zone, it.cost = g, nil, false, nil, 0
	it.cat = base.cat&^(cWeekday|cMonth|cWeak|cDom0|cPart|cHoliday|cSeason|cAnnual|cDayPart|cWeekend|cClock|cInterval|cMonthGrain|cWeekGrain|cYear) | cTime
	it.cat |= widths(g)
	it.s = mapped{s: p.anchor(base, sign), far: far, turn: func(s span) (span, bool) {
		w, fold := p.shift(s.from, s.fold, l, sign)
		out := unit(w, g)
		out.fold = fold
		return out, true
	}}
	if g < gDay {
		it.cat = it.cat&^(cDay|cDate) | cMoment
	}
	_, ok := p.find(&it)
	return it, ok
}

// anchor is what an offset is counted from. "a week from friday" is counted from the coming friday;
// before a time, and around what comes but once a year, any occurrence will do whose result lies ahead.
func (p *parse) anchor(base *item, sign int) series {
	if sign < 0 || base.is(cAnnual) {
		return base.s
	}
	if s, ok := p.find(base); ok {
		return one(s)
	}
	return base.s
}

func addRule(sign int) build {
	return func(p *parse, a []*item) (item, bool) { return addTo(p, a[1], a[0].d, sign) }
}

// dayBeside is the unit just before or after a time: "the day after christmas", "the week before easter".
func dayBeside(sign int) build {
	return func(p *parse, a []*item) (item, bool) {
		u, base := a[0], a[1]
		if u.g >= gWeek && base.g >= gWeek && u.g != base.g || u.n != 1 || u.g >= gDay && base.g < gDay && !base.is(cWeekend) {
			return item{}, false
		}
		it := *base
		it.cat, it.g, it.dated, it.strict, it.half = cTime|widths(u.g), u.g, nil, base.strict, false
		it.s = mapped{s: p.anchor(base, sign), far: 400 * aDay, turn: func(s span) (span, bool) {
			at := s.from
			if sign > 0 {
				at = s.to - 1
			}
			return unit(at.floor(u.g).add(u.g, sign), u.g), true
		}}
		_, ok := p.find(&it)
		return it, ok
	}
}

// occurrenceBeside is the first weekday, part of day or holiday after a time, or the last before it.
func occurrenceBeside(sign int) build {
	return func(p *parse, a []*item) (item, bool) { return p.beside1(1, a[0], a[1], sign) }
}

func nthBeside(sign int) build {
	return func(p *parse, a []*item) (item, bool) { return p.beside1(int(a[0].n), a[1], a[2], sign) }
}

func (p *parse) beside1(n int, what, base *item, sign int) (item, bool) {
	if n < 1 || n > 60 || base.is(cPart|cClock) {
		return item{}, false
	}
	it := oneOf(what, span{})
	it.late = what.late
	if what.is(cPart) {
		it.cat |= cDayPart | cInterval
	}
	it.s = mapped{s: p.anchor(base, sign), far: wall(n+1) * 370 * aDay, turn: func(s span) (span, bool) { return nthFrom(what.s, n, s, sign) }}
	_, ok := p.find(&it)
	return it, ok
}

// nthFrom steps n occurrences of s away from a span.
func nthFrom(s series, n int, base span, sign int) (span, bool) {
	var out span
	var ok bool
	at := base.to
	if sign < 0 {
		at = base.from
	}
	for range n {
		if sign > 0 {
			out, ok = s.next(at)
			at = out.from + 1
		} else {
			out, ok = s.prev(at)
			at = out.from
		}
		if !ok {
			return span{}, false
		}
	}
	return out, true
}

var offsetRules = []entry{
	{"in [about|around|approximately|roughly|exactly|just|only|another|like] <dur>", offsetRule(1)}, {"in a|an|one <unit>", inOne}, {"in [about|around] <dur> time", offsetRule(1)}, {"in a|an|one <unit> time", inOne},
	{"in a <dur> or so", offsetRule(1)}, {"in <dur> or so", offsetRule(1)},
	{"<dur> from now|today", fromRule}, {"<dur> from right now", offsetRule(1)}, {"<dur> hence", offsetRule(1)}, {"<dur> from this moment", offsetRule(1)}, {"<dur> from the present", offsetRule(1)}, {"<dur> later|away", offsetRule(1)}, {"<dur> after now", offsetRule(1)}, {"after <len>", offsetRule(1)},
	{"<dur> ago|back", offsetRule(-1)}, {"<dur> earlier", offsetRule(-1)}, {"<dur> prior", offsetRule(-1)}, {"<dur> before now", offsetRule(-1)}, {"<dur> in the past", offsetRule(-1)},
	{"<dur> after|from|past|following <when>", addRule(1)}, {"<dur> before|prior <when>", addRule(-1)}, {"<dur> prior to <when>", addRule(-1)}, {"<dur> ahead of <when>", addRule(-1)},
	{"<dur> after <part>", lunchRule(1)}, {"<dur> before <part>", lunchRule(-1)}, {"in <num> to|or|- <num> <unit>", inBetween},
	{"<when> plus <dur>", func(p *parse, a []*item) (item, bool) { return addTo(p, a[0], a[1].d, 1) }}, {"<when> minus <dur>", func(p *parse, a []*item) (item, bool) { return addTo(p, a[0], a[1].d, -1) }},
	{"<dur> on <weekday>", addRule(1)},
	{"[on|in] [the] <unit> after|following <time>", dayBeside(1)}, {"[on|in] [the] <unit> before|preceding <time>", dayBeside(-1)},
	{"[the|on] <weekday|weekend|holiday|month|season> after|following <when>", occurrenceBeside(1)}, {"[the|on] <weekday|weekend|holiday|month|season> before|preceding <when>", occurrenceBeside(-1)},
	{"[the] <part> after|of <day>", partBeside}, {"[the] <part> before <day>", occurrenceBeside(-1)},
	{"[the|on] first <weekday|weekend|month> after|following <when>", occurrenceBeside(1)}, {"[the|on] last <weekday|weekend|month> before|preceding <when>", occurrenceBeside(-1)},
	{"[the] <ord> <weekday> after|from|following <when>", nthBeside(1)}, {"[the] <int> <weekday|weekdays> after|from <when>", nthBeside(1)}, {"[the] <ord> <weekday> before <when>", nthBeside(-1)}, {"[the] <int> <weekday|weekdays> before <when>", nthBeside(-1)},
}

// inOne is "in an hour", where the article is no doubt.
func inOne(p *parse, a []*item) (item, bool) { return p.fromNow(measure(a[0].n, a[0].g), 1) }

// fromRule is "two days from now" to the hour, "two days from today" to the day.
func fromRule(p *parse, a []*item) (item, bool) {
	if p.toks[p.to-1].text == "now" || a[0].d.g < gDay {
		return p.fromNow(a[0].d, 1)
	}
	w, _ := p.shift(p.today, false, a[0].d, 1)
	return period(w, gDay), true
}

// partBeside is "the morning after christmas" and "the evening of the 5th".
func partBeside(p *parse, a []*item) (item, bool) {
	for i := p.from; i < p.to; i++ {
		if p.toks[i].text == "after" {
			return p.beside1(1, a[0], a[1], 1)
		}
	}
	return p.meet(a[0], a[1])
}

// lunchRule is "half an hour before lunch"; other parts of day begin too vaguely for that.
func lunchRule(sign int) build {
	return func(p *parse, a []*item) (item, bool) {
		part, _ := thePart(p, a[1:])
		part.cat |= cDayPart
		it, ok := addTo(p, &part, a[0].d, sign)
		return it, ok && a[1].n == 12 && a[1].sec == 14*anHour
	}
}

// inBetween is "in 5 to 10 minutes".
func inBetween(p *parse, a []*item) (item, bool) {
	from, ok1 := p.fromNow(measure(a[0].n*a[2].n, a[2].g), 1)
	to, ok2 := p.fromNow(measure(a[1].n*a[2].n, a[2].g), 1)
	if !ok1 || !ok2 || a[0].n >= a[1].n {
		return item{}, false
	}
	x, y := span(from.s.(one)), span(to.s.(one))
	return fixed(span{from: x.from, fold: x.fold, to: y.from, foldTo: y.fold, g: x.g, interval: true}), true
}
