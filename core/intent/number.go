package intent

import (
	"strconv"
	"strings"
)

var ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
var tens = strings.Fields("zero ten twenty thirty forty fifty sixty seventy eighty ninety")

// ordinals are spoken day numbers, 1 to 31.
var ordinals = strings.Split(",first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth,eleventh,twelfth,thirteenth,fourteenth,fifteenth,"+
	"sixteenth,seventeenth,eighteenth,nineteenth,twentieth,twenty first,twenty second,twenty third,twenty fourth,twenty fifth,twenty sixth,"+
	"twenty seventh,twenty eighth,twenty ninth,thirtieth,thirty first", ",")

// small numbers by their word, and which words may stand in a number.
var (
	numberOf = map[string]float64{"oh": 0, "a": 1, "an": 1, "couple": 2, "dozen": 12}
	counts   = map[string]bool{"hundred": true, "thousand": true, "oh": true}
)

func init() {
	for i, w := range ones {
		numberOf[w], counts[w] = float64(i), true
	}
	for i, w := range tens[2:] {
		numberOf[w], counts[w] = float64(10*(i+2)), true
	}
}

// scanNumber reads the number at the head of words and says how many words it took, 0 for none.
func scanNumber(words []string) (float64, int) {
	if len(words) > 1 && (words[0] == "minus" || words[0] == "negative") {
		v, n := scanNumber(words[1:])
		if n == 0 {
			return 0, 0
		}
		return -v, n + 1
	}
	if v, n := scanFraction(words); n > 0 {
		return v, n
	}
	v, n := scanWhole(words)
	if n < len(words) && words[n] == "dozen" && n > 0 {
		return v * 12, n + 1
	}
	if d, k := scanDecimals(words[n:]); k > 0 {
		text := strconv.FormatFloat(v, 'f', -1, 64) + "." + d
		f, _ := strconv.ParseFloat(text, 64) // digits only, cannot fail
		return f, n + k
	}
	if n == 0 {
		return 0, 0
	}
	if part, k := scanFraction(tail(words, n, "and")); k > 0 {
		return v + part, n + 1 + k
	}
	return v, n
}

// tail is what follows the word link at n, nothing where another word stands there.
func tail(words []string, n int, link string) []string {
	if n < len(words) && words[n] == link {
		return words[n+1:]
	}
	return nil
}

// scanFraction reads "half", "a half", "a quarter", "three quarters" and "half a dozen".
func scanFraction(words []string) (float64, int) {
	text := strings.Join(words[:min(len(words), 3)], " ")
	for _, f := range []struct {
		text  string
		value float64
	}{{"half a dozen", 6}, {"three quarters", 0.75}, {"a quarter", 0.25}, {"one quarter", 0.25}, {"one half", 0.5}, {"a half", 0.5}, {"half", 0.5}, {"quarter", 0.25}} {
		if text == f.text || strings.HasPrefix(text, f.text+" ") {
			return f.value, len(strings.Fields(f.text))
		}
	}
	return 0, 0
}

// scanDecimals reads "point one four" as "14".
func scanDecimals(words []string) (string, int) {
	if len(words) < 2 || words[0] != "point" {
		return "", 0
	}
	var b strings.Builder
	n := 1
	for ; n < len(words); n++ {
		v, ok := numberOf[words[n]]
		if !ok || !counts[words[n]] || b.Len() > 9 {
			break
		}
		b.WriteString(strconv.Itoa(int(v)))
	}
	if n == 1 {
		return "", 0
	}
	return b.String(), n
}

// scanWhole reads a whole number: "a hundred and five", "twenty five", "two thousand".
func scanWhole(words []string) (float64, int) {
	var total, part float64
	last, n := 0.0, 0 // last is the size of the word before, so that "five twenty" is two numbers
	for n < len(words) {
		w := words[n]
		v, ok := numberOf[w]
		switch {
		case w == "a" && n == 0 && len(words) > 1 && (words[1] == "hundred" || words[1] == "thousand" || words[1] == "million" || words[1] == "dozen"):
			part, last = 1, 1
		case w == "and" && n > 0 && last >= 100 && n+1 < len(words) && counts[words[n+1]] && words[n+1] != "hundred":
		case w == "hundred" && n > 0 && last < 100:
			part, last = part*100, 100
		case (w == "thousand" || w == "million") && n > 0 && last < 1000:
			total, part, last = total+part*scale[w], 0, scale[w]
		case ok && counts[w] && w != "oh" && fits(v, last, n):
			part, last = part+v, max(v, 1)
		default:
			return total + part, n
		}
		n++
	}
	return total + part, n
}

var scale = map[string]float64{"thousand": 1000, "million": 1e6}

// fits says that a number word of value v may follow one of size last.
func fits(v, last float64, n int) bool {
	return n == 0 || v > 0 && (last >= 100 || last >= 20 && v < 10)
}

// number writes the words as a decimal, false where they are not one number.
func number(words []string) (string, bool) {
	v, n := scanNumber(words)
	if n == 0 || n != len(words) {
		return "", false
	}
	return decimal(v), true
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// amount is a number in front of a unit: "half a", "a", "two and a half".
func amount(words []string) (string, bool) {
	for len(words) > 1 && (words[len(words)-1] == "a" || words[len(words)-1] == "an" || words[len(words)-1] == "of") {
		words = words[:len(words)-1]
	}
	if len(words) == 1 && (words[0] == "a" || words[0] == "an" || words[0] == "the") {
		return "1", true
	}
	return number(words)
}

// less is a number taken away.
func less(words []string) (string, bool) {
	v, ok := percentage(words)
	if !ok || strings.HasPrefix(v, "-") {
		return "", false
	}
	return "-" + v, true
}

// percentage is a number of percent; "half" is fifty.
func percentage(words []string) (string, bool) {
	if len(words) == 1 && words[0] == "half" {
		return "50", true
	}
	return number(words)
}
