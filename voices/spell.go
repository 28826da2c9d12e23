package voices

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A spelling finds one kind of written thing and says it in words; the order matters, the more
// particular first.
type spelling struct {
	find *regexp.Regexp
	say  func(m []string) string
}

const (
	num    = `(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)`
	signed = `([-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?))`
)

var spellings = []spelling{
	{regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?\b`), sayDate},
	{regexp.MustCompile(`\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AaPp])\.?[Mm]\b\.?)?`), sayClock},
	{regexp.MustCompile(`\b(\d{1,2})\s*([AaPp])\.?[Mm]\b\.?`), func(m []string) string { return number(m[1]) + " " + meridiem(m[2]) }},
	{regexp.MustCompile(`([$€£¥])\s?` + num + `(?:\s(thousand|million|billion|trillion))?`), func(m []string) string { return money(m[1], m[2], m[3]) }},
	{regexp.MustCompile(num + `\s?(€|£|¥|EUR|USD|GBP)(?:\b|$)?`), func(m []string) string { return money(m[2], m[1], "") }},
	{regexp.MustCompile(signed + `\s?%`), func(m []string) string { return number(m[1]) + " percent" }},
	{regexp.MustCompile(signed + `\s?°\s?([CF])\b`), func(m []string) string {
		return plural(m[1], "degree", "degrees") + map[string]string{"C": " Celsius", "F": " Fahrenheit"}[m[2]]
	}},
	{regexp.MustCompile(signed + `\s?°`), func(m []string) string { return plural(m[1], "degree", "degrees") }},
	{regexp.MustCompile(`\b` + num + `\s?(km/h|m/s|km²|m²|m³|kWh|mAh|GHz|MHz|kHz|Hz|km|cm|mm|kg|mg|ml|GB|MB|KB|kB|TB|mph|lbs|lb|oz|ft|kW|ms|min|mins|hrs|hr|sec|m|g|l|L|W|V|s|h)\b`), func(m []string) string {
		u := units[m[2]]
		return plural(m[1], u[0], u[1])
	}},
	{regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December)\s(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4}))?\b`), func(m []string) string {
		return strings.TrimSpace(m[1] + " " + Ordinal(small(m[2])) + year(m[3]))
	}},
	{regexp.MustCompile(`\b(in|since|from|until|of|year) ([12]\d{3})\b`), func(m []string) string { return m[1] + " " + Year(small(m[2])) }},
	{regexp.MustCompile(`\b(\d+)(?:st|nd|rd|th)\b`), func(m []string) string { return Ordinal(small(m[1])) }},
	{regexp.MustCompile(`\b(\d+)\s?[-–]\s?(\d+)\b`), func(m []string) string { return number(m[1]) + " to " + number(m[2]) }},
	{regexp.MustCompile(`(^|[\s(=])[-−]` + num), func(m []string) string { return m[1] + "minus " + number(m[2]) }},
	{regexp.MustCompile(num), func(m []string) string { return number(m[1]) }},
	{regexp.MustCompile(`(\w)\s?([+×÷=<>])\s?(\w)`), func(m []string) string { return m[1] + " " + signs[m[2]] + " " + m[3] }},
	{regexp.MustCompile(`\s?&\s?`), func([]string) string { return " and " }},
	{regexp.MustCompile(`\be\.g\.,?`), func([]string) string { return "for example" }},
	{regexp.MustCompile(`\bi\.e\.,?`), func([]string) string { return "that is" }},
	{regexp.MustCompile(`\betc\.`), func([]string) string { return "and so on" }},
}

func spellOut(text string) string {
	for _, s := range spellings {
		text = s.find.ReplaceAllStringFunc(text, func(found string) string {
			return s.say(s.find.FindStringSubmatch(found))
		})
	}
	return text
}

var signs = map[string]string{"+": "plus", "×": "times", "÷": "divided by", "=": "equals", "<": "is less than", ">": "is more than"}

