package when

// clockAt is a time of day. half means that it may be in either half of the day.
func clockAt(sec int, g grain, half bool) item {
	it := item{cat: cClock | cTime, g: g, sec: sec % aDay, half: half, strict: true}
	if !half {
		it.s = daily(sec%aDay, g)
		if sec == aDay {
			it.s, it.sec = daily(aDay, g), aDay
		}
		return it
	}
	it.sec = sec % (12 * anHour)
	it.s, it.dated = twice{it.sec, g}, daily(sensible(it.sec), g)
	return it
}

// sensible chooses the half of the day for a time beside a day: 1 to 6 are in the afternoon, 7 to 11 in the morning, 12 is noon.
func sensible(sec int) int {
	if sec < 7*anHour {
		return sec + 12*anHour
	}
	return sec
}

// hourly is a clock time from the number of its hour: 1 to 12 leave the half open.
func hourly(h, m int, g grain) item {
	return clockAt(h*anHour+m*aMinute, g, h >= 1 && h <= 12)
}

// soft marks a time of day that only its surroundings make one.
func soft(it item) item {
	it.cat = cSoft
	return it
}

// firm is the opposite of soft.
func firm(it item) item {
	it.cat = cTime | cClock
	return it
}

// halved sets the half of the day by am (0) or pm (12).
func halved(it *item, meridiem float64) (item, bool) {
	if !it.half {
		h := it.sec / anHour
		return firm(*it), h >= 12 && meridiem == 12 || h == 0 && meridiem == 0 || h < 12 && h > 0 && meridiem == 0
	}
	return clockAt(it.sec+int(meridiem)*anHour, it.g, false), true
}

// bare is an hour said as a number.
func bare(n *item) item { return hourly(int(n.n), 0, gHour) }

// hourOf is the hour to which "half past" and its like refer: a number, "noon", "3 PM", "3 o'clock".
func hourOf(it *item) (item, bool) {
	if it.is(cHour) {
		return bare(it), it.n <= 24 && it.n > 0
	}
	return *it, it.is(cClock) && it.g == gHour
}

// past moves an hour by minutes.
func past(hour *item, minutes float64) (item, bool) {
	h, ok := hourOf(hour)
	if !ok {
		return item{}, false
	}
	sec := h.sec + int(minutes*aMinute)
	if h.half {
		return clockAt((sec+12*anHour)%(12*anHour), gMinute, true), true
	}
	return clockAt((sec+aDay)%aDay, gMinute, false), true
}

func pastRule(minutes float64) build {
	return func(_ *parse, a []*item) (item, bool) { return past(a[0], minutes) }
}

// minuteOf is the next time that the long hand stands at a minute: "at twenty past".
func minuteOf(minute float64) item {
	s := cycle{gHour, func(w wall) (span, bool) { return unit(w+wall(minute)*aMinute, gMinute), true }}
	return item{cat: cClock | cTime, g: gMinute, s: s, strict: true}
}

func exact(_ *parse, a []*item) (item, bool) {
	it := *a[0]
	it.cost = 0
	return it, true
}

// atHour is "at 3"; the number is an hour because of the preposition.
func atHour(_ *parse, a []*item) (item, bool) {
	it := bare(a[0])
	it.cost = 1
	return it, true
}

func atDigits(_ *parse, a []*item) (item, bool) {
	n, digits := int(a[0].n), int(a[0].g)
	h, m := n/100, n%100
	return clockAt(h*anHour+m*aMinute, gMinute, h >= 1 && h <= 12 && !(digits == 4 && h < 10)), n > 0 || digits == 4
}

func digitsMeridiem(p *parse, a []*item) (item, bool) {
	it, _ := atDigits(p, a)
	if a[0].n >= 1300 {
		return item{}, false
	}
	it.half = true
	it.sec %= 12 * anHour
	return halved(&it, a[1].n)
}

func spoken(h, m *item) (item, bool) {
	it := soft(hourly(int(h.n), int(m.n), gMinute))
	it.cost = 1
	if h.n > 12 {
		it.cost = 3 // "twenty sixteen" is rather a year
	}
	return it, h.n <= 23 && h.n >= 1
}

