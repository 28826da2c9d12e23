package when

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rule is a recurrence as RFC 5545 writes it.
type rule struct {
	freq      string
	interval  int
	months    []int
	monthDays []int
	days      []int // 0 is Monday
	nth       int   // of the weekday in its month: 2TU, -1FR
	hours     []int
	minute    int
	timed     bool
	count     int
	until     time.Time
	part      *item // "every morning"
}

var dayCodes = [7]string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

func (r *rule) String() string {
	var b strings.Builder
	b.WriteString("FREQ=" + r.freq)
	if r.interval > 1 {
		fmt.Fprintf(&b, ";INTERVAL=%d", r.interval)
	}
	list(&b, "BYMONTH", r.months)
	list(&b, "BYMONTHDAY", r.monthDays)
	r.writeDays(&b)
	if r.timed {
		list(&b, "BYHOUR", r.hours)
		fmt.Fprintf(&b, ";BYMINUTE=%d", r.minute)
	}
	if r.count > 0 {
		fmt.Fprintf(&b, ";COUNT=%d", r.count)
	}
	if !r.until.IsZero() {
		b.WriteString(";UNTIL=" + r.until.UTC().Format("20060102T150405Z"))
	}
	return b.String()
}

func (r *rule) writeDays(b *strings.Builder) {
	for i, d := range r.days {
		sep := ","
		if i == 0 {
			sep = ";BYDAY="
		}
		b.WriteString(sep)
		if r.nth != 0 {
			b.WriteString(strconv.Itoa(r.nth))
		}
		b.WriteString(dayCodes[d])
	}
}

func list(b *strings.Builder, name string, values []int) {
	for i, v := range values {
		if i == 0 {
			fmt.Fprintf(b, ";%s=%d", name, v)
		} else {
			fmt.Fprintf(b, ",%d", v)
		}
	}
}

// with is a copy that may be changed.
func (r *rule) with(change func(*rule)) *rule {
	c := *r
	c.hours, c.days = slices.Clone(r.hours), slices.Clone(r.days)
	change(&c)
	return &c
}

// onDays is the series of the rule's weekdays.
type onDays []int

func (o onDays) next(t wall) (span, bool) {
	day := t.midnight()
	if day < t {
		day += aDay
	}
	for range 7 {
		if slices.Contains(o, day.weekday()) {
			return unit(day, gDay), true
		}
		day += aDay
	}
	return span{}, false
}

func (o onDays) prev(t wall) (span, bool) {
	day := (t - 1).midnight()
	for range 7 {
		if slices.Contains(o, day.weekday()) {
			return unit(day, gDay), true
		}
		day -= aDay
	}
	return span{}, false
}
