package when

import "strings"

// day is a whole day counted from today.
func (p *parse) dayFrom(n int) item {
	return period(p.today.add(gDay, n), gDay)
}

func dayRule(n int) build {
	return func(p *parse, _ []*item) (item, bool) { return p.dayFrom(n), true }
}

// cycleFrom is a whole unit counted from the present one; units of several, such as a decade, begin at a multiple.
func (p *parse) cycleFrom(u *item, n int) item {
	times := int(u.n)
	if u.g == gYear && times > 1 {
		from := floorDiv(p.now.year(), times)*times + n*times
		return stretch(on(from, 1, 1), on(from+times, 1, 1), gYear)
	}
	from := p.now.floor(u.g).add(u.g, n*times)
	if times > 1 {
		return stretch(from, from.add(u.g, times), u.g)
	}
	return period(from, u.g)
}

func cycleRule(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		many := strings.HasSuffix(p.toks[a[0].end-1].text, "s") // "the coming weeks" are too vague
		return p.cycleFrom(a[0], n), !many
	}
}

// several are n whole units, the first of them first units away from the present one.
func (p *parse) several(n int, u *item, first int) item {
	times := n * int(u.n)
	from := p.now.floor(u.g).add(u.g, first)
	if first < 0 {
		from = p.now.floor(u.g).add(u.g, -times)
	}
	return stretch(from, from.add(u.g, times), u.g)
}

func severalRule(first int) build {
	return func(p *parse, a []*item) (item, bool) {
		it := p.several(int(a[0].n), a[1], first)
		return it, a[0].n > 0 && a[0].n < 10000
	}
}

func now(p *parse, _ []*item) (item, bool) {
	it := period(p.now, gSecond)
	it.s = one(span{from: p.now, to: p.now + 1, g: gSecond, fold: p.fold})
	it.cat |= cNow
	return it, true
}

// oneOf is a single occurrence as an item of the same categories.
func oneOf(it *item, s span) item {
	x := *it
	x.s, x.strict, x.dated = one(s), false, nil
	x.cat = x.cat&^(cWeak|cAnnual|cDom0|cPart|cWeekday|cWeekdays) | cTime
	switch {
	case it.is(cDay):
		x.cat |= cDate
	case it.is(cMonth):
		x.cat = x.cat&^cMonth | cMonthGrain
	}
	return x
}

// nextWeekday is the weekday in the week after this one.
func nextWeekday(p *parse, a []*item) (item, bool) {
	return p.weekdayIn(1, a[0]), true
}

func (p *parse) weekdayIn(week int, d *item) item {
	return period(p.now.floor(gWeek).add(gWeek, week).add(gDay, int(d.n)), gDay)
}

func weekdayRule(week int) build {
	return func(p *parse, a []*item) (item, bool) { return p.weekdayIn(week, a[0]), true }
}

// lastOf is the last occurrence that is over: "last monday" never means today.
func lastOf(p *parse, a []*item) (item, bool) {
	s, ok := p.before(a[0].s)
	return oneOf(a[0], s), ok
}

// nextOf is the first occurrence that begins after now.
func nextOf(p *parse, a []*item) (item, bool) {
	s, ok := p.after(a[0].s)
	return oneOf(a[0], s), ok
}

// thisOf is the present occurrence or the next.
func thisOf(p *parse, a []*item) (item, bool) {
	s, ok := p.coming(a[0].s)
	return oneOf(a[0], s), ok
}

// nextButOne skips one occurrence: "the weekend after next".
func nextButOne(p *parse, a []*item) (item, bool) {
	s, ok := p.after(a[0].s)
	if !ok {
		return item{}, false
	}
	s, ok = a[0].s.next(s.from + 1)
	return oneOf(a[0], s), ok
}

func lastButOne(p *parse, a []*item) (item, bool) {
	s, ok := p.before(a[0].s)
	if !ok {
		return item{}, false
	}
	s, ok = a[0].s.prev(s.from)
	return oneOf(a[0], s), ok
}

