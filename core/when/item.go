package when

import "time"

// cat is a set of categories. Rules ask for one of them.
type cat uint64

const (
	cNum        cat = 1 << iota // any number
	cInt                        // a whole one
	cHour                       // 0 to 24
	cHour12                     // 1 to 12
	cMin                        // 0 to 59
	cFive                       // 5, 10, 20 or 25: the minutes people say without "minutes"
	cDom                        // 1 to 31
	cOrd                        // "third", "3rd"
	cDomOrd                     // "first" to "31st"
	cYearNum                    // a number that may be a year: four digits, or said as "nineteen eighty"
	cShort                      // one or two digits of a year behind an apostrophe
	cHHMM                       // three or four digits that may be a time of day
	cSpelt                      // a number said in words
	cUnit                       // "minutes"
	cDur                        // a length
	cTime                       // a time that needs no help
	cWhen                       // a time that a preposition makes sure: all of cTime, and "may", "sat"
	cWeak                       // a time only if the text holds nothing else
	cDay                        // a day
	cDate                       // a day known by more than its weekday
	cWeekday                    // "monday"
	cWeekdays                   // "mondays"
	cMonth                      // "march"
	cMonthGrain                 // any time as wide as a month
	cWeekGrain                  // any time as wide as a week
	cYear                       // any time as wide as a year
	cAnnual                     // comes once a year: "christmas", "march 3", "summer"
	cSeason                     // "summer"
	cHoliday                    // "christmas"
	cWeekend                    // "weekend"
	cClock                      // a time of day
	cSoft                       // a time of day after "at" only
	cPart                       // "morning"
	cDayPart                    // a part of a certain day
	cRange                      // from one time of day to another
	cMeridiem                   // "am"
	cZone                       // "CET"
	cQuarter                    // "q3"
	cInterval                   // from one moment to another
	cRec                        // "every monday"
	cDays                       // weekdays that a recurrence names
	cNow                        // "now", "today"
	cDom0                       // a day of the month alone: "the 15th"
	cLen                        // a length that is sure to be meant as one
	cCity                       // "london"
	cMoment                     // a time of day on a certain day
	cThe                        // "the week", known only by what follows
	cThird                      // beginning, middle or end of a unit
	cOpen                       // an interval that is finished, as "after 5"
)

// item is a stretch of tokens and what it means. Which fields count depends on the category.
type item struct {
	start, end int // tokens
	cat        cat
	cost       int // of two readings of the same words the cheaper is right
	n          float64
	g          grain
	d          length
	s          series
	dated      series // what s becomes beside a day, if that is something else: "3" is 3 PM then
	inPart     series // what s becomes in a part of the day
	strict     bool   // the present occurrence does not count as the next one
	half       bool   // a time of day that does not say which half
	late       bool   // a part of day that runs past midnight
	past       bool   // looks back: the last occurrence is meant
	sec        int
	zone       *time.Location
	rec        *rule
}

func (it *item) is(c cat) bool { return it.cat&c != 0 }

// names one occurrence and needs no search.
func fixed(s span) item { return item{cat: cTime | cWhen, s: one(s), g: s.g} }

// period is a fixed whole unit.
func period(start wall, g grain) item {
	it := fixed(unit(start, g))
	it.cat |= widths(g)
	return it
}

// widths are the categories that follow from a grain.
func widths(g grain) cat {
	switch g {
	case gDay:
		return cDay | cDate
	case gWeek:
		return cWeekGrain
	case gMonth:
		return cMonthGrain
	case gYear:
		return cYear
	}
	return 0
}

// stretch is a fixed interval.
func stretch(from, to wall, g grain) item {
	it := fixed(span{from: from, to: to, g: g, interval: true})
	it.cat |= cInterval
	return it
}
