package when

// pairs are the categories that may narrow each other, coarse first.
var pairs = []struct {
	coarse, fine cat
	join         func(p *parse, a, b *item) (item, bool)
}{
	{cDay, cClock, dayClock},
	{cDayPart | cPart, cClock, partClock},
	{cDay, cPart, dayPart},
	{cDay, cRange, dayRange},
	{cDayPart, cRange, partRange},
	{cYear, cAnnual | cMonth | cQuarter, narrow},
	{cDate, cWeekday, narrow},
	{cDate | cWeekGrain, cDayPart | cMoment, narrow},
	{cWeekGrain | cMonthGrain | cWeekend, cWeekday, narrow},
	{cMonthGrain | cYear, cDom0, narrow},
	{cMonthGrain | cMonth, cWeekend, narrow},
	{cYear | cMonthGrain, cMoment | cDayPart, narrow},
}

// meet joins two times that stand side by side, whichever is the coarser one.
func (p *parse) meet(a, b *item) (item, bool) {
	for _, pair := range pairs {
		if a.is(pair.coarse) && b.is(pair.fine) {
			if it, ok := pair.join(p, a, b); ok {
				return it, true
			}
		}
		if b.is(pair.coarse) && a.is(pair.fine) {
			if it, ok := pair.join(p, b, a); ok {
				return it, true
			}
		}
	}
	return item{}, false
}

// narrow is b inside a.
func narrow(p *parse, a, b *item) (item, bool) {
	if !a.is(cTime) && !b.is(cTime) || a.is(cHoliday) && b.is(cWeekday) {
		return item{}, false
	}
	it := item{cat: b.cat&^(cWeak|cAnnual|cMonth|cWeekday|cDom0|cHoliday|cWeekend|cPart) | cTime, g: b.g, s: within{a.s, b.s}, strict: b.strict, late: b.late, past: a.past}
	if b.is(cDay) {
		it.cat |= cDate
	}
	if b.is(cMonth) {
		it.cat |= cMonthGrain
	}
	s, ok := p.find(&it)
	if ok && a.is(cAnnual) && b.is(cWeekday) && s.from > p.now+400*aDay {
		if last, found := it.s.prev(p.now); found && last.from > p.now-366*aDay {
			it.s = one(last) // "tuesday, march 3" that fits this year but not the next
		}
	}
	return it, ok
}

// dayClock is a time of day on a day. A time that leaves the half of the day open gets the sensible one,
// today the coming one.
func dayClock(p *parse, day, c *item) (item, bool) {
	if c.zone != nil {
		plain := unzoned(c)
		it, ok := dayClock(p, day, &plain)
		if ok {
			it = p.inZone(&it, c.zone)
		}
		return it, ok
	}
	it := item{cat: cTime | cMoment, g: c.g, strict: true, past: day.past}
	if c.sec == aDay {
		it.s = mapped{s: day.s, far: aDay, turn: func(d span) (span, bool) { return unit(d.to, gHour), true }}
		_, ok := p.find(&it)
		return it, ok
	}
	it.s = within{day.s, p.beside(day, c)}
	return it, true
}

// beside is what a time of day becomes next to a day.
func (p *parse) beside(day, c *item) series {
	if o, ok := day.s.(one); c.dated == nil || ok && o.from == p.today {
		return c.s
	}
	if c.half && p.wake {
		return daily(c.sec, c.g)
	}
	return c.dated
}

// partClock is a time of day in a part of the day; a night lasts into the next morning for that.
func partClock(p *parse, part, c *item) (item, bool) {
	outer := mapped{s: part.s, turn: func(s span) (span, bool) {
		if s.from.clock() == 18*anHour {
			s.from -= anHour // "tonight at 5:30"
		}
		if part.late {
			s.to += 5 * anHour
		}
		return s, true
	}}
	inner := c.s
	if c.sec == aDay {
		inner = daily(0, gHour)
		outer = mapped{s: part.s, turn: func(s span) (span, bool) { s.to++; return s, true }}
	}
	it := item{cat: cTime | cMoment, g: c.g, s: within{outer, inner}, strict: true, past: part.past}
	if !part.is(cDayPart) {
		it.cat = cTime | cClock
	}
	s, ok := p.find(&it)
	if it.is(cClock) {
		it.sec = s.from.clock()
		ok = ok && !(part.late && it.sec < 6*anHour) // "saturday night at 1" is no saturday
	}
	return it, ok
}

