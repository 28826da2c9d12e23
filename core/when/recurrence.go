package when

import "slices"

var frequencies = map[grain]string{
	gSecond: "SECONDLY", gMinute: "MINUTELY", gHour: "HOURLY", gDay: "DAILY", gWeek: "WEEKLY", gMonth: "MONTHLY", gQuarter: "MONTHLY", gYear: "YEARLY",
}

// recurs is a recurrence whose first time is the next one of s.
func recurs(r rule, s series, g grain) item {
	return item{cat: cRec, rec: &r, s: s, g: g, strict: true}
}

// everyUnit is "every n hours". Its first time is one step from now; days and longer begin at midnight.
func (p *parse) everyUnit(n int, u *item) (item, bool) {
	n *= int(u.n)
	if n < 1 || n > 1000 {
		return item{}, false
	}
	r := rule{freq: frequencies[u.g], interval: n}
	if u.g == gQuarter {
		r.interval *= 3
	}
	w, fold := p.shift(p.now, p.fold, measure(float64(n), u.g), 1)
	s := span{from: w, to: w + 1, g: gSecond, fold: fold}
	if u.g >= gDay {
		s = unit(p.today.add(u.g, n), gDay)
	}
	return recurs(r, one(s), s.g), true
}

func everyRule(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		k, a := pick(n, a)
		return p.everyUnit(k, a[0])
	}
}

func everyGrain(n int, g grain) build {
	return func(p *parse, _ []*item) (item, bool) { return p.everyUnit(n, &item{g: g, n: 1}) }
}

// everyLength is "every half hour", "every hour and a half".
func everyLength(p *parse, a []*item) (item, bool) { return p.recurLength(a[0].d) }

func (p *parse) recurLength(l length) (item, bool) {
	minutes := int(l.secs) / aMinute
	if l.months != 0 || l.days != 0 || int(l.secs)%aMinute != 0 || minutes == 0 {
		return item{}, false
	}
	it, ok := p.everyUnit(minutes, &item{g: gMinute, n: 1})
	if minutes%60 == 0 {
		it, ok = p.everyUnit(minutes/60, &item{g: gHour, n: 1})
	}
	it.cost = 1
	return it, ok
}

func everyHalf(p *parse, a []*item) (item, bool) { return p.recurLength(measure(.5, a[0].g)) }
func everyQuarterHour(p *parse, a []*item) (item, bool) {
	return p.recurLength(measure(.25, a[0].g))
}

// weekdaysRec is a recurrence on some weekdays.
func weekdaysRec(interval int, days ...int) item {
	slices.Sort(days)
	days = slices.Compact(days)
	if len(days) == 7 && interval < 2 {
		return recurs(rule{freq: "DAILY"}, every(gDay), gDay)
	}
	return recurs(rule{freq: "WEEKLY", interval: interval, days: days}, onDays(days), gDay)
}

func daysRule(interval int, days ...int) build {
	return func(*parse, []*item) (item, bool) { return weekdaysRec(interval, slices.Clone(days)...), true }
}

// dayList gathers weekdays: "monday, wednesday and friday".
func dayList(_ *parse, a []*item) (item, bool) {
	it := item{cat: cDays, rec: &rule{}}
	for _, x := range a {
		it.rec.days = append(it.rec.days, daysOfItem(x)...)
		if x.is(cWeekdays) || x.is(cDays) && x.strict {
			it.strict = true // a plural says by itself that they recur
		}
	}
	return it, true
}

func daysOfItem(x *item) []int {
	if x.is(cDays) {
		return x.rec.days
	}
	return []int{int(x.n)}
}

// daySpan is "monday to friday" as a list.
func daySpan(_ *parse, a []*item) (item, bool) {
	it := item{cat: cDays, rec: &rule{}}
	for d := int(a[0].n); ; d = (d + 1) % 7 {
		it.rec.days = append(it.rec.days, d)
		if d == int(a[1].n) {
			break
		}
	}
	it.strict = a[0].is(cWeekdays)
	return it, true
}

func everyDays(interval int) build {
	return func(_ *parse, a []*item) (item, bool) {
		k, a := interval, a
		if k == 0 {
			k, a = int(a[0].n), a[1:]
		}
		return weekdaysRec(k, slices.Clone(daysOfItem(a[0]))...), k < 53
	}
}

