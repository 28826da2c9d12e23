package when

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ErrLength says that a duration has no fixed length, because it counts months or years.
var ErrLength = errors.New("months and years have no fixed length")

// ParseISO reads an ISO 8601 duration such as "PT1H30M", "P1DT12H", "P2W" or "PT0.5S".
// A day is 24 hours. Months and years give ErrLength.
func ParseISO(s string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(s, "-")
	rest, ok := strings.CutPrefix(rest, "P")
	if !ok || rest == "" || strings.HasSuffix(rest, "T") {
		return 0, fmt.Errorf("reading duration %q: not ISO 8601", s)
	}
	total, clock, last := 0.0, false, ""
	for rest != "" {
		if !clock && rest[0] == 'T' {
			clock, rest, last = true, rest[1:], ""
			continue
		}
		var secs float64
		var err error
		if secs, rest, last, err = isoPart(rest, clock, last); err != nil {
			return 0, fmt.Errorf("reading duration %q: %w", s, err)
		}
		total += secs
	}
	if total > math.MaxInt64/1e9-1 {
		return 0, fmt.Errorf("reading duration %q: longer than 292 years", s)
	}
	d := time.Duration(math.Round(total * 1e9))
	if negative {
		d = -d
	}
	return d, nil
}

// isoPart takes one number and its letter off s. Letters must come in falling order of size.
func isoPart(s string, clock bool, last string) (secs float64, rest, letter string, err error) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == ',') {
		i++
	}
	n, err := strconv.ParseFloat(strings.Replace(s[:i], ",", ".", 1), 64)
	if err != nil || i == len(s) {
		return 0, "", "", errors.New("not ISO 8601")
	}
	letter = s[i : i+1]
	order, sizes := "YMWD", map[string]float64{"W": 7 * aDay, "D": aDay}
	if clock {
		order, sizes = "HMS", map[string]float64{"H": anHour, "M": aMinute, "S": 1}
	}
	at := strings.Index(order, letter)
	if at < 0 || last != "" && strings.Index(order, last) >= at {
		return 0, "", "", errors.New("not ISO 8601")
	}
	size, ok := sizes[letter]
	if !ok && n != 0 {
		return 0, "", "", ErrLength
	}
	return n * size, s[i+1:], letter, nil
}

// FormatISO writes d as an ISO 8601 duration of hours, minutes and seconds: "PT36H", "PT1H30M", "PT0S".
// What is finer than a nanosecond does not exist; a negative d begins with "-".
func FormatISO(d time.Duration) string {
	sign, left := "", uint64(d)
	if d < 0 {
		sign, left = "-", uint64(-d)
	}
	var b strings.Builder
	b.WriteString(sign + "PT")
	if h := left / uint64(time.Hour); h > 0 {
		fmt.Fprintf(&b, "%dH", h)
	}
	if m := left / uint64(time.Minute) % 60; m > 0 {
		fmt.Fprintf(&b, "%dM", m)
	}
	ns := left % uint64(time.Minute)
	if ns == 0 && left != 0 {
		return b.String()
	}
	secs, frac := ns/1e9, ns%1e9
	fmt.Fprintf(&b, "%d", secs)
	if frac > 0 {
		b.WriteString(strings.TrimRight(fmt.Sprintf(".%09d", frac), "0"))
	}
	b.WriteByte('S')
	return b.String()
}