var clockRules = []entry{
	{"a m", func(*parse, []*item) (item, bool) { return item{cat: cMeridiem}, true }},
	{"p m", func(*parse, []*item) (item, bool) { return item{cat: cMeridiem, n: 12}, true }},
	{"<hour12> <meridiem>", func(_ *parse, a []*item) (item, bool) {
		it := bare(a[0])
		return halved(&it, a[1].n)
	}},
	{"<clock|soft> <meridiem>", func(_ *parse, a []*item) (item, bool) { return halved(a[0], a[1].n) }},
	{"<hhmm> <meridiem>", digitsMeridiem},
	{"<hour12> <min> <meridiem>", func(_ *parse, a []*item) (item, bool) {
		it := hourly(int(a[0].n), int(a[1].n), gMinute)
		out, ok := halved(&it, a[2].n)
		return out, ok && a[1].n >= 10 && !a[0].is(cSpelt)
	}},
	{"for <hour12|soft|hhmm>", forHour},
	{"<hour> oclock", func(_ *parse, a []*item) (item, bool) { return bare(a[0]), true }},
	{"<hour> o clock", func(_ *parse, a []*item) (item, bool) { return bare(a[0]), true }},
	{"<hour12|clock> a", letterMeridiem(0)}, {"<hour12|clock> p", letterMeridiem(12)},
	{"at [about|around|exactly|approximately|roughly|precisely|~] <hour>", atHour},
	{"around|about|approximately|circa|approx|~ <hour>", aroundHour},
	{"at [about|around|exactly|approximately|roughly|precisely|~] <clock|soft>", func(_ *parse, a []*item) (item, bool) {
		it := firm(*a[0])
		it.cost = 0
		return it, true
	}},
	{"at [about|around|exactly|approximately|roughly] <hhmm>", atDigits},
	{"<hhmm> hours|hrs|h", func(p *parse, a []*item) (item, bool) {
		it, ok := atDigits(p, a)
		return clockAt(it.sec, gMinute, false), ok && a[0].g == 4
	}},
	{"<spelt> hundred hours", func(_ *parse, a []*item) (item, bool) {
		return clockAt(int(a[0].n)*anHour, gHour, false), a[0].n < 25 && a[0].is(cInt)
	}},
	{"zero|oh|o <spelt> hundred [hours]", func(_ *parse, a []*item) (item, bool) {
		return clockAt(int(a[0].n)*anHour, gHour, false), a[0].n < 10 && a[0].is(cInt)
	}},
	{"<spelt> <min>", func(_ *parse, a []*item) (item, bool) {
		it, ok := spoken(a[0], a[1])
		return it, ok && a[0].is(cHour) && a[1].is(cSpelt) && a[1].n >= 10
	}},
	{"<spelt> oh|o|zero <min>", func(_ *parse, a []*item) (item, bool) {
		it, ok := spoken(a[0], a[1])
		return it, ok && a[0].is(cHour) && a[1].is(cSpelt) && a[1].n < 10
	}},
	{"half past|after|passed <hour|clock>", pastRule(30)},
	{"[a] quarter past|after|passed <hour|clock>", pastRule(15)},
	{"[a] quarter to|of|before|till|til|until <hour|clock>", pastRule(-15)},
	{"three quarters past <hour|clock>", pastRule(45)},
	{"half <hour12>", func(_ *parse, a []*item) (item, bool) {
		it, ok := past(a[0], 30)
		return soft(it), ok && a[0].is(cSpelt)
	}},
	{"<min> past|after|passed <hour|clock>", func(_ *parse, a []*item) (item, bool) { return past(a[1], a[0].n) }},
	{"<five> to|till|til|before|of <hour|clock>", minutesTo},
	{"<min> minute|minutes|min|mins past|after|passed <hour|clock>", func(_ *parse, a []*item) (item, bool) { return past(a[1], a[0].n) }},
	{"<min> minute|minutes|min|mins to|till|til|before|of <hour|clock>", func(_ *parse, a []*item) (item, bool) { return past(a[1], -a[0].n) }},
	{"at|by|until|till half past", func(*parse, []*item) (item, bool) { return minuteOf(30), true }},
	{"at|by|until|till [a] quarter past", func(*parse, []*item) (item, bool) { return minuteOf(15), true }},
	{"at|by|until|till [a] quarter to", func(*parse, []*item) (item, bool) { it := minuteOf(45); it.cost = 3; return it, true }},
	{"at|by|until|till <min> [minutes] past", func(_ *parse, a []*item) (item, bool) { return minuteOf(a[0].n), true }},
	{"<spelt|five> past|after", func(_ *parse, a []*item) (item, bool) { return soft(minuteOf(a[0].n)), a[0].is(cFive) }}, {"[a] quarter|half past", func(p *parse, _ []*item) (item, bool) {
		if p.toks[p.to-2].text == "half" {
			return soft(minuteOf(30)), true
		}
		return soft(minuteOf(15)), true
	}},
	{"<min> minutes past", func(_ *parse, a []*item) (item, bool) { return minuteOf(a[0].n), true }},
	{"at <hour> hours", func(_ *parse, a []*item) (item, bool) { return clockAt(int(a[0].n)*anHour, gHour, false), true }}, {"<min> minutes past|after the hour", func(_ *parse, a []*item) (item, bool) { return minuteOf(a[0].n), true }},
	{"noon|midday|noontime|noonish", func(*parse, []*item) (item, bool) { return clockAt(12*anHour, gHour, false), true }},
	{"12 noon|midday", func(*parse, []*item) (item, bool) { return clockAt(12*anHour, gHour, false), true }},
	{"twelve noon|midday", func(*parse, []*item) (item, bool) { return clockAt(12*anHour, gHour, false), true }},
	{"high noon", func(*parse, []*item) (item, bool) { return clockAt(12*anHour, gHour, false), true }},
	{"mid day", func(*parse, []*item) (item, bool) { return clockAt(12*anHour, gHour, false), true }},
	{"[12|twelve] [at] midnight", midnight}, {"mid night", midnight},
	{"<hour12> ish", func(_ *parse, a []*item) (item, bool) { return bare(a[0]), true }},
	{"<soft> ish", func(_ *parse, a []*item) (item, bool) { return firm(*a[0]), true }},
	{"<hour12> sharp", func(_ *parse, a []*item) (item, bool) { return bare(a[0]), true }},
	{"<hour12> on the dot", func(_ *parse, a []*item) (item, bool) { return bare(a[0]), true }},
	{"<clock> sharp|exactly|precisely|ish|approximately|approx", exact},
	{"<clock> on the dot", exact}, {"<clock> or so", exact}, {"<clock> or thereabouts", exact},
	{"about|around|approximately|exactly|precisely|roughly|circa|approx|~|just <clock>", exact},
	{"<hour12> in the <part>", func(_ *parse, a []*item) (item, bool) { return hourIn(bare(a[0]), a[1]) }},
	{"<hour12> at <part>", func(_ *parse, a []*item) (item, bool) {
		it, ok := hourIn(bare(a[0]), a[1])
		return it, ok && a[1].late
	}},
	{"<soft> in the <part>", func(_ *parse, a []*item) (item, bool) { return hourIn(*a[0], a[1]) }},
	{"<clock> in the <part>", func(_ *parse, a []*item) (item, bool) { return hourIn(*a[0], a[1]) }},
	{"<clock|soft> at <part>", func(_ *parse, a []*item) (item, bool) {
		it, ok := hourIn(*a[0], a[1])
		return it, ok && a[1].late
	}},
	{"<hour12> this <part>", func(p *parse, a []*item) (item, bool) {
		it, ok := hourIn(bare(a[0]), a[1])
		if !ok {
			return it, false
		}
		day := period(p.today, gDay)
		return p.meet(&day, &it)
	}},
	{"<hour12|soft> <daypart>", func(p *parse, a []*item) (item, bool) {
		it := *a[0]
		if it.is(cHour12) && !it.is(cClock|cSoft) {
			it = bare(a[0])
		}
		it = firm(it)
		return p.meet(a[1], &it)
	}},
	{"<date> [at] <soft>", datedSoft}, {"<weekday> [at] <soft>", datedSoft}, {"<soft> [on] <date|weekday>", func(p *parse, a []*item) (item, bool) {
		return datedSoft(p, []*item{a[1], a[0]})
	}},
}