func dayPart(p *parse, day, part *item) (item, bool) {
	it := item{cat: cTime | cDayPart | cInterval, g: gHour, s: within{day.s, part.s}, late: part.late, past: day.past}
	return it, true
}

func dayRange(p *parse, day, r *item) (item, bool) {
	s := r.s
	if o, ok := day.s.(one); r.dated != nil && !(ok && o.from == p.today) && !p.wake {
		s = r.dated
	}
	it := item{cat: cTime | cInterval | cMoment, g: r.g, s: within{day.s, s}, past: day.past}
	_, ok := p.find(&it)
	return it, ok
}

func partRange(p *parse, part, r *item) (item, bool) {
	inner := r.s
	if r.inPart != nil {
		inner = r.inPart
	}
	it := item{cat: cTime | cInterval | cMoment, g: r.g, s: within{part.s, inner}, past: part.past}
	_, ok := p.find(&it)
	return it, ok
}

// find chooses the occurrence that is meant: the next one, or the present one unless the phrase is strict;
// where nothing lies ahead the last one.
func (p *parse) find(it *item) (span, bool) {
	if it.s == nil {
		return span{}, false
	}
	if it.past {
		if s, ok := p.before(it.s); ok {
			return s, true
		}
	}
	if !it.strict {
		if s, ok := it.s.prev(p.now + 1); ok && s.to > p.now {
			return s, true
		}
	}
	if s, ok := it.s.next(p.now + 1); ok {
		return s, true
	}
	return it.s.prev(p.now + 1)
}

// after is the first occurrence that begins later than now.
func (p *parse) after(s series) (span, bool) { return s.next(p.now + 1) }

// coming is the present occurrence or the next.
func (p *parse) coming(s series) (span, bool) {
	if o, ok := s.prev(p.now + 1); ok && o.to > p.now {
		return o, true
	}
	return p.after(s)
}

// before is the last occurrence that is over.
func (p *parse) before(s series) (span, bool) {
	o, ok := s.prev(p.now + 1)
	for range 3 {
		if !ok || o.to <= p.now {
			break
		}
		o, ok = s.prev(o.from)
	}
	return o, ok
}

// begun is the last occurrence that has begun.
func (p *parse) begun(s series) (span, bool) { return s.prev(p.now + 1) }

func meetRule(p *parse, a []*item) (item, bool) { return p.meet(a[0], a[1]) }

func same(_ *parse, a []*item) (item, bool) {
	it := *a[0]
	it.cat = it.cat&^cWeak | cTime
	it.cost = 0
	return it, true
}

var meetRules = []entry{
	{"<when> [,] <when>", meetRule},
	{"<when> of|in <when>", meetRule},
	{"<when> [,] <part>", meetRule}, {"<part> of <day>", meetRule}, {"<part> [on] <day>", meetRule}, {"<part> <clock>", meetRule},
	{"<weekend> [in|of] <month>", meetRule},
	{"<clock> for <day>", meetRule},
	{"on [the] <day>", same}, {"on the day of <day>", same}, {"on [the] <daypart>", same}, {"on <dom0>", same},
	{"in|during|of <month>", same}, {"in|during [the] <monthgrain|year|season>", same}, {"during [the] <time>", same},
	{"for <day>", dearer}, {"for <clock>", dearer}, {"for <weekgrain>", dearer},
	{"the <holiday|season|date>", same},
}

// dearer is the same time with a word before it that might belong to the sentence.
func dearer(p *parse, a []*item) (item, bool) {
	it, ok := same(p, a)
	it.cost++
	return it, ok && a[0].is(cTime)
}
