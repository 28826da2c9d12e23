package tool

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// List joins words for the ear: "a", "a and b", "a, b and c".
func List(words []string) string { return join(words, "and") }

// Either joins words for a choice: "a or b".
func Either(words []string) string { return join(words, "or") }

func join(words []string, with string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + with + " " + words[n-1]
}

// Some joins at most n words and counts the rest: "a, b, c and 3 more".
func Some(words []string, n int) string {
	if rest := len(words) - n; rest > 0 {
		words = append(append([]string{}, words[:n]...), fmt.Sprintf("%d more", rest))
	}
	return List(words)
}

// Count words a number with its regular noun: "1 timer", "3 timers".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Upper makes the first letter of a sentence a capital.
func Upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Ordinal words a place in a row: "1st", "22nd", "13th".
func Ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}

// Trim takes the end of a sentence and a word off its front that only led to it, such as "that" or "to".
func Trim(s string, leads ...string) string {
	s = strings.TrimRight(strings.Join(strings.Fields(s), " "), " .!?,;:")
	for _, lead := range leads {
		if n := len(lead) + 1; len(s) > n && strings.EqualFold(s[:n], lead+" ") {
			return s[n:]
		}
	}
	return s
}
