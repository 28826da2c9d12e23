package when

// scan enters what a run of digits and marks means that begins at token i: "3:15", "2015-03-28", "3/3/2015", "20130218".
func (p *parse) scan(i int) {
	if p.boundary(i) {
		p.scanClock(i)
		p.scanDate(i)
	}
}

// boundary says that token i does not go on a run of digits and marks.
func (p *parse) boundary(i int) bool {
	t := &p.toks[i]
	if i == 0 || !t.glued {
		return true
	}
	switch before := &p.toks[i-1]; before.text {
	case "-", ":", ".", "/", ",":
		return i < 2 || !before.glued || p.toks[i-2].digits == 0 && before.text != "."
	}
	return true
}

// scanClock knows "3:15", "3:18:59", "3.30", "15h30", "15h".
func (p *parse) scanClock(i int) {
	h := &p.toks[i]
	if h.digits > 2 || h.n > 24 {
		return
	}
	end, sec, g, ok := p.timeOfDay(i)
	if ok {
		it := clockAt(sec, g, h.n >= 1 && h.n <= 12 && h.digits < 3 && !p.zeroed(i))
		it.start, it.end = i, end
		p.put(it)
		return
	}
	if p.glued(i+1, ".") && p.gluedDigits(i+2) && p.toks[i+2].digits == 2 && p.toks[i+2].n < 60 && !p.gluedDigits(i+4) {
		it := soft(hourly(h.n, p.toks[i+2].n, gMinute))
		it.start, it.end = i, i+3
		p.put(it)
	}
	if p.glued(i+1, "h") {
		p.scanH(i)
	}
}

// scanH is the time of day on paper in much of the world; from 13 on it can be nothing else.
func (p *parse) scanH(i int) {
	h, m, end, g := p.toks[i].n, 0, i+2, gHour
	if p.gluedDigits(i + 2) {
		m, end, g = p.toks[i+2].n, i+3, gMinute
		if p.toks[i+2].digits != 2 || m > 59 {
			return
		}
	}
	it := clockAt(h*anHour+m*aMinute, g, false)
	if h < 13 {
		it = soft(it)
	}
	it.start, it.end = i, end
	p.put(it)
}

func (p *parse) zeroed(i int) bool { t := &p.toks[i]; return p.text[t.start] == '0' }

// timeOfDay reads h:mm and h:mm:ss at token i.
func (p *parse) timeOfDay(i int) (end, sec int, g grain, ok bool) {
	if !p.glued(i+1, ":") || !p.gluedDigits(i+2) || p.toks[i+2].digits != 2 || p.toks[i+2].n > 59 || p.toks[i].n > 24 {
		return 0, 0, 0, false
	}
	sec = p.toks[i].n*anHour + p.toks[i+2].n*aMinute
	if !p.glued(i+3, ":") || !p.gluedDigits(i+4) {
		return i + 3, sec, gMinute, sec <= aDay
	}
	if p.toks[i+4].digits != 2 || p.toks[i+4].n > 59 {
		return 0, 0, 0, false
	}
	end = i + 5
	if p.glued(end, ".") && p.gluedDigits(end+1) {
		end += 2 // parts of a second are below the finest grain
	}
	return end, sec + p.toks[i+4].n, gSecond, sec < aDay
}

// scanDate knows year-month-day in many guises, month/day with and without year, and day.month.year.
func (p *parse) scanDate(i int) {
	a := &p.toks[i]
	if a.digits == 8 && isDate(a.n/10000, a.n/100%100, a.n%100) && a.n/10000 >= 1000 {
		p.putDate(i, i+1, a.n/10000, a.n/100%100, a.n%100)
		return
	}
	if i+2 >= len(p.toks) || !p.gluedDigits(i+2) || !p.toks[i+1].glued {
		return
	}
	sep, b := p.toks[i+1].text, &p.toks[i+2]
	if sep != "-" && sep != "/" && sep != "." {
		return
	}
	if p.glued(i+3, sep) && p.gluedDigits(i+4) {
		p.threeParts(i, sep, a, b, &p.toks[i+4])
		return
	}
	p.twoParts(i, sep, a, b)
}

func (p *parse) threeParts(i int, sep string, a, b, c *token) {
	if a.digits == 4 && b.digits <= 2 && c.digits <= 2 {
		p.putDate(i, i+5, a.n, b.n, c.n)
		return
	}
	if a.digits > 2 || b.digits > 2 || c.digits != 2 && c.digits != 4 {
		return
	}
	year := c.n
	if c.digits == 2 {
		year = fullYear(year)
	}
	m, d := a.n, b.n
	if sep == "." || m > 12 {
		m, d = d, m
	}
	if sep != "." && c.digits == 2 && sep == "-" && !isDate(year, m, d) {
		return
	}
	p.putDate(i, i+5, year, m, d)
}

// fullYear is the year meant by two digits.
func fullYear(n int) int {
	if n < 70 {
		return 2000 + n
	}
	return 1900 + n
}

// twoParts knows "2013-02", "2/2013" and "3/15"; a fraction such as "3/4" is a date only after "on" or alone.
func (p *parse) twoParts(i int, sep string, a, b *token) {
	switch {
	case a.digits == 4 && b.digits == 2 && sep != "." && b.n >= 1 && b.n <= 12 && a.n >= 1000 && a.n < 3000:
		p.putMonth(i, a.n, b.n)
	case b.digits == 4 && a.digits <= 2 && a.n >= 1 && a.n <= 12 && b.n >= 1000 && b.n < 3000:
		p.putMonth(i, b.n, a.n)
	case sep == "/" && a.digits <= 2 && b.digits <= 2:
		m, d := a.n, b.n
		if m > 12 {
			m, d = d, m
		}
		if a.n == 24 && b.n == 7 {
			return // always, not in July
		}
		it, ok := dateOf(m, d)
		if !ok {
			return
		}
		it.start, it.end = i, i+3
		if m < 5 && d < 6 || d < 10 && b.digits == 1 && a.digits == 1 {
			it.cat = it.cat&^cTime | cWeak | cWhen
		}
		p.put(it)
	}
}

func (p *parse) putMonth(i, y, m int) {
	it := period(on(y, m, 1), gMonth)
	it.start, it.end = i, i+3
	p.put(it)
}

func (p *parse) putDate(i, end, y, m, d int) {
	if !isDate(y, m, d) {
		return
	}
	it := period(on(y, m, d), gDay)
	it.start, it.end = i, end
	p.put(it)
	p.stamp(i, end, on(y, m, d))
}

// stamp reads the rest of an ISO 8601 timestamp behind its date.
func (p *parse) stamp(i, end int, day wall) {
	at := end
	if p.glued(at, "t") {
		at++
	}
	if at >= len(p.toks) || p.toks[at].digits == 0 {
		return
	}
	next, sec, g, ok := p.timeOfDay(at)
	if t := &p.toks[at]; !ok && t.glued && (t.digits == 4 || t.digits == 6) {
		next, sec, g, ok = at+1, t.n/100*anHour+t.n%100*aMinute, gMinute, true
		if t.digits == 6 {
			sec, g = t.n/10000*anHour+t.n/100%100*aMinute+t.n%100, gSecond
		}
	}
	if !ok || sec > aDay {
		return
	}
	it := fixed(unit(day+wall(sec), g))
	it.cat |= cMoment
	it.start, it.end = i, next
	p.put(it)
	if zone, after, ok := p.offset(next); ok {
		it.zone = zone
		it.end = after
		it.cat &^= cMoment
		it.s = p.zoned(it.s, zone)
		p.put(it)
	}
}
