package when

import (
	"math"
	"sync"
	"time"
)

// turning is a moment at which the sun begins a season: 0 is the March equinox, 3 the December solstice.
// Jean Meeus, Astronomical Algorithms, chapter 27; good to a minute between the years 1000 and 3000.
func turning(year, which int) time.Time {
	y := float64(year-2000) / 1000
	c := [4][5]float64{
		{2451623.80984, 365242.37404, 0.05169, -0.00411, -0.00057},
		{2451716.56767, 365241.62603, 0.00325, 0.00888, -0.00030},
		{2451810.21715, 365242.01767, -0.11575, 0.00337, 0.00078},
		{2451900.05952, 365242.74049, -0.06223, -0.00823, 0.00032},
	}[which]
	jde0 := c[0] + y*(c[1]+y*(c[2]+y*(c[3]+y*c[4])))
	t := (jde0 - 2451545) / 36525
	w := rad(35999.373*t - 2.47)
	lambda := 1 + 0.0334*math.Cos(w) + 0.0007*math.Cos(2*w)
	sum := 0.0
	for _, k := range sunTerms {
		sum += k[0] * math.Cos(rad(k[1]+k[2]*t))
	}
	return julian(jde0 + 0.00001*sum/lambda)
}

var sunTerms = [24][3]float64{
	{485, 324.96, 1934.136}, {203, 337.23, 32964.467}, {199, 342.08, 20.186}, {182, 27.85, 445267.112},
	{156, 73.14, 45036.886}, {136, 171.52, 22518.443}, {77, 222.54, 65928.934}, {74, 296.72, 3034.906},
	{70, 243.58, 9037.513}, {58, 119.81, 33718.147}, {52, 297.17, 150.678}, {50, 21.02, 2281.226},
	{45, 247.54, 29929.562}, {44, 325.15, 31555.956}, {29, 60.93, 4443.417}, {18, 155.12, 67555.328},
	{17, 288.79, 4562.452}, {16, 198.04, 62894.029}, {14, 199.76, 31436.921}, {12, 95.39, 14577.848},
	{12, 287.11, 31931.756}, {12, 320.81, 34777.259}, {9, 227.73, 1222.114}, {8, 15.45, 16859.074},
}

func rad(degrees float64) float64 { return degrees * math.Pi / 180 }

// julian turns a Julian ephemeris day into a time; the minute that the earth's clock lags is taken off.
func julian(jde float64) time.Time {
	const lag = 69.0 / aDay // of the present decades
	return time.Unix(int64((jde-lag-2440587.5)*aDay), 0).UTC()
}

var turnings sync.Map // [2]int to wall

// seasonStart is the first day of a season on the calendar of Greenwich.
func seasonStart(year, which int) wall {
	key := [2]int{year, which}
	if w, ok := turnings.Load(key); ok {
		return w.(wall)
	}
	if year < 1000 || year > 3000 {
		return on(year, 3+3*which, 21)
	}
	y, m, d := turning(year, which).Date()
	w := on(y, int(m), d)
	turnings.Store(key, w)
	return w
}

// season is 0 for spring to 3 for winter, as the northern half of the earth has them.
func season(which int) item {
	s := cycle{gYear, func(start wall) (span, bool) {
		y := start.year()
		return span{from: seasonStart(y, which), to: seasonStart(y+(which+1)/4, (which+1)%4), g: gDay, interval: true}, true
	}}
	return item{cat: cSeason | cAnnual | cWeak | cInterval, g: gDay, s: s}
}

func seasonRule(which int, strong bool) build {
	return func(*parse, []*item) (item, bool) {
		it := season(which)
		if strong {
			it.cat = it.cat&^cWeak | cTime
		}
		return it, true
	}
}

func turningRule(which int) build {
	return func(*parse, []*item) (item, bool) {
		s := cycle{gYear, func(start wall) (span, bool) { return unit(seasonStart(start.year(), which), gDay), true }}
		return item{cat: cTime | cDay | cDate | cAnnual | cHoliday, g: gDay, s: s}, true
	}
}

// weekend runs from Friday 18:00 to Monday 0:00.
func weekendItem() item {
	s := cycle{gWeek, func(w wall) (span, bool) {
		return span{from: w.add(gDay, 4) + 18*anHour, to: w.add(gWeek, 1), g: gHour, interval: true}, true
	}}
	return item{cat: cWeekend | cWeak | cWhen | cInterval, g: gHour, s: s}
}

func weekendRule(*parse, []*item) (item, bool) { return weekendItem(), true }

// weekendIn is the weekend of a week counted from this one.
func weekendIn(n int) build {
	return func(p *parse, _ []*item) (item, bool) {
		w := p.now.floor(gWeek).add(gWeek, n)
		it := stretch(w.add(gDay, 4)+18*anHour, w.add(gWeek, 1), gHour)
		it.cat |= cWeekend
		return it, true
	}
}

// theWeekend is the present weekend or the next.
func theWeekend(p *parse, _ []*item) (item, bool) {
	w := weekendItem()
	s, ok := p.coming(w.s)
	return oneOf(&w, s), ok
}

func lastWeekend(p *parse, _ []*item) (item, bool) {
	w := weekendItem()
	s, ok := p.before(w.s)
	return oneOf(&w, s), ok
}