// nthComing is "2 sundays from now"; with sign below zero "2 sundays ago".
func nthComing(sign int) build {
	return func(p *parse, a []*item) (item, bool) {
		n := int(a[0].n)
		if n < 1 || n > 500 {
			return item{}, false
		}
		day := on(1970, 1, 5).add(gDay, int(a[1].n)) // a monday is 0
		week := floorDiv(p.today-day, 7*aDay)
		if sign > 0 {
			return period(day.add(gWeek, int(week)+n), gDay), true
		}
		if p.today.weekday() == int(a[1].n) {
			return period(p.today.add(gWeek, -n), gDay), true
		}
		return period(day.add(gWeek, int(week)-n+1), gDay), true
	}
}

// sameClock is "this time tomorrow".
func sameClock(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || s.g < gDay {
		return item{}, false
	}
	w := s.from + wall(p.now.clock())
	switch s.g {
	case gWeek:
		w = p.now + (s.from - p.now.floor(gWeek))
	case gMonth, gYear:
		y, m, _ := s.from.date()
		_, nm, d := p.now.date()
		if s.g == gYear {
			m = nm
		}
		w = on(y, m, min(d, daysIn(y, m))) + wall(p.now.clock())
	}
	it := fixed(unit(w, gMinute))
	it.cat |= cMoment
	return it, true
}

const (
	nexts = "next|following|upcoming|coming|nxt"
	lasts = "last|past|previous|prior|preceding"
)

var relativeRules = []entry{
	{"now|asap|immediately", now}, {"right|just now", now}, {"right away", now}, {"straight away", now}, {"as soon as possible", now}, {"at the|this moment", now},
	{"at this|the [present] time", now}, {"at present", now}, {"this moment|instant|second", now}, {"this very moment|second", now}, {"as of now", now},
	{"today|2day", dayRule(0)}, {"this day", dayRule(0)}, {"the present day", dayRule(0)}, {"[the] current day", dayRule(0)},
	{"tomorrow|tmrw|tmr|tomorow|tommorow|tommorrow|2moro|tomorrows|2morrow|tomo|morrow", dayRule(1)}, {"tom", dayWeak(1)}, {"the next|following day", dayRule(1)}, {"to morrow", dayRule(1)},
	{"yesterday|yesterdays|yday|yesturday|ystday", yesterday(-1)}, {"the previous|last day", yesterday(-1)},
	{"[the] day after tomorrow", dayRule(2)}, {"[the] day before yesterday", yesterday(-2)}, {"overmorrow", dayRule(2)},
	{"this|current|the [current|present] <unit>", thisUnit}, {"in|during|within this <unit>", cycleRule(0)}, {"[the] current|present <unit>", cycleRule(0)},
	{"this coming|upcoming <unit>", cycleRule(1)}, {"[in|during] [the] " + nexts + " <unit>", cycleRule(1)}, {"[the] <unit> after this [one]", cycleRule(1)}, {"the <unit> ahead", cycleRule(1)},
	{"[in|during] [the|this] " + lasts + " <unit>", cycleRule(-1)}, {"[the] <unit> before this [one]", cycleRule(-1)},
	{"[the] <unit> after next", cycleRule(2)}, {"[the] <unit> before last", cycleRule(-2)}, {"next next <unit>", cycleRule(2)}, {"last last <unit>", cycleRule(-2)},
	{"[in|over|during|for] [the|these] [very] " + nexts + " <int> [full|whole|calendar] <unit>", severalRule(1)},
	{"[in|over|during|for] [the|these] " + lasts + " <int> [full|whole|calendar] <unit>", severalRule(-1)},
	{"[the] <int> " + lasts + " <unit>", severalRule(-1)}, {"[the] <int> " + nexts + " <unit>", severalRule(1)},
	{"[over|in|during] these " + lasts + " <int> <unit>", severalRule(-1)},
	{nexts + " <weekday>", nextWeekday}, {"on next <weekday>", nextWeekday}, {"<weekday> [of] next week", nextWeekday}, {"next week [on] <weekday>", nextWeekday},
	{"this [coming|upcoming] <weekday>", comingDay}, {"[the] coming|upcoming <weekday>", comingDay}, {"<weekday> this week", weekdayRule(0)}, {"this week <weekday>", weekdayRule(0)}, {"<weekday> of this week", weekdayRule(0)},
	{lasts + " <weekday>", lastOf}, {"[the|this] past|previous|last <weekday>", lastOf}, {"on last|past <weekday>", lastOf}, {"<weekday> last", lastOf}, {"<weekday> next", comingDay}, {"<weekday> just gone", lastOf},
	{"<weekday> [of] last|previous week", weekdayRule(-1)}, {"last week [on] <weekday>", weekdayRule(-1)}, {"last weeks <weekday>", weekdayRule(-1)}, {"next weeks <weekday>", weekdayRule(1)},
	{"<weekday> after next", weekdayRule(2)}, {"[the] <weekday> before last", lastButOne}, {"<weekday> week", fridayWeek}, {"[a] week <weekday>", fridayWeek}, {"a week on <weekday>", fridayWeek},
	{"<weekday> fortnight", func(p *parse, a []*item) (item, bool) { return addTo(p, a[0], length{days: 14, g: gDay}, 1) }},
	{"[a] week tomorrow", dayRule(8)}, {"tomorrow week", dayRule(8)}, {"[a] week today", dayRule(7)}, {"today week", dayRule(7)}, {"a fortnight today", dayRule(14)},
	{"[in] this [coming] <month>", thisOf}, {"[in] " + nexts + " <month>", nextOf}, {"[in] [the] coming <month>", nextOf}, {"[in|the|this] " + lasts + " <month>", lastOf},
	{"<month> [of] next year", monthNextYear(1)}, {"<month> [of] last year", monthNextYear(-1)}, {"<month> [of] this year", monthNextYear(0)},
	{"[on|in|this] this <annual|quarter>", thisOf}, {"[the|on|in|over] " + nexts + " <annual|quarter>", nextOf}, {"[the|on|in|over|this] " + lasts + " <annual|quarter>", lastOf},
	{"[the] <annual|month> after next", nextButOne}, {"[the] <annual|month> before last", lastButOne}, {"this coming|upcoming <annual>", nextOf},
	{"<int> <weekday|weekdays> from now", nthComing(1)}, {"in <int> business|working|work days", workdays(1)}, {"<int> business|working|work days from now|today", workdays(1)}, {"<int> business|working|work days ago", workdays(-1)}, {"in <int> <weekdays>", nthComing(1)}, {"<int> <weekday|weekdays> ago|back", nthComing(-1)}, {"<int> <weekdays> hence", nthComing(1)},
	{"this time <time>", sameClock}, {"[at] [the|this] same time <time>", sameClock}, {"[at] about this time <time>", sameClock}, {"<time> [at] this time", sameClock}, {"<time> at the same time", sameClock},
}

