package when

import "slices"

const (
	each  = "every|each|evry"
	other = "other|second|2nd|alternate|alternating"
	clkH  = "<clock|soft|hour|hhmm>"
)

var recurrenceRules = []entry{
	{each + " [single] <unit>", everyRule(1)}, {each + " <int> <unit>", everyRule(0)}, {"once every <int> <unit>", everyRule(0)}, {"once every|each|a|an|per <unit>", everyRule(1)}, {each + " " + other + " <unit>", everyRule(2)}, {"once every " + other + " <unit>", everyRule(2)},
	{each + " <ord> <unit>", everyRule(0)}, {"at intervals of <int> <unit>", everyRule(0)}, {"one time every|each|a|per <unit>", everyRule(1)},
	{each + " half [an|a] <unit>", everyHalf}, {each + " quarter [of] [an|a] <unit>", everyQuarterHour}, {each + " <len>", everyLength}, {each + " <unit> and a half", func(p *parse, a []*item) (item, bool) { return p.recurLength(measure(1.5, a[0].g)) }},
	{"hourly", everyGrain(1, gHour)}, {"daily|everyday", everyGrain(1, gDay)}, {"once daily", everyGrain(1, gDay)}, {"weekly", everyGrain(1, gWeek)}, {"fortnightly|biweekly", everyGrain(2, gWeek)}, {"bi weekly", everyGrain(2, gWeek)}, {"monthly", everyGrain(1, gMonth)}, {"bimonthly", everyGrain(2, gMonth)}, {"bi monthly", everyGrain(2, gMonth)}, {"quarterly", everyGrain(3, gMonth)}, {"yearly|annually", everyGrain(1, gYear)}, {"once weekly", everyGrain(1, gWeek)}, {"once monthly", everyGrain(1, gMonth)}, {"once yearly", everyGrain(1, gYear)}, {"biannually|semiannually", everyGrain(6, gMonth)}, {"biennially", everyGrain(2, gYear)},
	{"on [a|an] daily basis", everyGrain(1, gDay)}, {"on a weekly basis", everyGrain(1, gWeek)}, {"on a monthly basis", everyGrain(1, gMonth)}, {"on an hourly basis", everyGrain(1, gHour)}, {"day in day out", everyGrain(1, gDay)},
	{"nightly", partRec(18, 24, true)}, {each + " <part>", everyPart}, {each + " single <part>", everyPart}, {"mornings", partRec(0, 12, false)}, {"afternoons", partRec(12, 19, false)}, {"evenings", partRec(18, 24, false)}, {"nights", partRec(18, 24, true)}, {"in the mornings", partRec(0, 12, false)}, {"in the afternoons", partRec(12, 19, false)}, {"in the evenings", partRec(18, 24, false)}, {"on <weekday> mornings", dayMornings(0, 12, false)}, {"<weekday> mornings", dayMornings(0, 12, false)}, {"[on] <weekday> evenings", dayMornings(18, 24, false)}, {"[on] <weekday> afternoons", dayMornings(12, 19, false)}, {"[on] <weekday> nights", dayMornings(18, 24, true)}, {"[on] weekday|workday mornings", daysPart(0, 12, 0, 1, 2, 3, 4)}, {"[on] weekday|workday evenings", daysPart(18, 24, 0, 1, 2, 3, 4)}, {"[on] weekend mornings", daysPart(0, 12, 5, 6)},
	{each + " weekday|workday|schoolday", daysRule(1, 0, 1, 2, 3, 4)}, {each + " business|working|week|work|school day", daysRule(1, 0, 1, 2, 3, 4)}, {"[on|during] weekdays|workdays", daysRule(1, 0, 1, 2, 3, 4)}, {"[on|during] business|working|week|work|school days", daysRule(1, 0, 1, 2, 3, 4)}, {each + " day of the week|workweek", daysRule(1, 0, 1, 2, 3, 4, 5, 6)}, {"daily on weekdays", daysRule(1, 0, 1, 2, 3, 4)},
	{each + " weekend|weekends", daysRule(1, 5, 6)}, {"[on|at|during|over] [the] weekends", daysRule(1, 5, 6)}, {each + " other|second weekend", daysRule(2, 5, 6)}, {"[on] weekend days", daysRule(1, 5, 6)},
	{"<weekday|weekdays|days> [,] <weekday|weekdays>", dayList}, {"<weekday|weekdays|days> [,] and|or <weekday|weekdays>", dayList}, {"<days> , and <weekday|weekdays>", dayList}, {"<weekday|weekdays> to|through|thru|-|until|till <weekday|weekdays>", daySpan}, {"from <weekday|weekdays> to|through|thru|-|until|till <weekday|weekdays>", daySpan}, {"<weekday|weekdays|days> and on <weekday|weekdays>", dayList}, {"<weekday> and every|each <weekday>", dayList},
	{each + " [single] <weekday|weekdays|days>", everyDays(1)}, {each + " " + other + " <weekday|days>", everyDays(2)}, {each + " <ord> <weekday>", everyDays(0)}, {each + " <int> <weekdays>", everyDays(0)}, {"[on] alternate <weekday|weekdays>", everyDays(2)}, {"every week <weekday>", everyDays(1)}, {"<weekday> weekly", everyDays(1)}, {"weekly <weekday|weekdays>", everyDays(1)},
	{"[on] <weekdays|days>", plural}, {"every <weekday> of the|every week", everyDays(1)}, {"<weekday> of every|each week", everyDays(1)}, {"<weekday> every|each week", everyDays(1)}, {"[on] <weekday|days> every|each other|second week", everyDays(2)}, {"[on] <weekday|days> of every|each week", everyDays(1)}, {"[on] <weekday|days> every|each week", everyDays(1)}, {"[on] <days> weekly", everyDays(1)},
	{"<days> at <clock|soft|hour>", daysAt}, {"<days> <clock>", daysAt}, {"at <clock|soft|hour> <days>", func(p *parse, a []*item) (item, bool) { return daysAt(p, []*item{a[1], a[0]}) }},
	{"every day except|but|excluding [on|for] [the] <weekday|weekdays|days>", exceptDays}, {"daily except|but|excluding [on|for] <weekday|weekdays|days>", exceptDays}, {"every day except|but|excluding [on|for] [the] weekend|weekends", daysRule(1, 0, 1, 2, 3, 4)}, {"daily except|but|excluding [on|for] [the] weekend|weekends", daysRule(1, 0, 1, 2, 3, 4)}, {"every day except|but weekdays", daysRule(1, 5, 6)},
	{"[on] [the] <domord> [day] of every|each|the|a month", everyOrdinal}, {each + " <domord> [day] of the|each|a month", ofMonth(0)}, {each + " month on [the] <domord|dom>", ofMonth(0)}, {"monthly on [the] <domord|dom>", ofMonth(0)}, {each + " month the <domord>", ofMonth(0)}, {"[on] the <domord> every|each month", ofMonth(0)}, {each + " <domord>", everyDigit}, {"the <domord> monthly", ofMonth(0)}, {"[on] <dom> of every|each month", ofMonth(0)}, {"day <dom> of every|each month", ofMonth(0)},
	{"[on] [the] last day of every|each month", ofMonth(-1)}, {each + " last day of the month", ofMonth(-1)}, {each + " month on [the] last day", ofMonth(-1)}, {"monthly on the last day", ofMonth(-1)}, {"[at] [the] end of every|each month", ofMonth(-1)}, {"[at] [the] start|beginning of every|each month", ofMonth(1)}, {"[on] [the] second|2nd to last day of every|each month", ofMonth(-2)}, {"every month end", ofMonth(-1)},
	{"[on] [the] <ord> <weekday> of|in every|each|a month", weekdayOfMonth(0)}, {each + " <ord> <weekday> of|in the|each|a month", weekdayOfMonth(0)}, {"[on] [the] last <weekday> of|in every|each month", weekdayOfMonth(-1)}, {each + " last <weekday> of|in the|each|a month", weekdayOfMonth(-1)}, {each + " last <weekday>", weekdayOfMonth(-1)}, {each + " month on [the] last <weekday>", weekdayOfMonth(-1)}, {"[on] the <ord> <weekday> every|each month", weekdayOfMonth(0)}, {"[on] the last <weekday> every|each month", weekdayOfMonth(-1)},
	{"<rec> on [the] <ord> <weekday>", monthlyOn(0)}, {"<rec> on [the] last <weekday>", monthlyOn(-1)}, {each + " month the <ord> <weekday>", weekdayOfMonth(0)},
	{each + " <annual|month>", everyYear}, {each + " year [on|in] [the] <annual|month>", everyYear}, {"[on] <annual> every|each year", everyYear}, {"<annual> yearly|annually", everyYear}, {"yearly|annually on|in <annual|month>", everyYear}, {"in <month> every|each year", everyYear}, {"on <annual> of every|each year", everyYear}, {"<month> every|each year", everyYear}, {"once a year on|in <annual|month>", everyYear},
	{each + " <clock>", everyClock}, {each + " day " + "<clock>", func(p *parse, a []*item) (item, bool) {
		d, _ := everyGrain(1, gDay)(p, nil)
		return recAt(p, []*item{&d, a[0]})
	}},
	{"<rec> [,] [at] " + "<clock|soft>", recAt}, {"<rec> at|around " + clkH, recAt}, {"<clock> [,] <rec>", atRec}, {"at|around " + clkH + " <rec>", atRec}, {"<rec> at " + clkH + " and [at] " + clkH, recAt}, {"<clock> and <clock> <rec>", func(p *parse, a []*item) (item, bool) { return recAt(p, []*item{a[2], a[0], a[1]}) }}, {"<rec> by <clock>", recAt}, {"at " + clkH + " and " + clkH + " <rec>", func(p *parse, a []*item) (item, bool) { return recAt(p, []*item{a[2], a[0], a[1]}) }},
	{"<rec> [,] <range>", recRange}, {"<range> <rec>", func(p *parse, a []*item) (item, bool) { return recRange(p, []*item{a[1], a[0]}) }},
	{"<rec> [in|of|during] <weekgrain|monthgrain|year>", recDuring}, {"<rec> [,] except|but|excluding [on|for] [the] <weekday|weekdays|days>", recExcept},
	{"<rec> [in|during] [the] <part>", recPart}, {"<rec> at <part>", recPart}, {"<part> <rec>", func(p *parse, a []*item) (item, bool) { return recPart(p, []*item{a[1], a[0]}) }}, {"in the <part> <rec>", func(p *parse, a []*item) (item, bool) { return recPart(p, []*item{a[1], a[0]}) }},
	{"<rec> [,] on|every [the] <weekday|weekdays|days|dom0|domord|annual>", recOn}, {"<rec> in <month>", recOn}, {"<rec> on the <dom>", recOn},
	{"<rec> [,] until|till|til|through|thru [the] <when>", recUntil}, {"<rec> [,] for [the] [next] <dur>", recFor}, {"<rec> for a <unit>", func(p *parse, a []*item) (item, bool) {
		l := article(measure(1, a[1].g))
		return recFor(p, []*item{a[0], &l})
	}}, {"<rec> <int> times", recCount}, {"<rec> for <int> times", recCount}, {"<rec> , <int> times", recCount},
	{"<rec> [,] starting|beginning|from|commencing|since|after [on|at|from|in] [the] <when>", recFrom}, {"starting|beginning|from [on|at] <when> [,] <rec>", func(p *parse, a []*item) (item, bool) { return recFrom(p, []*item{a[1], a[0]}) }},
}

