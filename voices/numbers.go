package voices

import (
	"strconv"
	"strings"
)

var ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
var tens = strings.Fields("_ _ twenty thirty forty fifty sixty seventy eighty ninety")

var scales = []struct {
	size uint64
	name string
}{{1e18, "quintillion"}, {1e15, "quadrillion"}, {1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}, {1e3, "thousand"}, {100, "hundred"}}

// Cardinal is n in English words: 142 is "one hundred and forty two".
func Cardinal(n uint64) string {
	switch {
	case n < 20:
		return ones[n]
	case n < 100:
		if n%10 == 0 {
			return tens[n/10]
		}
		return tens[n/10] + " " + ones[n%10]
	}
	for _, s := range scales {
		if n < s.size {
			continue
		}
		head := Cardinal(n/s.size) + " " + s.name
		rest := n % s.size
		switch {
		case rest == 0:
			return head
		case rest < 100:
			return head + " and " + Cardinal(rest)
		}
		return head + " " + Cardinal(rest)
	}
	return ""
}

var oddOrdinals = map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}

// Ordinal is the nth in English words: 21 is "twenty first".
func Ordinal(n uint64) string {
	words := Cardinal(n)
	head, last := "", words
	if i := strings.LastIndexByte(words, ' '); i >= 0 {
		head, last = words[:i+1], words[i+1:]
	}
	switch {
	case oddOrdinals[last] != "":
		last = oddOrdinals[last]
	case strings.HasSuffix(last, "y"):
		last = strings.TrimSuffix(last, "y") + "ieth"
	default:
		last += "th"
	}
	return head + last
}

// Year is how a year is read: 1984 "nineteen eighty four", 2005 "two thousand and five".
func Year(n uint64) string {
	high, low := n/100, n%100
	switch {
	case n < 1000 || n > 2999 || n%1000 < 10:
		return Cardinal(n)
	case low == 0:
		return Cardinal(high) + " hundred"
	case low < 10:
		return Cardinal(high) + " oh " + ones[low]
	}
	return Cardinal(high) + " " + Cardinal(low)
}

// number reads a decimal written in digits, with or without sign, thousands' commas and a fraction.
func number(s string) string {
	s = strings.ReplaceAll(s, ",", "")
	var out strings.Builder
	if t := strings.TrimLeft(s, "-−"); t != s {
		out.WriteString("minus ")
		s = t
	}
	whole, part, point := strings.Cut(s, ".")
	if n, err := strconv.ParseUint(whole, 10, 64); err == nil && (len(whole) == 1 || whole[0] != '0') {
		out.WriteString(Cardinal(n))
	} else {
		out.WriteString(digits(whole)) // too long, or a code such as 007
	}
	if point && part != "" {
		out.WriteString(" point " + digits(part))
	}
	return strings.TrimSpace(out.String())
}

// digits reads one digit after the other.
func digits(s string) string {
	var out []string
	for _, r := range s {
		if r >= '0' && r <= '9' {
			out = append(out, ones[r-'0'])
		}
	}
	return strings.Join(out, " ")
}
