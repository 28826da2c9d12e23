package when

import (
	"strings"
	"sync"
)

// holiday is a day or stretch of each year by rule.
type holiday struct {
	names string // patterns, parted by ";"
	day   func(y int) wall
	days  int   // how long, 0 is a single day
	rec   *rule // how it recurs, if RFC 5545 can say it
	md    int   // month*100+day of a fixed date
	weak  bool  // the name is a common word as well
}

func fixedDay(m, d int, names string) holiday {
	return holiday{names: names, day: func(y int) wall { return on(y, m, d) }, md: m*100 + d,
		rec: &rule{freq: "YEARLY", months: []int{m}, monthDays: []int{d}}}
}

// nthDay is the n-th weekday (0 is Monday) of a month, from its end where n is below zero.
func nthDay(n, weekday, m int, names string) holiday {
	return holiday{names: names, day: func(y int) wall { return nthWeekdayOf(y, m, n, weekday) },
		rec: &rule{freq: "YEARLY", months: []int{m}, days: []int{weekday}, nth: n}}
}

func nthWeekdayOf(y, m, n, weekday int) wall {
	if n > 0 {
		first := on(y, m, 1)
		return first.add(gDay, (weekday-first.weekday()+7)%7+7*(n-1))
	}
	last := on(y, m+1, 1) - aDay
	return last.add(gDay, -((last.weekday()-weekday+7)%7)+7*(n+1))
}

func fromEaster(days int, names string) holiday {
	return holiday{names: names, day: func(y int) wall { return easter(y).add(gDay, days) }}
}

func fromOrthodox(days int, names string) holiday {
	return holiday{names: names, day: func(y int) wall { return orthodoxEaster(y).add(gDay, days) }}
}

func computed(day func(int) wall, names string) holiday { return holiday{names: names, day: day} }

// lasting makes a stretch of a day.
func (h holiday) lasting(days int) holiday {
	h.days = days
	return h
}

func (h holiday) series() series {
	day := remembered(h.day)
	if h.days > 0 {
		return cycle{gYear, func(w wall) (span, bool) {
			from := day(w.year())
			return span{from: from, to: from.add(gDay, h.days), g: gDay, interval: true}, true
		}}
	}
	return cycle{gYear, func(w wall) (span, bool) { return unit(day(w.year()), gDay), true }}
}

// remembered keeps what was reckoned for a year: moons cost more than a look-up.
func remembered(day func(int) wall) func(int) wall {
	var known sync.Map
	return func(y int) wall {
		if w, ok := known.Load(y); ok {
			return w.(wall)
		}
		if y < 1000 || y > 3000 {
			return on(y, 1, 1) - 1000*365*aDay // outside the reach of the rules, and of every phrase
		}
		w := day(y)
		known.Store(y, w)
		return w
	}
}

func (h holiday) item() item {
	it := item{cat: cTime | cAnnual | cHoliday, g: gDay, s: h.series(), rec: h.rec, n: float64(h.md)}
	if h.days > 0 {
		it.cat |= cInterval
	} else {
		it.cat |= cDay | cDate
	}
	if h.weak {
		it.cat = it.cat&^cTime | cWeak
	}
	return it
}

func holidayRules() []entry {
	var out []entry
	for _, table := range [][]holiday{christian(), american(), world(), faiths()} {
		for _, h := range table {
			it := h.item()
			for _, name := range strings.Split(h.names, ";") {
				out = append(out, entry{strings.TrimSpace(name), func(*parse, []*item) (item, bool) { return it, true }})
			}
		}
	}
	return append(out, entry{"<holiday> day", same}, entry{"<holiday> holiday", same}, entry{"<holiday> , <yearnum>", inYear},
		entry{"[on|at|for] <holiday>", same}, entry{"<holiday> <part>", meetRule})
}