func dayWeak(n int) build {
	return func(p *parse, _ []*item) (item, bool) {
		it := p.dayFrom(n)
		it.cat = it.cat&^(cTime|cWhen) | cWeak
		return it, true
	}
}

func yesterday(n int) build {
	return func(p *parse, _ []*item) (item, bool) {
		it := p.dayFrom(n)
		it.past = true
		return it, true
	}
}

// thisUnit is "this week"; "the week" alone is none, only "the week of ..." is, by another rule.
func thisUnit(p *parse, a []*item) (item, bool) {
	it := p.cycleFrom(a[0], 0)
	if w := p.toks[p.from].text; w == "the" && p.to-p.from == 2 {
		it.cat, it.cost = it.cat&^(cTime|cWhen|cDay|cDate)|cThe, 1
	}
	return it, true
}

// comingDay is the next such weekday, today included.
func comingDay(p *parse, a []*item) (item, bool) {
	s, ok := a[0].s.next(p.today)
	return oneOf(a[0], s), ok
}

// fridayWeek is seven days after the coming one.
func fridayWeek(p *parse, a []*item) (item, bool) {
	return addTo(p, a[0], length{days: 7, g: gDay}, 1)
}

func monthNextYear(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		return period(on(p.now.year()+n, int(a[0].n), 1), gMonth), true
	}
}

// workdays counts from today and leaves out weekends.
func workdays(sign int) build {
	return func(p *parse, a []*item) (item, bool) {
		day := p.today
		for n := int(a[0].n); n > 0; {
			if day = day.add(gDay, sign); day.weekday() < 5 {
				n--
			}
		}
		return period(day, gDay), a[0].n > 0 && a[0].n < 1000
	}
}
