package when

// wall is a reading of the wall clock: seconds since 1970-01-01 0:00 on a clock that never jumps.
// All reckoning with days and longer is done on it; zone.go maps it to real instants.
type wall int64

const (
	aMinute = 60
	anHour  = 3600
	aDay    = 86400
)

// daysOf counts the days from 1970-01-01 to a date of the proleptic Gregorian calendar.
// Months outside 1 to 12 and days outside the month carry over.
func daysOf(y, m, d int) int64 {
	m--
	y += floorDiv(m, 12)
	m = m - 12*floorDiv(m, 12) + 1
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	doy := (153*((m+9)%12)+2)/5 + d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return int64(era)*146097 + int64(doe) - 719468
}

// civil is the inverse of daysOf.
func civil(days int64) (y, m, d int) {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := int(z - era*146097)
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = doy - (153*mp+2)/5 + 1
	m = mp + 3
	if m > 12 {
		m -= 12
	}
	y = yoe + int(era)*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

func floorDiv[T int | int64 | wall](a, b T) T {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// on is midnight at the beginning of a date; months and days may carry over.
func on(y, m, d int) wall { return wall(daysOf(y, m, d)) * aDay }

func (w wall) day() int64          { return int64(floorDiv(w, aDay)) }
func (w wall) date() (y, m, d int) { return civil(w.day()) }
func (w wall) year() int           { y, _, _ := w.date(); return y }
func (w wall) clock() int          { return int(w - wall(w.day())*aDay) }  // seconds since midnight
func (w wall) weekday() int        { return int(((w.day()+3)%7 + 7) % 7) } // Monday is 0
func (w wall) midnight() wall      { return wall(w.day()) * aDay }
func daysIn(y, m int) int          { return int(daysOf(y, m+1, 1) - daysOf(y, m, 1)) }
func isDate(y, m, d int) bool      { return m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m) }
func later(a, b wall) wall         { return max(a, b) }

// floor is the beginning of the unit that holds w; weeks begin on Monday.
func (w wall) floor(g grain) wall {
	switch g {
	case gSecond:
		return w
	case gMinute:
		return floorDiv(w, aMinute) * aMinute
	case gHour:
		return floorDiv(w, anHour) * anHour
	case gDay:
		return w.midnight()
	case gWeek:
		return w.midnight() - wall(w.weekday())*aDay
	}
	y, m, _ := w.date()
	switch g {
	case gMonth:
		return on(y, m, 1)
	case gQuarter:
		return on(y, (m-1)/3*3+1, 1)
	}
	return on(y, 1, 1)
}

// add steps n units. Months and years keep the day of the month, or take the month's last.
func (w wall) add(g grain, n int) wall {
	switch g {
	case gSecond:
		return w + wall(n)
	case gMinute:
		return w + wall(n)*aMinute
	case gHour:
		return w + wall(n)*anHour
	case gDay:
		return w + wall(n)*aDay
	case gWeek:
		return w + wall(n)*7*aDay
	case gMonth:
		return w.addMonths(n)
	case gQuarter:
		return w.addMonths(3 * n)
	}
	return w.addMonths(12 * n)
}

func (w wall) addMonths(n int) wall {
	y, m, d := w.date()
	first := on(y, m+n, 1)
	fy, fm, _ := first.date()
	return first + wall(min(d, daysIn(fy, fm))-1)*aDay + wall(w.clock())
}