// atRec is "at 7 every weekday".
func atRec(p *parse, a []*item) (item, bool) { return recAt(p, []*item{a[1], a[0]}) }

func everyClock(p *parse, a []*item) (item, bool) {
	day, _ := everyGrain(1, gDay)(p, nil)
	return recAt(p, []*item{&day, a[0]})
}

// everyOrdinal is "the 5th of every month"; "of the month" alone is this month's.
func everyOrdinal(p *parse, a []*item) (item, bool) {
	switch p.text1(p.to - 2) {
	case "every", "each":
		return ofMonth(0)(p, a)
	}
	return item{}, false
}

// everyDigit is "every 15th", of the month.
func everyDigit(p *parse, a []*item) (item, bool) {
	it, ok := ofMonth(0)(p, a)
	it.cost = 2
	return it, ok && (p.toks[p.to-1].text == "th" || !a[0].is(cSpelt))
}

func partRec(from, to int, late bool) build {
	return func(p *parse, _ []*item) (item, bool) {
		part := partItem(from, to, late)
		return everyPart(p, []*item{&part})
	}
}

func dayMornings(from, to int, late bool) build {
	return func(_ *parse, a []*item) (item, bool) {
		part := partItem(from, to, late)
		return withPart(weekdaysRec(1, int(a[0].n)), &part), true
	}
}

