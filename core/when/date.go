package when

// dateOf is a date of every year.
func dateOf(m, d int) (item, bool) {
	it := item{cat: cTime | cDay | cDate | cAnnual, n: float64(m*100 + d), g: gDay, s: dayOfYear(m, d)}
	return it, isDate(2000, m, d)
}

func fullDate(y, m, d int) (item, bool) { return period(on(y, m, d), gDay), isDate(y, m, d) }

// dayInMonth is a day of every month.
func dayInMonth(n *item) item {
	return item{cat: cDay | cDate | cDom0 | cTime, g: gDay, n: n.n, s: dayOfMonth(int(n.n))}
}

func monthDay(_ *parse, a []*item) (item, bool) { return dateOf(int(a[0].n), int(a[1].n)) }
func dayMonth(_ *parse, a []*item) (item, bool) { return dateOf(int(a[1].n), int(a[0].n)) }
func monthDayYear(_ *parse, a []*item) (item, bool) {
	return fullDate(yearOf(a[2]), int(a[0].n), int(a[1].n))
}
func dayMonthYear(_ *parse, a []*item) (item, bool) {
	return fullDate(yearOf(a[2]), int(a[1].n), int(a[0].n))
}

func yearOf(n *item) int {
	if n.is(cShort) && n.n < 100 {
		return fullYear(int(n.n))
	}
	return int(n.n)
}

func yearItem(n int) item { return period(on(n, 1, 1), gYear) }

func bareYear(_ *parse, a []*item) (item, bool) { return yearItem(int(a[0].n)), true }

// weakYear is a year that stands alone.
func weakYear(_ *parse, a []*item) (item, bool) {
	it := yearItem(int(a[0].n))
	it.cat = it.cat&^(cTime|cWhen) | cWeak
	it.cost = 1
	return it, a[0].n >= 1800 && a[0].n < 2200
}

func monthYear(_ *parse, a []*item) (item, bool) {
	return period(on(yearOf(a[1]), int(a[0].n), 1), gMonth), true
}

// beforeChrist counts without a year 0: 1 BC is the year 0.
func beforeChrist(_ *parse, a []*item) (item, bool) {
	return yearItem(1 - int(a[0].n)), a[0].n > 0 && a[0].n < 10000
}

func annoDomini(_ *parse, a []*item) (item, bool) {
	return yearItem(int(a[0].n)), a[0].n > 0 && a[0].n < 10000
}

// ides are the 15th of four months and the 13th of the others.
func ides(_ *parse, a []*item) (item, bool) {
	m := int(a[0].n)
	if m == 3 || m == 5 || m == 7 || m == 10 {
		return dateOf(m, 15)
	}
	return dateOf(m, 13)
}

func decade(p *parse, y int) (item, bool) {
	it := stretch(on(y, 1, 1), on(y+10, 1, 1), gYear)
	return it, true
}

