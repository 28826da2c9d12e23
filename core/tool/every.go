package tool

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// Every words a recurrence for the ear: "every weekday at 7 AM", "on the first Monday of every month at noon".
// rule is an RRULE, at one of its times, which gives the time of day where the rule has none.
func Every(rule string, at time.Time) string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimPrefix(rule, "RRULE:")), ";") {
		key, value, _ := strings.Cut(part, "=")
		parts[key] = value
	}
	n, _ := strconv.Atoi(parts["INTERVAL"]) // 0 is as good as 1
	var said string
	clock := true
	switch parts["FREQ"] {
	case "MINUTELY":
		said, clock = each(n, "minute"), false
	case "HOURLY":
		said, clock = each(n, "hour"), false
	case "DAILY":
		said = each(n, "day")
		if parts["BYDAY"] != "" {
			said = weekly(n, parts["BYDAY"])
		}
	case "WEEKLY":
		said = weekly(n, parts["BYDAY"])
		if parts["BYDAY"] == "" {
			said = eachNamed(n, at.Weekday().String(), "week")
		}
	case "MONTHLY":
		said = monthly(n, parts, at)
	case "YEARLY":
		said = yearly(n, parts, at)
	default:
		said = "again and again"
	}
	if clock {
		said += " at " + clocks(parts, at)
	}
	return said + end(parts, at)
}

// each is "every day", "every other day" or "every 3 days".
func each(n int, unit string) string {
	switch {
	case n <= 1:
		return "every " + unit
	case n == 2:
		return "every other " + unit
	}
	return "every " + strconv.Itoa(n) + " " + unit + "s"
}

func eachNamed(n int, name, unit string) string {
	if n <= 2 {
		return each(n, name)
	}
	return each(n, unit) + " on " + name
}

var days = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

func dayName(code string) string {
	if i := slices.Index(days, code); i >= 0 {
		return time.Weekday((i + 1) % 7).String()
	}
	return code
}

func weekly(n int, byday string) string {
	codes := strings.Split(byday, ",")
	slices.SortFunc(codes, func(a, b string) int { return slices.Index(days, a) - slices.Index(days, b) })
	var names []string
	for _, c := range codes {
		names = append(names, dayName(c))
	}
	name := List(names)
	switch {
	case slices.Equal(codes, days):
		return each(n, "day")
	case slices.Equal(codes, days[:5]):
		name = "weekday"
	}
	return eachNamed(n, name, "week")
}

func monthly(n int, parts map[string]string, at time.Time) string {
	return "on " + within(parts, at) + " of " + each(n, "month")
}

func yearly(n int, parts map[string]string, at time.Time) string {
	month := at.Month()
	if m, err := strconv.Atoi(parts["BYMONTH"]); err == nil && m >= 1 && m <= 12 {
		month = time.Month(m)
	}
	if parts["BYDAY"] != "" {
		return each(n, "year") + " on " + within(parts, at) + " of " + month.String()
	}
	day := at.Day()
	if d, err := strconv.Atoi(parts["BYMONTHDAY"]); err == nil && d > 0 {
		day = d
	}
	return each(n, "year") + " on " + month.String() + " " + strconv.Itoa(day)
}

// within is the day within a month: "the 15th", "the last day", "the second Tuesday".
func within(parts map[string]string, at time.Time) string {
	place := parts["BYSETPOS"]
	if byday := parts["BYDAY"]; byday != "" {
		if strings.Count(byday, ",") == 4 && !strings.ContainsAny(byday, "0123456789") && !strings.Contains(byday, "S") {
			return "the " + placed(place) + "weekday"
		}
		var names []string
		for code := range strings.SplitSeq(byday, ",") {
			cut := max(0, len(code)-2)
			names = append(names, "the "+placed(code[:cut]+place)+dayName(code[cut:]))
		}
		return List(names)
	}
	var names []string
	for d := range strings.SplitSeq(parts["BYMONTHDAY"], ",") {
		switch n, err := strconv.Atoi(d); {
		case err != nil:
			names = append(names, "the "+Ordinal(at.Day()))
		case n == -1:
			names = append(names, "the last day")
		case n < 0:
			names = append(names, "the "+Ordinal(-n)+" last day")
		default:
			names = append(names, "the "+Ordinal(n))
		}
	}
	return List(names)
}

// placed is "first " for "1" and "last " for "-1"; "" for none.
func placed(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return ""
	case n == -1:
		return "last "
	case n < 0:
		return Ordinal(-n) + " last "
	case n >= 1 && n <= 5:
		return []string{"first ", "second ", "third ", "fourth ", "fifth "}[n-1]
	}
	return Ordinal(n) + " "
}

// clocks are the times of day: "7 AM", "8 AM and 8 PM".
func clocks(parts map[string]string, at time.Time) string {
	minute := at.Minute()
	if m, err := strconv.Atoi(parts["BYMINUTE"]); err == nil {
		minute = m
	} else if parts["BYHOUR"] != "" {
		minute = 0
	}
	var all []string
	for h := range strings.SplitSeq(parts["BYHOUR"], ",") {
		hour, err := strconv.Atoi(h)
		if err != nil {
			hour = at.Hour()
		}
		all = append(all, when.SayClock(time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC)))
	}
	return List(all)
}

// end is where a recurrence ends: ", 5 times" or " until December 24".
func end(parts map[string]string, at time.Time) string {
	if n, err := strconv.Atoi(parts["COUNT"]); err == nil {
		return ", " + Count(n, "time")
	}
	if until := parts["UNTIL"]; len(until) >= 8 {
		if t, err := time.Parse("20060102", until[:8]); err == nil {
			if t.Year() == at.Year() {
				return t.Format(" until January 2")
			}
			return t.Format(" until January 2, 2006")
		}
	}
	return ""
}
