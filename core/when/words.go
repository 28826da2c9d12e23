package when

import "strings"

var weekdayNames = [7]string{
	"monday mon mondays",
	"tuesday tue tues tuesdays",
	"wednesday wed weds wednesdays wednseday wensday",
	"thursday thu thur thurs thursdays",
	"friday fri fridays",
	"saturday sat saturdays",
	"sunday sun sundays",
}

var monthNames = [12]string{
	"january jan", "february feb febuary", "march mar", "april apr", "may", "june jun",
	"july jul", "august aug", "september sep sept", "october oct", "november nov", "december dec",
}

// dubious words are also common words that have nothing to do with time.
var dubious = map[string]bool{
	"may": true, "march": true, "mar": true, "sat": true, "sun": true, "mon": true, "wed": true, "fri": true,
	"jan": true, "jun": true, "dec": true, "august": true, "apr": true, "sep": true, "nov": true,
	"thu": true, "tue": true, "april": true, "june": true,
}

var unitNames = []struct {
	names string
	g     grain
	times int
}{
	{"second seconds sec secs", gSecond, 1},
	{"minute minutes min mins minuets", gMinute, 1},
	{"hour hours hr hrs", gHour, 1},
	{"day days", gDay, 1},
	{"nights", gDay, 1},
	{"week weeks wk wks", gWeek, 1},
	{"fortnight fortnights", gWeek, 2},
	{"month months mo mos mth mths", gMonth, 1},
	{"quarter quarters qtr qtrs", gQuarter, 1},
	{"year years yr yrs", gYear, 1},
	{"decade decades", gYear, 10},
	{"century centuries", gYear, 100},
}

// lexicon gives single words their meaning.
type lexicon map[int]item

func newLexicon(v vocabulary) lexicon {
	l := lexicon{}
	put := func(names string, it item) {
		for _, w := range strings.Fields(names) {
			x := it
			if dubious[w] {
				x.cat = x.cat&^cTime | cWeak
			}
			l[v.add(w)] = x
		}
	}
	for d, row := range weekdayNames {
		short := strings.Fields(row)
		plural := ""
		for _, w := range short {
			if strings.HasSuffix(w, "days") {
				plural = w
			}
		}
		row = strings.Replace(row, plural, "", 1)
		put(row, item{cat: cWeekday | cDay | cTime, n: float64(d), g: gDay, s: weekly(d), strict: true})
		put(plural, item{cat: cWeekdays, n: float64(d), g: gDay, s: weekly(d), strict: true})
	}
	for m, row := range monthNames {
		put(row, item{cat: cMonth | cTime, n: float64(m + 1), g: gMonth, s: monthOf(m + 1)})
	}
	for _, u := range unitNames {
		put(u.names, item{cat: cUnit, g: u.g, n: float64(u.times)})
	}
	put("am a.m", item{cat: cMeridiem, n: 0})
	put("pm p.m", item{cat: cMeridiem, n: 12})
	for _, p := range parts {
		put(p.names, item{cat: cPart | cWeak, n: float64(p.from), sec: p.to * anHour, g: gHour, s: partOf(p.from*anHour, p.to*anHour), late: p.late})
	}
	return l
}

var parts = []struct {
	names    string
	from, to int
	late     bool // runs on after midnight when a clock time says so: "2 at night"
}{
	{"morning mornin morn", 0, 12, false},
	{"afternoon aft", 12, 19, false},
	{"evening evenin eve", 18, 24, false},
	{"night nite", 18, 24, true},
	{"lunch lunchtime", 12, 14, false},
}