var units = map[string][2]string{
	"km/h": {"kilometer per hour", "kilometers per hour"}, "m/s": {"meter per second", "meters per second"},
	"km²": {"square kilometer", "square kilometers"}, "m²": {"square meter", "square meters"}, "m³": {"cubic meter", "cubic meters"},
	"km": {"kilometer", "kilometers"}, "m": {"meter", "meters"}, "cm": {"centimeter", "centimeters"}, "mm": {"millimeter", "millimeters"},
	"kg": {"kilogram", "kilograms"}, "g": {"gram", "grams"}, "mg": {"milligram", "milligrams"},
	"ml": {"milliliter", "milliliters"}, "l": {"liter", "liters"}, "L": {"liter", "liters"},
	"TB": {"terabyte", "terabytes"}, "GB": {"gigabyte", "gigabytes"}, "MB": {"megabyte", "megabytes"}, "KB": {"kilobyte", "kilobytes"}, "kB": {"kilobyte", "kilobytes"},
	"GHz": {"gigahertz", "gigahertz"}, "MHz": {"megahertz", "megahertz"}, "kHz": {"kilohertz", "kilohertz"}, "Hz": {"hertz", "hertz"},
	"kWh": {"kilowatt hour", "kilowatt hours"}, "kW": {"kilowatt", "kilowatts"}, "W": {"watt", "watts"}, "V": {"volt", "volts"}, "mAh": {"milliampere hour", "milliampere hours"},
	"mph": {"mile per hour", "miles per hour"}, "lb": {"pound", "pounds"}, "lbs": {"pound", "pounds"}, "oz": {"ounce", "ounces"}, "ft": {"foot", "feet"},
	"ms": {"millisecond", "milliseconds"}, "s": {"second", "seconds"}, "sec": {"second", "seconds"}, "min": {"minute", "minutes"}, "mins": {"minute", "minutes"},
	"h": {"hour", "hours"}, "hr": {"hour", "hours"}, "hrs": {"hour", "hours"},
}

var coins = map[string][4]string{
	"$": {"dollar", "dollars", "cent", "cents"}, "USD": {"dollar", "dollars", "cent", "cents"},
	"€": {"euro", "euros", "cent", "cents"}, "EUR": {"euro", "euros", "cent", "cents"},
	"£": {"pound", "pounds", "penny", "pence"}, "GBP": {"pound", "pounds", "penny", "pence"}, "¥": {"yen", "yen", "sen", "sen"},
}

func money(sign, amount, scale string) string {
	c := coins[sign]
	if scale != "" {
		return number(amount) + " " + scale + " " + c[1]
	}
	whole, part, _ := strings.Cut(strings.ReplaceAll(amount, ",", ""), ".")
	if len(part) != 2 {
		return plural(amount, c[0], c[1])
	}
	cents := plural(strings.TrimPrefix(part, "0"), c[2], c[3])
	switch {
	case part == "00":
		return plural(whole, c[0], c[1])
	case whole == "0":
		return cents
	}
	return plural(whole, c[0], c[1]) + " and " + cents
}

func plural(amount, one, many string) string {
	if amount == "1" {
		return "one " + one
	}
	return number(amount) + " " + many
}

func meridiem(letter string) string { return strings.ToUpper(letter) + " M" }

func sayClock(m []string) string {
	h, minute := small(m[1]), small(m[2])
	if h > 24 || minute > 59 {
		return number(m[1]) + " " + number(m[2])
	}
	said := Cardinal(h)
	switch {
	case minute == 0 && m[4] == "" && h != 0:
		said += " o'clock"
	case minute == 0:
	case minute < 10:
		said += " oh " + ones[minute]
	default:
		said += " " + Cardinal(minute)
	}
	if s := small(m[3]); m[3] != "" && s > 0 {
		said += " and " + plural(strconv.FormatUint(s, 10), "second", "seconds")
	}
	if m[4] != "" {
		said += " " + meridiem(m[4])
	}
	return said
}

func sayDate(m []string) string {
	month := small(m[2])
	if month < 1 || month > 12 {
		return digits(m[0])
	}
	said := time.Month(month).String() + " " + Ordinal(small(m[3])) + year(m[1])
	if m[4] != "" {
		said += " at " + sayClock([]string{"", m[4], m[5], "", ""})
	}
	return said
}

func year(s string) string {
	if s == "" {
		return ""
	}
	return ", " + Year(small(s))
}

func small(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64) // the patterns only let digits through; more than fit in 64 bits read as the largest
	return n
}
