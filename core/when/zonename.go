package when

import (
	"strings"
	"sync"
	"time"
)

// zonedSeries is a series whose readings are on the clock of another zone than now's.
type zonedSeries struct {
	s          series
	home, away *time.Location
}

func (p *parse) zoned(s series, zone *time.Location) series { return zonedSeries{s, p.zone, zone} }

func (z zonedSeries) home1(s span) span {
	from, to := instant(s.from, z.away), instant(s.to, z.away)
	s.from, s.fold = wallOf(from, z.home)
	s.to, s.foldTo = wallOf(to, z.home)
	return s
}

func (z zonedSeries) next(t wall) (span, bool) {
	w, _ := wallOf(instant(t, z.home), z.away)
	o, ok := z.s.next(w - 2*anHour)
	for range tries {
		if !ok {
			return span{}, false
		}
		if s := z.home1(o); s.from >= t {
			return s, true
		}
		o, ok = z.s.next(o.from + 1)
	}
	return span{}, false
}

func (z zonedSeries) prev(t wall) (span, bool) {
	w, _ := wallOf(instant(t, z.home), z.away)
	o, ok := z.s.prev(w + 2*anHour)
	for range tries {
		if !ok {
			return span{}, false
		}
		if s := z.home1(o); s.from < t {
			return s, true
		}
		o, ok = z.s.prev(o.from)
	}
	return span{}, false
}

// fixedZones are the abbreviations that stand for one distance from UTC, in minutes.
var fixedZones = map[string]int{
	"utc": 0, "gmt": 0, "z": 0, "zulu": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180,
	"ist": 330, "pkt": 300, "sgt": 480, "hkt": 480, "jst": 540, "kst": 540, "awst": 480, "acst": 570, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "brt": -180, "art": -180, "sast": 120, "cat": 120, "eat": 180, "wat": 60,
}

// placeZones are the names that follow a place's own daylight saving.
var placeZones = map[string]string{
	"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
	"eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver", "pacific": "America/Los_Angeles",
	"eastern standard": "America/New_York", "central european": "Europe/Berlin",
}

var cityZones = map[string]string{
	"london": "Europe/London", "dublin": "Europe/Dublin", "lisbon": "Europe/Lisbon", "paris": "Europe/Paris", "berlin": "Europe/Berlin", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "vienna": "Europe/Vienna", "zurich": "Europe/Zurich", "geneva": "Europe/Zurich", "rome": "Europe/Rome", "milan": "Europe/Rome", "madrid": "Europe/Madrid", "barcelona": "Europe/Madrid",
	"amsterdam": "Europe/Amsterdam", "brussels": "Europe/Brussels", "luxembourg": "Europe/Luxembourg", "copenhagen": "Europe/Copenhagen", "stockholm": "Europe/Stockholm", "oslo": "Europe/Oslo", "helsinki": "Europe/Helsinki", "warsaw": "Europe/Warsaw", "prague": "Europe/Prague", "budapest": "Europe/Budapest", "athens": "Europe/Athens", "bucharest": "Europe/Bucharest", "sofia": "Europe/Sofia", "kiev": "Europe/Kiev", "kyiv": "Europe/Kiev", "moscow": "Europe/Moscow", "istanbul": "Europe/Istanbul",
	"new york": "America/New_York", "nyc": "America/New_York", "boston": "America/New_York", "washington": "America/New_York", "miami": "America/New_York", "atlanta": "America/New_York", "philadelphia": "America/New_York", "toronto": "America/Toronto", "montreal": "America/Toronto", "detroit": "America/Detroit", "chicago": "America/Chicago", "dallas": "America/Chicago", "houston": "America/Chicago", "austin": "America/Chicago", "denver": "America/Denver", "phoenix": "America/Phoenix",
	"los angeles": "America/Los_Angeles", "la": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "sf": "America/Los_Angeles", "seattle": "America/Los_Angeles", "san diego": "America/Los_Angeles", "las vegas": "America/Los_Angeles", "portland": "America/Los_Angeles", "vancouver": "America/Vancouver", "anchorage": "America/Anchorage", "honolulu": "Pacific/Honolulu", "hawaii": "Pacific/Honolulu", "mexico city": "America/Mexico_City",
	"sao paulo": "America/Sao_Paulo", "rio": "America/Sao_Paulo", "buenos aires": "America/Argentina/Buenos_Aires", "santiago": "America/Santiago", "lima": "America/Lima", "bogota": "America/Bogota", "caracas": "America/Caracas",
	"cairo": "Africa/Cairo", "lagos": "Africa/Lagos", "nairobi": "Africa/Nairobi", "johannesburg": "Africa/Johannesburg", "cape town": "Africa/Johannesburg", "casablanca": "Africa/Casablanca",
	"dubai": "Asia/Dubai", "tehran": "Asia/Tehran", "baghdad": "Asia/Baghdad", "riyadh": "Asia/Riyadh", "jerusalem": "Asia/Jerusalem", "tel aviv": "Asia/Jerusalem", "karachi": "Asia/Karachi", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "kolkata": "Asia/Kolkata", "india": "Asia/Kolkata", "dhaka": "Asia/Dhaka", "kathmandu": "Asia/Kathmandu",
	"bangkok": "Asia/Bangkok", "hanoi": "Asia/Ho_Chi_Minh", "saigon": "Asia/Ho_Chi_Minh", "jakarta": "Asia/Jakarta", "singapore": "Asia/Singapore", "kuala lumpur": "Asia/Kuala_Lumpur", "manila": "Asia/Manila", "hong kong": "Asia/Hong_Kong", "taipei": "Asia/Taipei", "beijing": "Asia/Shanghai", "shanghai": "Asia/Shanghai", "china": "Asia/Shanghai", "seoul": "Asia/Seoul", "tokyo": "Asia/Tokyo", "japan": "Asia/Tokyo", "osaka": "Asia/Tokyo",
	"sydney": "Australia/Sydney", "melbourne": "Australia/Melbourne", "brisbane": "Australia/Brisbane", "perth": "Australia/Perth", "adelaide": "Australia/Adelaide", "auckland": "Pacific/Auckland", "wellington": "Pacific/Auckland", "reykjavik": "Atlantic/Reykjavik",
}