func daysPart(from, to int, days ...int) build {
	return func(*parse, []*item) (item, bool) {
		part := partItem(from, to, false)
		return withPart(weekdaysRec(1, append([]int{}, days...)...), &part), true
	}
}

// daysAt is "monday to friday at 7", which recurs without saying so.
func daysAt(p *parse, a []*item) (item, bool) {
	days := weekdaysRec(1, slices.Clone(daysOfItem(a[0]))...)
	return recAt(p, []*item{&days, a[1]})
}

// recRange is "every day from 9 to 5", which comes again at its beginning.
func recRange(p *parse, a []*item) (item, bool) {
	c := clockAt(a[1].sec, a[1].g, a[1].half)
	return recAt(p, []*item{a[0], &c})
}

// recDuring is "every day next week".
func recDuring(p *parse, a []*item) (item, bool) {
	in, ok := p.find(a[1])
	if !ok || in.to <= p.now || in.interval || !a[0].rec.until.IsZero() {
		return item{}, false
	}
	it := *a[0]
	if _, single := it.s.(one); single {
		if it.g != gDay {
			return item{}, false
		}
		it.s = every(gDay)
	}
	it.s = within{one(in), it.s}
	it.rec = it.rec.with(func(r *rule) { r.until = p.moment(in.to-1, false) })
	s, ok := p.find(&it)
	return it, ok && s.from > p.now
}

// recExcept is "every morning except sunday".
func recExcept(p *parse, a []*item) (item, bool) {
	r := a[0].rec
	if r.freq != "DAILY" || r.interval > 1 || len(r.days) > 0 {
		return item{}, false
	}
	it, ok := exceptDays(p, a[1:])
	if !ok || !r.timed {
		return it, ok
	}
	return timed(it, clockAt(r.hours[0]*anHour+r.minute*aMinute, a[0].g, false), r.hours...), true
}