var decadeWords = map[string]int{"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}

func decadeRule(p *parse, a []*item) (item, bool) {
	t := p.toks[p.to-1]
	n, ok := decadeWords[t.text]
	if !ok { // digits and a glued s
		if n = int(a[0].n); !t.glued || n%10 != 0 {
			return item{}, false
		}
	} else if len(a) > 0 {
		n += int(a[0].n) * 100
	}
	if n >= 1000 {
		return decade(p, n)
	}
	if n == 0 || n == 10 {
		return decade(p, 2000+n)
	}
	return decade(p, 1900+n)
}

func century(_ *parse, a []*item) (item, bool) {
	from := (int(a[0].n) - 1) * 100
	return stretch(on(from, 1, 1), on(from+100, 1, 1), gYear), a[0].n >= 1 && a[0].n < 100
}

// weekNumber is a week of ISO 8601: the first has the year's first Thursday.
func weekNumber(p *parse, a []*item) (item, bool) {
	year := p.now.year()
	if len(a) > 1 {
		year = yearOf(a[1])
	}
	first := on(year, 1, 4).floor(gWeek)
	return period(first.add(gWeek, int(a[0].n)-1), gWeek), a[0].n >= 1 && a[0].n <= 53
}

func weekdayOrdinal(p *parse, a []*item) (item, bool) {
	d := dayInMonth(a[1])
	return p.meet(a[0], &d)
}

func ordinalOf(p *parse, a []*item) (item, bool) {
	d := dayInMonth(a[0])
	return narrow(p, a[1], &d)
}

// theOrdinal is "the 15th", "on the first". Whether the words around make it a day is for plausible to say.
func theOrdinal(_ *parse, a []*item) (item, bool) {
	it := dayInMonth(a[0])
	it.cost = 1
	return it, true
}

var dateRules = []entry{
	{"<month> <dom|domord>", monthDay}, {"<month> the <domord>", monthDay}, {"<month> - <dom|domord>", monthDay},
	{"<month> <dom|domord> [,|-|of|in] <yearnum>", monthDayYear}, {"<month> the <domord> [,] <yearnum>", monthDayYear},
	{"<month> - <dom> - <yearnum|short|dom>", monthDayYearDash}, {"<month> <dom|domord> [,] ' <short>", monthDayYear}, {"<month> <dom|domord> , <short>", monthDayYear},
	{"<dom|domord> [of|-] <month>", dayMonth}, {"the <domord|dom> [of] <month>", dayMonth}, {"the <domord> day of <month>", dayMonth},
	{"[the] <dom|domord> [of|-] <month> [,|-|of|in] <yearnum>", dayMonthYear}, {"[the] <dom|domord> [of|-] <month> [,|-] <short>", dayMonthYear},
	{"<dom|domord> - <month> - <short|dom>", dayMonthYearDash}, {"[the] <dom|domord> [of] <month> ' <short>", dayMonthYear},
	{"<month> [,|of|in|-] <yearnum>", monthYear}, {"<month> ' <short>", monthYear}, {"<month> of the year <yearnum>", monthYear},
	{"<yearnum> [-] <month>", func(p *parse, a []*item) (item, bool) { return monthYear(p, []*item{a[1], a[0]}) }},
	{"<yearnum> [-] <month> [-] <dom|domord>", func(p *parse, a []*item) (item, bool) {
		return fullDate(yearOf(a[0]), int(a[1].n), int(a[2].n))
	}},
	{"<yearnum>", weakYear},

	{"in|during|of [the] [year] <yearnum>", bareYear}, {"the year [of] <yearnum>", bareYear}, {"[the] year <yearnum>", bareYear},
	{"<annual> [,|of|in] <yearnum>", inYear}, {"<quarter> [,|of|in|/] <yearnum>", inYear}, {"<yearnum> [-|/] <quarter>", func(p *parse, a []*item) (item, bool) { return inYear(p, []*item{a[1], a[0]}) }},
	{"<annual> ' <short>", inYear}, {"<moment|daypart> [,] <yearnum>", inYear}, {"<quarter> ' <short>", inYear}, {"<quarter> <short>", inYear},
	{"<int> bc|bce", beforeChrist}, {"[the] year <int> bc|bce", beforeChrist}, {"in <int> bc|bce", beforeChrist}, {"<int> b.c", beforeChrist}, {"<int> b c", beforeChrist},
	{"ad <int>", annoDomini}, {"<int> ad|ce", annoDomini}, {"in <int> ad|ce", annoDomini}, {"in ad <int>", annoDomini}, {"a.d <int>", annoDomini}, {"<int> a.d", annoDomini}, {"anno domini <int>", annoDomini}, {"year <int>", annoDomini},
	{"[the] ides of <month>", ides},
	{"[in] the <int> s", decadeRule}, {"[in] the ' <int> s", decadeRule}, {"<yearnum> s", decadeRule},
	{"[in] the twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties", decadeRule},
	{"[in] [the] <int> twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties", decadeRule},
	{"[in] [the] <ord> century", century},
	{"[calendar] week|wk|cw|kw [number|no] <int>", weekNumber}, {"[calendar] week|wk|cw [number] <int> [of|,|in|/] <yearnum>", weekNumber},
	{"<weekday> [,] [the] <domord>", weekdayOrdinal}, {"<weekday> on the <domord>", weekdayOrdinal},

	{"the <domord>", theOrdinal}, {"on [the] <domord>", theOrdinal}, {"[the] <domord> of|in|during the month", ordinalThisMonth}, {"[the] <domord> of this|the [current] month", ordinalThisMonth},
	{"[the] <domord> [of|in] <monthgrain>", ordinalOf}, {"[the] <domord> day of|in <monthgrain>", ordinalOf},
}

func inYear(p *parse, a []*item) (item, bool) {
	y := yearItem(yearOf(a[1]))
	return narrow(p, &y, a[0])
}

func monthDayYearDash(_ *parse, a []*item) (item, bool) {
	return fullDate(dashYear(a[2]), int(a[0].n), int(a[1].n))
}

func dayMonthYearDash(_ *parse, a []*item) (item, bool) {
	return fullDate(dashYear(a[2]), int(a[1].n), int(a[0].n))
}

// dashYear is the year in "18-feb-14".
func dashYear(n *item) int {
	if n.n < 100 {
		return fullYear(int(n.n))
	}
	return int(n.n)
}

func ordinalThisMonth(p *parse, a []*item) (item, bool) {
	y, m, _ := p.now.date()
	return fullDate(y, m, int(a[0].n))
}
