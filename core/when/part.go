package when

// within the hours of a part of day, the narrower ones that people name.
var narrower = map[string]map[string][2]int{
	"early": {"morning": {0, 9}, "afternoon": {12, 15}, "evening": {18, 21}, "night": {18, 21}, "today": {0, 12}, "tomorrow": {0, 12}},
	"late":  {"morning": {9, 12}, "afternoon": {15, 19}, "evening": {21, 24}, "night": {21, 24}},
	"mid":   {"morning": {8, 11}, "afternoon": {14, 16}, "evening": {20, 22}},
}

// partItem is a part of every day; strong says that the words before it made it sure to be one.
func partItem(from, to int, late bool) item {
	return item{cat: cPart | cWeak, n: float64(from), sec: to * anHour, g: gHour, s: partOf(from*anHour, to*anHour), late: late}
}

// thisPart is a part of today.
func (p *parse) partToday(part *item) (item, bool) {
	day := p.dayFrom(0)
	return dayPart(p, &day, part)
}

func partOn(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		day := p.dayFrom(n)
		day.past = n < 0
		return dayPart(p, &day, a[0])
	}
}

// thePart is "in the evening": the present one or the next.
func thePart(p *parse, a []*item) (item, bool) {
	it := *a[0]
	it.cat = cPart | cTime | cInterval
	return it, true
}

func narrowPart(which string) build {
	return func(p *parse, a []*item) (item, bool) {
		from, to := int(a[0].n), a[0].sec/anHour
		for name, hours := range narrower[which] {
			for _, part := range parts {
				if part.from == from && part.to == to && startsWith(part.names, name) && part.late == a[0].late {
					return partItem(hours[0], hours[1], part.late), true
				}
			}
		}
		return item{}, false
	}
}

func startsWith(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// tonight is this evening; early and late narrow it.
func tonight(from, to int) build {
	return func(p *parse, _ []*item) (item, bool) {
		part := partItem(from, to, true)
		return p.partToday(&part)
	}
}

func partNamed(from, to int) build {
	return func(*parse, []*item) (item, bool) { return partItem(from, to, false), true }
}

// restOf runs from now to the end of a unit.
func restOf(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || s.from > p.now || s.to <= p.now {
		return item{}, false
	}
	return stretch(p.now, s.to, min(s.g, gHour)), true
}

// upToNow runs from the beginning of a unit to now.
func upToNow(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[0])
	if !ok || s.from > p.now {
		return item{}, false
	}
	return stretch(s.from, p.now, min(s.g, gDay)), true
}

func unitToNow(p *parse, a []*item) (item, bool) {
	return stretch(p.now.floor(a[0].g), p.now, gDay), a[0].g > gDay
}

// firstThing is the early morning.
func firstThing(p *parse, a []*item) (item, bool) {
	part := partItem(0, 9, false)
	return dayPart(p, a[0], &part)
}

var partRules = []entry{
	{"tonight|tonite|2nite|tonights", tonight(18, 24)}, {"to night", tonight(18, 24)}, {"this [very|coming] <part>", partOn(0)},
	{"late tonight", tonight(21, 24)}, {"early tonight", tonight(18, 21)}, {"later tonight", tonight(18, 24)}, {"tonight late", tonight(21, 24)},
	{"last <part>", lastPart}, {"next <part>", nextPart}, {"late last <part>", func(p *parse, a []*item) (item, bool) {
		part, ok := narrowPart("late")(p, a)
		if !ok {
			return part, false
		}
		return lastPart(p, []*item{&part})
	}},
	{"early last <part>", func(p *parse, a []*item) (item, bool) {
		part, ok := narrowPart("early")(p, a)
		if !ok {
			return part, false
		}
		return lastPart(p, []*item{&part})
	}},

	{"[in|during] [the] early [in] [the] <part>", narrowPart("early")}, {"[in|during] [the] late [in] [the] <part>", narrowPart("late")}, {"[in|during] [the] mid|middle [of] [the] <part>", narrowPart("mid")},
	{"in|during|over|for [the] <part>", thePart}, {"at <part>", atPart}, {"late at <part>", func(p *parse, a []*item) (item, bool) {
		it := partItem(21, 24, true)
		it.cat = cPart | cTime | cInterval
		return it, a[0].late
	}},
	{"early this <part>", thisNarrow("early")}, {"late this <part>", thisNarrow("late")}, {"later this <part>", partOn(0)}, {"earlier this <part>", partOn(0)},
	{"in the early hours [of]", partNamed(0, 6)}, {"[in] the middle of the night", midNight}, {"[in] the wee|small hours", partNamed(0, 5)}, {"the small hours [of]", partNamed(0, 5)},
	{"<day> <part> early", narrowDay("early")}, {"<day> <part> late", narrowDay("late")}, {"early <daypart>", narrowDaypart("early")}, {"late <daypart>", narrowDaypart("late")},
	{"early|earlier <day>", earlyDay(0, 12)}, {"late <day>", earlyDay(18, 24)}, {"<day> early", earlyDay(0, 12)},
	{"first thing [on] <day>", firstThing}, {"<day> first thing", firstThing}, {"first thing [in] [the] <part>", func(p *parse, a []*item) (item, bool) {
		it := partItem(0, 9, false)
		it.cat = cPart | cTime | cInterval
		return it, a[0].n == 0
	}},
	{"<day> first thing in the <part>", firstThing}, {"first thing <daypart>", narrowDaypart("early")},
	{"later today", laterToday}, {"later [on] today", laterToday}, {"earlier today", earlierToday}, {"later <weekgrain|monthgrain|year>", restOf}, {"earlier <weekgrain|monthgrain|year>", upToNow},
	{"[for|during] [the] rest|remainder of <day|weekgrain|monthgrain|year|the|season|daypart>", restOf}, {"[for] [the] rest|remainder of the <part>", restOf},
	{"<unit> to date", unitToNow}, {"ytd", func(p *parse, _ []*item) (item, bool) { return stretch(p.now.floor(gYear), p.now, gDay), true }}, {"mtd", func(p *parse, _ []*item) (item, bool) { return stretch(p.now.floor(gMonth), p.now, gDay), true }}, {"qtd", func(p *parse, _ []*item) (item, bool) { return stretch(p.now.floor(gQuarter), p.now, gDay), true }},
	{"<weekgrain|monthgrain|year> so far", upToNow}, {"so far <weekgrain|monthgrain|year>", upToNow}, {"today so far", earlierToday},
	{"all|entire|whole [of] <day|weekgrain|monthgrain|year|daypart>", same}, {"the entire|whole <unit>", cycleRule(0)}, {"all <unit>", allUnit}, {"all [the] <unit> long", allUnit}, {"throughout <time>", same}, {"throughout the <unit>", cycleRule(0)},
	{"all <part>", partOn(0)}, {"<day> all day", same}, {"all day <day>", same}, {"all day on <day>", same}, {"<day> all day long", same},
	{"after lunch|lunchtime", partNamed2(14, 17)}, {"before lunch|lunchtime", partNamed2(0, 12)}, {"after work", partNamed2(17, 21)}, {"after school", partNamed2(15, 18)}, {"after hours", partNamed2(17, 24)},
	{"lunch time|hour|break", partNamed(12, 14)}, {"evening time", partNamed(18, 24)}, {"night time", nightTime}, {"nighttime|bedtime", nightTime}, {"dinner|supper time", partNamed(18, 21)}, {"dinnertime|suppertime", partNamed(18, 21)}, {"breakfast time", partNamed(6, 10)}, {"tea time", partNamed(16, 17)}, {"teatime", partNamed(16, 17)},
	{"at|around|during|over <part>", atPart}, {"by lunch|lunchtime", func(p *parse, _ []*item) (item, bool) {
		return stretch(p.now, p.today+14*anHour, gHour), p.now < p.today+14*anHour
	}},
}

