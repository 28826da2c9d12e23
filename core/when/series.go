package when

// span is one stretch of wall clock time.
type span struct {
	from, to wall
	g        grain
	fold     bool // from is the later of two equal readings
	foldTo   bool // and so is to
	interval bool // rather than a point as wide as its grain
	open     open
}

// open says which side of an interval has no bound.
type open uint8

const (
	noStart open = 1 + iota
	noEnd
)

// series is every occurrence of a phrase, in order of time. A phrase that names one time has one occurrence.
type series interface {
	next(t wall) (span, bool) // the first that begins at or after t
	prev(t wall) (span, bool) // the last that begins before t
}

// one is a series with a single occurrence.
type one span

func (o one) next(t wall) (span, bool) { return span(o), o.from >= t }
func (o one) prev(t wall) (span, bool) { return span(o), o.from < t }

// cycle has at most one occurrence in each unit g; at finds it from the unit's beginning.
type cycle struct {
	g  grain
	at func(start wall) (span, bool)
}

// patience is how many units without an occurrence are passed before giving up: a leap day can be eight years away.
const patience = 12

func (c cycle) next(t wall) (span, bool) {
	start := t.floor(c.g).add(c.g, -1)
	for range patience {
		if s, ok := c.at(start); ok && s.from >= t {
			return s, true
		}
		start = start.add(c.g, 1)
	}
	return span{}, false
}

func (c cycle) prev(t wall) (span, bool) {
	start := t.floor(c.g).add(c.g, 1)
	for range patience {
		if s, ok := c.at(start); ok && s.from < t {
			return s, true
		}
		start = start.add(c.g, -1)
	}
	return span{}, false
}

// within is every occurrence of inner that begins inside one of outer.
type within struct{ outer, inner series }

const tries = 60

func (x within) next(t wall) (span, bool) {
	o, ok := x.outer.prev(t + 1)
	if !ok || o.to <= t {
		o, ok = x.outer.next(t)
	}
	for range tries {
		if !ok {
			return span{}, false
		}
		s, found := x.inner.next(later(o.from, t))
		if !found || s.from < o.to {
			return s, found
		}
		from := o.from
		if o, ok = x.outer.prev(s.from + 1); !ok || o.from <= from || o.to <= s.from {
			o, ok = x.outer.next(later(from+1, s.from))
		}
	}
	return span{}, false
}

func (x within) prev(t wall) (span, bool) {
	o, ok := x.outer.prev(t)
	for range tries {
		if !ok {
			return span{}, false
		}
		s, found := x.inner.prev(min(o.to, t))
		if !found || s.from >= o.from {
			return s, found
		}
		o, ok = x.outer.prev(min(o.from, s.from+1))
	}
	return span{}, false
}

// reach is the stretch from each occurrence of a to the first of b after it. full takes all of b's last unit.
type reach struct {
	a, b series
	full bool
}

func (r reach) next(t wall) (span, bool) { s, ok := r.a.next(t); return r.stretch(s, ok) }
func (r reach) prev(t wall) (span, bool) { s, ok := r.a.prev(t); return r.stretch(s, ok) }

func (r reach) stretch(a span, ok bool) (span, bool) {
	if !ok {
		return span{}, false
	}
	b, ok := r.b.next(a.from + 1)
	if !ok {
		return span{}, false
	}
	to := b.from
	if r.full {
		to = b.to
	}
	return span{from: a.from, to: to, g: min(a.g, b.g), interval: true, fold: a.fold, foldTo: b.fold && !r.full}, true
}

// mapped changes each occurrence of a series by the same rule; far is the most by which it moves one.
type mapped struct {
	s    series
	far  wall
	turn func(span) (span, bool)
}

func (m mapped) next(t wall) (span, bool) {
	o, ok := m.s.prev(t - m.far)
	if !ok {
		o, ok = m.s.next(t - m.far)
	}
	for range tries {
		if !ok {
			return span{}, false
		}
		if s, fine := m.turn(o); fine && s.from >= t {
			return s, true
		}
		o, ok = m.s.next(o.from + 1)
	}
	return span{}, false
}

func (m mapped) prev(t wall) (span, bool) {
	o, ok := m.s.prev(t + m.far + 1)
	for range tries {
		if !ok {
			return span{}, false
		}
		if s, fine := m.turn(o); fine && s.from < t {
			return s, true
		}
		o, ok = m.s.prev(o.from)
	}
	return span{}, false
}

// unit is the span of the unit that begins at start.
func unit(start wall, g grain) span { return span{from: start, to: start.add(g, 1), g: g} }

func weekly(d int) series {
	return cycle{gWeek, func(w wall) (span, bool) { return unit(w.add(gDay, d), gDay), true }}
}

func monthOf(m int) series {
	return cycle{gYear, func(y wall) (span, bool) { return unit(y.add(gMonth, m-1), gMonth), true }}
}

// dayOfYear is the same date each year; 29 February only where it exists.
func dayOfYear(m, d int) series {
	return cycle{gYear, func(y wall) (span, bool) {
		return unit(on(y.year(), m, d), gDay), isDate(y.year(), m, d)
	}}
}

func dayOfMonth(d int) series {
	return cycle{gMonth, func(w wall) (span, bool) {
		y, m, _ := w.date()
		return unit(on(y, m, d), gDay), isDate(y, m, d)
	}}
}

// partOf is a stretch of every day, in seconds from midnight.
func partOf(from, to int) series {
	return cycle{gDay, func(w wall) (span, bool) {
		return span{from: w + wall(from), to: w + wall(to), g: gHour, interval: true}, true
	}}
}

// daily is a time of every day, sec seconds after midnight.
func daily(sec int, g grain) series {
	return cycle{gDay, func(w wall) (span, bool) { return unit(w+wall(sec), g), true }}
}

// twice is a time that every day has in both halves.
type twice struct {
	sec int // 0 to 12 h
	g   grain
}

func (c twice) next(t wall) (span, bool) {
	const half = 12 * anHour
	n := floorDiv(t-wall(c.sec)+half-1, half)
	return unit(n*half+wall(c.sec), c.g), true
}

func (c twice) prev(t wall) (span, bool) {
	const half = 12 * anHour
	n := floorDiv(t-1-wall(c.sec), half)
	return unit(n*half+wall(c.sec), c.g), true
}
