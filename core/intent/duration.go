package intent

import (
	"fmt"
	"math"
	"strings"
)

// lengths of the units that a duration is counted in, in seconds.
var lengths = map[string]float64{
	"second": 1, "seconds": 1, "sec": 1, "secs": 1, "s": 1,
	"minute": 60, "minutes": 60, "min": 60, "mins": 60, "m": 60,
	"hour": 3600, "hours": 3600, "hr": 3600, "hrs": 3600, "h": 3600,
	"day": 86400, "days": 86400, "week": 604800, "weeks": 604800, "fortnight": 1209600,
}

// filler stands between a count and its unit: "half an hour", "a quarter of an hour", "five more minutes".
var filler = set("a an of more extra additional full whole long")

// duration writes the words as ISO 8601: "an hour and a half" is "PT1H30M".
func duration(words []string) (string, bool) {
	total, unit := 0.0, 0.0 // unit is the one named last
	for i := 0; i < len(words); {
		if words[i] == "and" {
			i++
			continue
		}
		v, n := scanCount(words[i:])
		if n == 0 {
			return "", false
		}
		i += n
		for i < len(words)-1 && filler[words[i]] {
			i++
		}
		size := 0.0
		if i < len(words) {
			size = lengths[words[i]]
		}
		switch {
		case size > 0:
			i++
			unit = size
			total += v * size
		case unit > 0 && v < 1: // "an hour and a half"
			total += v * unit
		case unit == 3600 || unit == 60: // "an hour thirty"
			total += v * unit / 60
		default:
			return "", false
		}
	}
	if total <= 0 || total > 1000*86400 {
		return "", false
	}
	return iso(total), true
}

// iso writes seconds as an ISO 8601 duration of hours, minutes and seconds, the form that core/when writes too.
func iso(total float64) string {
	ms := int64(math.Round(total * 1000))
	var b strings.Builder
	b.WriteString("PT")
	if h := ms / 3600000; h > 0 {
		fmt.Fprintf(&b, "%dH", h)
	}
	if m := ms / 60000 % 60; m > 0 {
		fmt.Fprintf(&b, "%dM", m)
	}
	if s := float64(ms%60000) / 1000; s > 0 {
		b.WriteString(decimal(s) + "S")
	}
	return b.String()
}

// scanCount is a number in front of a unit of time: "ten", "a", "a couple of", "half".
func scanCount(words []string) (float64, int) {
	if len(words) > 1 && words[0] == "a" && words[1] == "couple" {
		return 2, 2
	}
	if v, n := scanNumber(words); n > 0 {
		return v, n
	}
	if words[0] == "another" {
		if v, n := scanNumber(words[1:]); n > 0 {
			return v, n + 1
		}
	}
	if words[0] == "a" || words[0] == "an" || words[0] == "another" {
		return 1, 1
	}
	return 0, 0
}
