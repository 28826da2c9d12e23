package wer

import (
	"strconv"
	"strings"
)

var small = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
	"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100, "thousandth": 1000,
}

var scales = map[string]int{"thousand": 1e3, "million": 1e6, "billion": 1e9}

// figures writes numbers in figures: "one hundred and five" is "105", "nineteen ninety nine" "1999", "two point five" "2.5",
// "twenty first" "21st", "3 million" "3000000".
func figures(words []string) []string {
	out := make([]string, 0, len(words))
	for len(words) > 0 {
		n, used := number(words)
		if used == 0 {
			out, words = append(out, words[0]), words[1:]
			continue
		}
		out, words = append(out, n), words[used:]
	}
	return out
}

// number reads the number that words begin with; used is 0 where they begin with none.
func number(words []string) (text string, used int) {
	total, part, order, used := 0, -1, false, 0
	for used < len(words) && !order {
		w := words[used]
		n, isSmall := small[w]
		nth, isNth := ordinals[w]
		digits, err := strconv.Atoi(w)
		switch scale, isScale := scales[w]; {
		case isNth && fits(part, nth) && !(w == "second" && part < 0):
			part, order = join(part, nth), true
		case w == "hundred" && part > 0 && part < 100:
			part *= 100
		case isScale && part > 0 && part < 1e6 && (total == 0 || total >= scale*1000):
			total, part = total+part*scale, -1
		case w == "and" && part > 0 && part%100 == 0 && used+1 < len(words) && isPart(words[used+1]):
		case isSmall && fits(part, n):
			part = join(part, n)
		case isSmall && total == 0 && n >= 10 && part >= 10 && part < 100 && !order: // a year, or a time
			rest, more := number(words[used:])
			if year, err := strconv.Atoi(rest); err == nil && year >= 10 && year < 100 {
				return strconv.Itoa(part*100 + year), used + more
			}
			return strconv.Itoa(part), used
		case err == nil && used == 0 && len(w) < 10 && (len(w) == 1 || w[0] != '0'):
			part = digits
		default:
			return finish(words, total, part, order, used)
		}
		used++
	}
	return finish(words, total, part, order, used)
}

func isPart(w string) bool { _, a := small[w]; _, b := ordinals[w]; return a || b }

// fits says that a number below a hundred may follow: "twenty" before "one", "one hundred" before "ten".
func fits(part, n int) bool {
	switch {
	case part < 0:
		return true
	case n >= 100:
		return false
	case part%100 == 0 && part > 0:
		return n > 0
	}
	return part%10 == 0 && part%100 >= 20 && n > 0 && n < 10
}

func join(part, n int) int { return max(part, 0) + n }

// finish puts a number into writing, with its decimals.
func finish(words []string, total, part int, order bool, used int) (string, int) {
	for used > 0 && words[used-1] == "and" {
		used--
	}
	if used == 0 || total == 0 && part < 0 {
		return "", 0
	}
	n := total + max(part, 0)
	text := strconv.Itoa(n)
	if order {
		return text + suffix(n), used
	}
	if used+1 < len(words) && words[used] == "point" {
		decimals := ""
		at := used + 1
		for ; at < len(words); at++ {
			d, ok := small[words[at]]
			if !ok || d > 9 {
				break
			}
			decimals += strconv.Itoa(d)
		}
		if decimals != "" {
			return strings.TrimSuffix(text, ".") + "." + decimals, at
		}
	}
	return text, used
}

func suffix(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
		return "th"
	case n%10 == 1:
		return "st"
	case n%10 == 2:
		return "nd"
	case n%10 == 3:
		return "rd"
	}
	return "th"
}