func partNamed2(from, to int) build {
	return func(*parse, []*item) (item, bool) {
		it := partItem(from, to, false)
		it.cat = cPart | cTime | cInterval
		return it, true
	}
}

func nightTime(*parse, []*item) (item, bool) { return partItem(18, 24, true), true }

// midNight is the dark hours that come.
func midNight(*parse, []*item) (item, bool) {
	it := partItem(0, 4, false)
	it.cat, it.strict = cPart|cTime|cInterval, true
	return it, true
}

// atPart is "at night", "at lunch"; nobody says "at morning".
func atPart(p *parse, a []*item) (item, bool) {
	it, ok := thePart(p, a)
	return it, ok && (a[0].late || a[0].n == 12 && a[0].sec == 14*anHour || a[0].n > 14)
}

func thisNarrow(which string) build {
	return func(p *parse, a []*item) (item, bool) {
		part, ok := narrowPart(which)(p, a)
		if !ok {
			return part, false
		}
		return p.partToday(&part)
	}
}

func narrowDay(which string) build {
	return func(p *parse, a []*item) (item, bool) {
		part, ok := narrowPart(which)(p, a[1:])
		if !ok {
			return part, false
		}
		return dayPart(p, a[0], &part)
	}
}

// narrowDaypart is "early tomorrow morning".
func narrowDaypart(which string) build {
	return func(p *parse, a []*item) (item, bool) {
		s, ok := p.find(a[0])
		if !ok {
			return item{}, false
		}
		from := s.from.clock() / anHour
		for name, hours := range narrower[which] {
			for _, part := range parts {
				if part.from == from && part.late == a[0].late && startsWith(part.names, name) {
					it := *a[0]
					it.s = mapped{s: it.s, far: aDay, turn: func(s span) (span, bool) {
						day := s.from.midnight()
						s.from, s.to = day+wall(hours[0])*anHour, day+wall(hours[1])*anHour
						return s, true
					}}
					return it, true
				}
			}
		}
		return item{}, false
	}
}

func earlyDay(from, to int) build {
	return func(p *parse, a []*item) (item, bool) {
		part := partItem(from, to, false)
		it, ok := dayPart(p, a[0], &part)
		it.cost++
		return it, ok && !a[0].is(cNow)
	}
}

func laterToday(p *parse, _ []*item) (item, bool) { return stretch(p.now, p.today+aDay, gHour), true }

func earlierToday(p *parse, _ []*item) (item, bool) { return stretch(p.today, p.now, gHour), true }

// allUnit is "all week": the present one.
func allUnit(p *parse, a []*item) (item, bool) {
	return p.cycleFrom(a[0], 0), a[0].g >= gDay && a[0].n == 1
}

// lastPart is "last night"; of the rest of the day people say "yesterday".
func lastPart(p *parse, a []*item) (item, bool) {
	day := p.dayFrom(-1)
	day.past = true
	return dayPart(p, &day, a[0])
}

func nextPart(p *parse, a []*item) (item, bool) {
	s, ok := p.after(a[0].s)
	it := oneOf(a[0], s)
	it.cat = cTime | cDayPart | cInterval
	return it, ok
}