var locations sync.Map // name to *time.Location

// location loads a zone once. It is nil on a machine that does not know it.
func location(name string) *time.Location {
	if l, ok := locations.Load(name); ok {
		return l.(*time.Location)
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		l = nil
	}
	locations.Store(name, l)
	return l
}

func zoneRules() []entry {
	var out []entry
	for name, minutes := range fixedZones {
		out = append(out, entry{name, zoneItem(time.FixedZone(strings.ToUpper(name), minutes*60))})
	}
	for name, place := range placeZones {
		pattern := name
		if len(name) > 2 {
			pattern = name + " [standard|daylight] [time]"
		}
		out = append(out, entry{pattern, placeItem(place, cZone)})
	}
	for name, place := range cityZones {
		out = append(out, entry{name, placeItem(place, cCity)})
	}
	return append(out, zonedRules...)
}

func zoneItem(zone *time.Location) build {
	return func(*parse, []*item) (item, bool) { return item{cat: cZone, zone: zone}, true }
}

func placeItem(name string, c cat) build {
	return func(*parse, []*item) (item, bool) {
		l := location(name)
		return item{cat: c, zone: l}, l != nil
	}
}

// inZone reads a time on the clock of another zone.
func (p *parse) inZone(it *item, zone *time.Location) item {
	out := *it
	out.zone = zone
	out.s = p.zoned(it.s, zone)
	if it.dated != nil {
		out.dated = p.zoned(it.dated, zone)
	}
	return out
}

// unzoned takes a time of day back to its own clock.
func unzoned(it *item) item {
	if it.zone == nil {
		return *it
	}
	return clockAt(it.sec, it.g, it.half)
}

func inZoneRule(p *parse, a []*item) (item, bool) {
	if !a[0].is(cClock|cMoment|cRange) || a[0].zone != nil || a[0].is(cNow) {
		return item{}, false
	}
	return p.inZone(a[0], a[1].zone), true
}

var zonedRules = []entry{
	{"<clock|moment|range> <zone>", inZoneRule}, {"<clock|moment|range> [in] <city> [time]", inZoneRule}, {"<clock|moment|range> ( <zone> )", inZoneRule}, {"<clock|moment|range> in <zone>", inZoneRule},
	{"<soft|hour12> <zone>", func(p *parse, a []*item) (item, bool) {
		c := asClock(a[0])
		it, ok := inZoneRule(p, []*item{&c, a[1]})
		return it, ok && a[1].zone.String() != "AST" && !isCommon[p.toks[p.to-1].text]
	}},
	{"<hour12|soft> <city> time", func(p *parse, a []*item) (item, bool) { c := asClock(a[0]); return inZoneRule(p, []*item{&c, a[1]}) }},
	{"gmt|utc + <hour>", offsetZone(1)}, {"gmt|utc - <hour>", offsetZone(-1)},
}

// isCommon are zone names that are words as well.
var isCommon = map[string]bool{"west": true, "eat": true, "cat": true, "wet": true, "art": true, "mt": true, "pt": true, "ct": true, "et": true, "z": true, "hst": true, "mst": true, "central": true, "mountain": true, "pacific": true, "eastern": true}

func offsetZone(sign int) build {
	return func(_ *parse, a []*item) (item, bool) {
		return item{cat: cZone, zone: time.FixedZone("", sign*int(a[0].n)*anHour)}, a[0].n <= 14
	}
}

// offset reads "Z", "+02:00", "-0500" or "+02" glued behind a timestamp at token i.
func (p *parse) offset(i int) (*time.Location, int, bool) {
	if p.glued(i, "z") {
		return time.UTC, i + 1, true
	}
	sign := 1
	switch {
	case p.glued(i, "-"):
		sign = -1
	case !p.glued(i, "+"):
		return nil, 0, false
	}
	if !p.gluedDigits(i + 1) {
		return nil, 0, false
	}
	h := p.toks[i+1]
	secs, next := h.n*anHour, i+2
	switch {
	case h.digits == 4:
		secs = h.n/100*anHour + h.n%100*aMinute
	case h.digits != 2:
		return nil, 0, false
	case p.glued(i+2, ":") && p.gluedDigits(i+3):
		secs, next = secs+p.toks[i+3].n*aMinute, i+4
	}
	return time.FixedZone("", sign*secs), next, secs <= 15*anHour
}
