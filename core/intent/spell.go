package intent

import (
	"strconv"
	"strings"
	"unicode"
)

// spell gives the words that a token is spoken as, none for a hesitation or bare punctuation.
func spell(token string) []string {
	t := trim(token)
	switch {
	case t == "" || hesitation[t]:
		return nil
	case len(t) == 1 && signs[t[0]] != "" || t == "**":
		return strings.Fields(sign(t))
	case strings.ContainsAny(t, "0123456789"):
		return spellDigits(t)
	case meridiem[t] != "":
		return strings.Fields(meridiem[t])
	}
	if long := contraction[t]; long != "" {
		return strings.Fields(long)
	}
	t = strings.Trim(t, "()*/&-")
	if strings.ContainsAny(t, "-/") {
		var out []string
		for _, p := range strings.FieldsFunc(t, func(r rune) bool { return r == '-' || r == '/' }) {
			out = append(out, spell(p)...)
		}
		return out
	}
	if t == "" {
		return nil
	}
	return []string{t}
}

var signs = [128]string{'+': "plus", '*': "times", '/': "over", '&': "and", '%': "percent", '^': "to the power of", '(': "(", ')': ")", '-': "minus"}

func sign(t string) string {
	if t == "**" {
		return "to the power of"
	}
	return signs[t[0]]
}

var hesitation = set("um umm uh uhh uhm er err erm eh ah hm hmm hmmm mm mmm")

var meridiem = map[string]string{"pm": "p.m.", "p.m": "p.m.", "a.m": "a.m.", "oclock": "o'clock", "ok": "okay", "o.k": "okay", "k": "k",
	"alright": "all right", "pls": "please", "plz": "please", "thx": "thanks", "cya": "goodbye", "tmrw": "tomorrow", "tmr": "tomorrow", "tonite": "tonight"}

// contraction holds short forms and what they stand for. A grammar offers both.
var contraction = map[string]string{
	"what's": "what is", "whats": "what is", "what're": "what are", "what'd": "what did", "who's": "who is", "whos": "who is", "who're": "who are", "how's": "how is",
	"when's": "when is", "whens": "when is", "where's": "where is", "it's": "it is", "that's": "that is", "thats": "that is", "there's": "there is", "here's": "here is",
	"let's": "let us", "lets": "let us", "name's": "name is", "time's": "time is", "date's": "date is",
	"i'd": "i would", "i'll": "i will", "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have",
	"you're": "you are", "youre": "you are", "you'd": "you would", "you'll": "you will", "you've": "you have", "we're": "we are", "we'll": "we will", "we've": "we have",
	"don't": "do not", "dont": "do not", "doesn't": "does not", "didn't": "did not", "didnt": "did not", "can't": "can not", "cant": "can not", "cannot": "can not", "won't": "will not",
	"isn't": "is not", "aren't": "are not", "wasn't": "was not", "couldn't": "could not", "wouldn't": "would not", "shouldn't": "should not", "haven't": "have not", "hasn't": "has not",
	"they're": "they are", "how'd": "how would", "wanna": "want to", "gonna": "going to", "gotta": "got to", "gimme": "give me", "lemme": "let me", "y'all": "you all",
	"nevermind": "never mind", "do's": "dos", "goodnight": "good night", "goodmorning": "good morning", "anymore": "any more", "thankyou": "thank you", "todo": "to do", "todos": "to dos", "kinda": "kind of",
}

// spellDigits speaks a token with digits in it: "7:30pm", "2.5kg", "1,200", "3rd", "(3+4)*2", "$20".
func spellDigits(t string) []string {
	var out []string
	money := ""
	for i := 0; i < len(t); {
		c := t[i]
		switch {
		case isDigit(c) || c == '.' && i+1 < len(t) && isDigit(t[i+1]):
			var words []string
			words, i = spellNumber(t, i)
			out = append(out, words...)
		case c == '$':
			money = "dollars"
			i++
		case strings.HasPrefix(t[i:], "°"):
			out = append(out, "degrees")
			i += len("°")
		case c == '-' && len(out) > 0 && i+1 < len(t) && unicode.IsLetter(rune(t[i+1])):
			i++ // "5-minute"
		case c < 128 && signs[c] != "":
			out = append(out, strings.Fields(signs[c])...)
			i++
		case c == 'x' && len(out) > 0 && i+1 < len(t) && isDigit(t[i+1]):
			out = append(out, "times")
			i++
		case unicode.IsLetter(rune(c)) || c >= 128:
			j := i
			for j < len(t) && !isDigit(t[j]) && (t[j] >= 128 && t[j] != 0xc2 || unicode.IsLetter(rune(t[j])) || t[j] == '.' || t[j] == '\'') {
				j++
			}
			if j == i {
				j++
			}
			out = append(out, spell(t[i:j])...)
			i = j
		default:
			i++
		}
	}
	if money != "" {
		out = append(out, money)
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// spellNumber speaks the number, clock time or ordinal at t[i:] and returns where it ends.
func spellNumber(t string, i int) ([]string, int) {
	j := i
	for j < len(t) && (isDigit(t[j]) || t[j] == ',' && j+3 < len(t) && isDigit(t[j+1]) && isDigit(t[j+2]) && isDigit(t[j+3])) {
		j++
	}
	digits := strings.ReplaceAll(t[i:j], ",", "")
	if j+2 < len(t) && t[j] == ':' && isDigit(t[j+1]) && isDigit(t[j+2]) && len(digits) <= 2 {
		return spellClock(digits, t[j+1:j+3]), j + 3
	}
	if len(t) >= j+2 && ordinalEnd[t[j:j+2]] && (len(t) == j+2 || !unicode.IsLetter(rune(t[j+2]))) {
		return ordinalWords(digits), j + 2
	}
	var out []string
	if digits != "" {
		out = wholeWords(digits)
	}
	if j+1 < len(t) && t[j] == '.' && isDigit(t[j+1]) {
		out = append(out, "point")
		for j++; j < len(t) && isDigit(t[j]); j++ {
			out = append(out, ones[t[j]-'0'])
		}
	}
	return out, j
}

var ordinalEnd = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

func spellClock(hour, minute string) []string {
	out := wholeWords(strings.TrimLeft(hour, "0"))
	if strings.Trim(hour, "0") == "" {
		out = []string{"zero"}
	}
	switch {
	case minute == "00":
		return append(out, "o'clock")
	case minute[0] == '0':
		return append(out, "oh", ones[minute[1]-'0'])
	}
	return append(out, wholeWords(minute)...)
}

// wholeWords speaks a whole number below a billion; a longer one digit by digit.
func wholeWords(digits string) []string {
	n, err := strconv.Atoi(digits)
	if err != nil || n >= 1e9 || len(digits) > 1 && digits[0] == '0' {
		var out []string
		for i := range len(digits) {
			out = append(out, ones[digits[i]-'0'])
		}
		return out
	}
	return speakWhole(n)
}

func speakWhole(n int) []string {
	var out []string
	for _, step := range []struct {
		size int
		name string
	}{{1e6, "million"}, {1000, "thousand"}, {100, "hundred"}} {
		if n >= step.size {
			out = append(append(out, speakWhole(n/step.size)...), step.name)
			n %= step.size
			if n == 0 {
				return out
			}
		}
	}
	if n < 20 {
		return append(out, ones[n])
	}
	out = append(out, tens[n/10])
	if n%10 > 0 {
		out = append(out, ones[n%10])
	}
	return out
}

func ordinalWords(digits string) []string {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n >= len(ordinals) {
		return wholeWords(digits)
	}
	return strings.Fields(ordinals[n])
}