func datedSoft(p *parse, a []*item) (item, bool) {
	it := firm(*a[1])
	return p.meet(a[0], &it)
}

func midnight(*parse, []*item) (item, bool) {
	it := clockAt(0, gHour, false)
	it.dated = daily(aDay, gHour) // the midnight that ends the day it is said with
	it.sec = aDay
	return it, true
}

// letterMeridiem is "10p": a letter tells the half when it touches the number.
func letterMeridiem(meridiem float64) build {
	return func(p *parse, a []*item) (item, bool) {
		it := *a[0]
		if !it.is(cClock) {
			it = bare(a[0])
		}
		it, ok := halved(&it, meridiem)
		return it, ok && p.toks[p.to-1].glued
	}
}

// forHour is "an alarm for seven"; other things are for seven people.
func forHour(p *parse, a []*item) (item, bool) {
	it := asClock(a[0])
	it.cost = 3
	for i := range p.toks {
		if appointments[p.toks[i].text] {
			return it, true
		}
	}
	return item{}, false
}

var appointments = set("alarm alarms wake meeting appointment reminder call")

// aroundHour is "around 9".
func aroundHour(_ *parse, a []*item) (item, bool) {
	it := bare(a[0])
	it.cost = 2
	return it, a[0].is(cHour12)
}

// minutesTo is "ten to eight"; "9 to 5" is a stretch, not 4:51.
func minutesTo(_ *parse, a []*item) (item, bool) {
	it, ok := past(a[1], -a[0].n)
	if !a[0].is(cSpelt) && !a[1].is(cClock) || a[1].n > 12 {
		it = soft(it)
		it.cost = 2
	}
	return it, ok
}

// hourIn puts a time that may be in either half into a part of the day.
func hourIn(c item, part *item) (item, bool) {
	from, to := int(part.n)*anHour, part.sec
	if from == 18*anHour {
		from -= 2 * anHour // "five in the evening"
	}
	if part.late && to == aDay {
		to += 6 * anHour
	}
	if !c.half {
		return firm(c), c.sec >= from && c.sec < to || c.sec+aDay < to
	}
	for sec := c.sec; sec <= to; sec += 12 * anHour {
		if sec >= from && (sec < to || sec == aDay) {
			it := clockAt(sec%aDay, c.g, false)
			if sec >= aDay {
				it.late = true
			}
			return it, true
		}
	}
	return item{}, false
}