// weekendOf is the weekend that touches a day, or the next.
func weekendOf(p *parse, a []*item) (item, bool) {
	w := weekendItem()
	it := item{cat: cTime | cInterval | cWeekend, g: gHour, past: a[0].past}
	it.s = mapped{s: a[0].s, far: 9 * aDay, turn: func(s span) (span, bool) {
		return w.s.next(s.from.floor(gWeek))
	}}
	_, ok := p.find(&it)
	return it, ok && a[0].g <= gWeek
}

// longWeekend is a weekend with the holiday before or after it.
func longWeekend(p *parse, a []*item) (item, bool) {
	it := item{cat: cTime | cInterval | cWeekend, g: gHour, past: a[0].past}
	it.s = mapped{s: a[0].s, far: 9 * aDay, turn: func(s span) (span, bool) {
		out := span{g: gHour, interval: true}
		switch d := s.from.weekday(); {
		case d == 0: // monday
			out.from, out.to = s.from.add(gDay, -3)+18*anHour, s.from.add(gDay, 1)
		case d <= 2:
			out.from, out.to = s.from.add(gDay, -3-d)+18*anHour, s.from.floor(gWeek)
		case d == 3:
			out.from, out.to = s.from.add(gDay, -1)+18*anHour, s.from.add(gDay, 4)
		default:
			monday := s.from.floor(gWeek)
			out.from, out.to = min(monday.add(gDay, 4), s.from.add(gDay, -1))+18*anHour, monday.add(gWeek, 1)
			if d > 4 {
				out.from = monday.add(gDay, 4) + 18*anHour
			}
		}
		return out, true
	}}
	_, ok := p.find(&it)
	return it, ok
}

var seasonRules = []entry{
	{"spring|springtime", seasonRule(0, false)}, {"summer|summertime", seasonRule(1, false)}, {"fall|autumn", seasonRule(2, false)}, {"winter|wintertime", seasonRule(3, false)},
	{"[in|during|over] the spring|springtime", seasonRule(0, true)}, {"[in|during|over] the summer|summertime", seasonRule(1, true)}, {"[in|during|over] the fall|autumn", seasonRule(2, true)}, {"[in|during|over] the winter|wintertime", seasonRule(3, true)},
	{"in|during spring|springtime", seasonRule(0, true)}, {"in|during summer|summertime", seasonRule(1, true)}, {"in|during fall|autumn", seasonRule(2, true)}, {"in|during winter|wintertime", seasonRule(3, true)},
	{"spring break", seasonRule(0, false)}, {"[the] winter solstice", turningRule(3)}, {"[the] summer solstice", turningRule(1)}, {"[the] midsummer solstice", turningRule(1)}, {"[the] spring|vernal|march equinox", turningRule(0)}, {"[the] fall|autumn|autumnal|september equinox", turningRule(2)}, {"[the] june solstice", turningRule(1)}, {"[the] december solstice", turningRule(3)},
	{"first day of spring", turningRule(0)}, {"first day of summer", turningRule(1)}, {"first day of fall|autumn", turningRule(2)}, {"first day of winter", turningRule(3)},
	{"<season> of <yearnum>", inYear}, {"this season", func(p *parse, _ []*item) (item, bool) { return p.seasonFrom(0) }}, {"[the] current season", func(p *parse, _ []*item) (item, bool) { return p.seasonFrom(0) }}, {"[the] next|coming season", func(p *parse, _ []*item) (item, bool) { return p.seasonFrom(1) }}, {"[the] last|past|previous season", func(p *parse, _ []*item) (item, bool) { return p.seasonFrom(-1) }},
	{"weekend|wkend|wknd", weekendRule}, {"week end", weekendRule},
	{"[on|at|over|for|during|in] this [coming|upcoming] weekend|wkend|wknd", theWeekend}, {"this week end", theWeekend}, {"[on|at|over|for|during|in] the [coming|upcoming] weekend|wkend|wknd", theWeekend}, {"[the] coming|upcoming weekend", theWeekend}, {"at|on|over weekend", theWeekend},
	{"[on|at|over|for|during] [the] next|following weekend|wkend|wknd", weekendIn(1)}, {"next week end", weekendIn(1)}, {"[the] weekend after next", weekendIn(2)}, {"[the] weekend after this [one]", weekendIn(1)}, {"next weeks weekend", weekendIn(1)},
	{"[on|at|over|during] [the|this] last|past|previous weekend|wkend|wknd", lastWeekend}, {"last week end", lastWeekend}, {"[the] weekend before last", func(p *parse, a []*item) (item, bool) { w := weekendItem(); return lastButOne(p, []*item{&w}) }},
	{"[the] weekend of [the] <date|weekday|holiday|weekgrain>", weekendOf}, {"<holiday> weekend|wkend", longWeekend}, {"[the] <annual> weekend", longWeekend}, {"[the] <holiday> long weekend", longWeekend}, {"[the] weekend <date>", weekendOf},
}

// seasonFrom counts seasons from the present one.
func (p *parse) seasonFrom(n int) (item, bool) {
	y := p.now.year()
	k := 4*y - 1 // the winter that began last year
	for k < 4*y+3 && seasonStart(floorDiv(k+1, 4), (k+1)%4) <= p.now {
		k++
	}
	k += n
	from := seasonStart(floorDiv(k, 4), k%4)
	return stretch(from, seasonStart(floorDiv(k+1, 4), (k+1)%4), gDay), true
}