// plural is "mondays", "mondays and thursdays".
func plural(_ *parse, a []*item) (item, bool) {
	return weekdaysRec(1, slices.Clone(daysOfItem(a[0]))...), a[0].is(cWeekdays) || a[0].strict
}

func exceptDays(_ *parse, a []*item) (item, bool) {
	var days []int
	for d := range 7 {
		if !slices.Contains(daysOfItem(a[0]), d) {
			days = append(days, d)
		}
	}
	return weekdaysRec(1, days...), len(days) > 0
}

// ofMonth is a day of each month, -1 for the last.
func ofMonth(n int) build {
	return func(_ *parse, a []*item) (item, bool) {
		k, _ := pick(n, append([]*item{}, a...))
		s := dayOfMonth(k)
		if k < 0 {
			s = lastOfMonth(k)
		}
		return recurs(rule{freq: "MONTHLY", monthDays: []int{k}}, s, gDay), k <= 31
	}
}

func lastOfMonth(k int) series {
	return cycle{gMonth, func(w wall) (span, bool) { return unit(w.add(gMonth, 1).add(gDay, k), gDay), true }}
}

// weekdayOfMonth is "the first monday of each month".
func weekdayOfMonth(n int) build {
	return func(_ *parse, a []*item) (item, bool) {
		k, a := pick(n, a)
		if k > 5 {
			return item{}, false
		}
		d := int(a[0].n)
		s := mapped{s: every(gMonth), far: 31 * aDay, turn: func(m span) (span, bool) { return nthIn(weekly(d), k, m) }}
		return recurs(rule{freq: "MONTHLY", days: []int{d}, nth: k}, s, gDay), true
	}
}

// everyYear is a date, month or holiday of each year; holidays without a simple rule have none here.
func everyYear(_ *parse, a []*item) (item, bool) {
	x := a[0]
	switch {
	case x.rec != nil:
		return recurs(*x.rec, x.s, gDay), true
	case x.is(cMonth):
		return recurs(rule{freq: "YEARLY", months: []int{int(x.n)}}, x.s, gMonth), true
	case x.is(cAnnual) && x.n >= 100:
		return recurs(rule{freq: "YEARLY", months: []int{int(x.n) / 100}, monthDays: []int{int(x.n) % 100}}, x.s, gDay), true
	}
	return item{}, false
}

// everyPart is "every morning".
func everyPart(_ *parse, a []*item) (item, bool) {
	it := recurs(rule{freq: "DAILY"}, every(gDay), gDay)
	return withPart(it, a[0]), true
}

// usual is the hour at which something that recurs in a part of the day begins.
func usual(part *item) int {
	switch {
	case part.n == 0:
		return 9
	case part.sec == 19*anHour:
		return 15
	case part.late:
		return 21
	}
	return int(part.n)
}

func withPart(it item, part *item) item {
	h := usual(part)
	base := it
	out := timed(it, clockAt(h*anHour, gHour, false), h)
	out.rec.part = part
	out.dated = base.s
	return out
}

// timed sets the time of day of a recurrence.
func timed(it item, c item, hours ...int) item {
	out := it
	base := it.s
	if it.dated != nil {
		base = it.dated
	}
	out.rec = it.rec.with(func(r *rule) {
		r.hours, r.minute, r.timed = hours, c.sec%anHour/aMinute, true
	})
	out.g, out.dated, out.cost = c.g, nil, 0
	out.s = within{base, atHours{hours, c.sec % anHour, c.g}}
	return out
}

// atHours is some hours of every day at the same minute.
type atHours struct {
	hours []int
	rest  int // seconds
	g     grain
}

func (x atHours) next(t wall) (span, bool) {
	var best span
	for _, h := range x.hours {
		if s, _ := daily(h*anHour+x.rest, x.g).next(t); best.to == 0 || s.from < best.from {
			best = s
		}
	}
	return best, true
}

func (x atHours) prev(t wall) (span, bool) {
	var best span
	for _, h := range x.hours {
		if s, _ := daily(h*anHour+x.rest, x.g).prev(t); best.to == 0 || s.from > best.from {
			best = s
		}
	}
	return best, true
}

// recAt joins a recurrence and one or two times of day.
func recAt(p *parse, a []*item) (item, bool) {
	r := a[0]
	if r.rec.timed && r.rec.part == nil || r.g < gDay && r.rec.part == nil {
		return item{}, false
	}
	var hours []int
	var first item
	for i, x := range a[1:] {
		c := asClock(x)
		if c.zone != nil || !c.is(cClock) {
			return item{}, false
		}
		sec, ok := p.recClock(r.rec.part, &c)
		if !ok || i > 0 && sec%anHour != first.sec%anHour {
			return item{}, false
		}
		if i == 0 {
			first = c
			first.sec = sec
		}
		hours = append(hours, sec%aDay/anHour)
	}
	base := *r
	if _, ok := base.s.(one); ok && base.dated == nil { // "every 2 days at 8" begins at the next 8
		base.s = every(gDay)
	}
	return timed(base, first, hours...), true
}

// recClock chooses the half of the day for a time that recurs.
func (p *parse) recClock(part, c *item) (int, bool) {
	switch {
	case part != nil:
		x, ok := hourIn(*c, part)
		return x.sec, ok
	case !c.half:
		return c.sec, true
	case p.wake:
		return c.sec, true
	}
	return sensible(c.sec), true
}

func recPart(_ *parse, a []*item) (item, bool) {
	if a[0].rec.timed || a[0].g < gDay {
		return item{}, false
	}
	base := *a[0]
	if _, ok := base.s.(one); ok {
		base.s = every(gDay)
	}
	return withPart(base, a[1]), true
}

// recOn puts a step of weeks, months or years on its day: "every 2 weeks on friday", "every month on the first".
func recOn(p *parse, a []*item) (item, bool) {
	r, x := a[0].rec, a[1]
	if len(r.days)+len(r.monthDays)+len(r.months) > 0 || r.timed {
		return item{}, false
	}
	switch {
	case r.freq == "WEEKLY" && (x.is(cWeekday|cWeekdays|cDays) && !x.is(cDate)):
		return weekdaysRec(r.interval, slices.Clone(daysOfItem(x))...), true
	case r.freq == "MONTHLY" && x.is(cDom0|cDomOrd|cDom) && !x.is(cMonth):
		it := recurs(rule{freq: "MONTHLY", interval: r.interval, monthDays: []int{int(x.n)}}, dayOfMonth(int(x.n)), gDay)
		return it, true
	case r.freq == "YEARLY" && x.is(cAnnual|cMonth):
		it, ok := everyYear(p, []*item{x})
		if ok {
			it.rec = it.rec.with(func(n *rule) { n.interval = r.interval })
		}
		return it, ok
	}
	return item{}, false
}

// monthlyOn is "monthly on the second tuesday".
func monthlyOn(n int) build {
	return func(p *parse, a []*item) (item, bool) {
		it, ok := weekdayOfMonth(n)(p, a[1:])
		if a[0].rec.freq != "MONTHLY" || len(a[0].rec.days) > 0 || !ok {
			return item{}, false
		}
		it.rec = it.rec.with(func(r *rule) { r.interval = a[0].rec.interval })
		return it, true
	}
}

func recUntil(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[1])
	if !ok || !a[0].rec.until.IsZero() || s.to <= p.now || a[1].is(cOpen) {
		return item{}, false
	}
	it := *a[0]
	last := s.from
	if s.g >= gDay || s.interval {
		last = s.to - 1
	}
	it.rec = it.rec.with(func(r *rule) { r.until = p.moment(last, s.fold) })
	return it, true
}

func recFor(p *parse, a []*item) (item, bool) {
	if !a[0].rec.until.IsZero() || !a[1].d.sane() {
		return item{}, false
	}
	it := *a[0]
	w, fold := p.shift(p.now, p.fold, a[1].d, 1)
	it.rec = it.rec.with(func(r *rule) { r.until = p.moment(w, fold) })
	return it, true
}

func recCount(_ *parse, a []*item) (item, bool) {
	it := *a[0]
	it.rec = it.rec.with(func(r *rule) { r.count = int(a[1].n) })
	return it, a[0].rec.count == 0 && a[1].n > 0
}

// recFrom delays the first time.
func recFrom(p *parse, a []*item) (item, bool) {
	s, ok := p.find(a[1])
	if !ok || a[1].is(cOpen) {
		return item{}, false
	}
	it := *a[0]
	o, found := it.s.next(s.from)
	if x, single := it.s.(one); single {
		o, found = span(x), true
		o.from, o.to = s.from, s.from+(o.to-o.from)
	}
	it.s, it.strict = one(o), false
	return it, found
}
