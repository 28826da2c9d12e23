package wer

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normal is text in the one way of writing: lower case, without marks, accents, what stands in brackets, and fillers such
// as "um"; short forms in full ("it's" is "it is", "gonna" is "going to"); numbers in figures ("twenty one" and "21st" are
// "21" and "21st"), and signs of money and percent as words behind their number.
func Normal(text string) []string {
	text = strings.ToLower(bracketed.ReplaceAllString(text, " "))
	text = strings.NewReplacer("’", "'", "ʼ", "'", "`", "'", "–", "-", "—", " ", "…", " ").Replace(text)
	text = bare(money.ReplaceAllStringFunc(text, behind))
	text = grouped.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, ",", "") })
	var words []string
	for w := range strings.FieldsFuncSeq(text, divides) {
		if w = strings.Trim(w, ".'"); w == "" || fillers[w] {
			continue
		}
		words = append(words, strings.Fields(full(w))...)
	}
	return figures(words)
}

var (
	bracketed = regexp.MustCompile(`\[[^\]]*\]|\([^)]*\)|<[^>]*>`)
	money     = regexp.MustCompile(`[$£€]\s?[0-9][0-9.,]*( (hundred|thousand|million|billion))?|[0-9] ?%`)
	grouped   = regexp.MustCompile(`[0-9]{1,3}(,[0-9]{3})+`)
)

// behind puts a sign behind its number, as a word.
func behind(s string) string {
	if n, ok := strings.CutSuffix(s, "%"); ok {
		return strings.TrimSpace(n) + " percent "
	}
	for sign, word := range map[string]string{"$": "dollars", "£": "pounds", "€": "euros"} {
		if n, ok := strings.CutPrefix(s, sign); ok {
			n = strings.TrimRight(strings.TrimSpace(n), ".,")
			return n + " " + word + " "
		}
	}
	return s
}

// bare is text without accents.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}

// divides says that a rune stands between words. A point may stand in a number, an apostrophe in a word.
func divides(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '.'
}

var fillers = map[string]bool{"hm": true, "hmm": true, "mm": true, "mmm": true, "mhm": true, "mmhm": true, "uh": true, "um": true, "uhm": true, "er": true, "erm": true, "ah": true, "eh": true}

// short forms; the endings are tried where the whole word is not here.
var short = map[string]string{
	"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not", "let's": "let us", "ain't": "is not", "y'all": "you all", "ma'am": "madam",
	"gonna": "going to", "wanna": "want to", "gotta": "got to", "gimme": "give me", "lemme": "let me", "dunno": "do not know", "kinda": "kind of", "'cause": "because", "o'clock": "oclock",
	"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint", "prof": "professor", "vs": "versus", "etc": "et cetera", "ok": "okay",
}

var endings = []struct{ end, word string }{
	{"n't", " not"}, {"'re", " are"}, {"'ve", " have"}, {"'ll", " will"}, {"'d", " would"}, {"'m", " am"},
}

// is tells the words whose 's is "is": that of a name may as well be its owner's.
var is = map[string]bool{"it": true, "he": true, "she": true, "that": true, "there": true, "here": true, "what": true, "who": true, "where": true, "when": true, "how": true}

func full(w string) string {
	if long, ok := short[w]; ok {
		return long
	}
	for _, e := range endings {
		if head, ok := strings.CutSuffix(w, e.end); ok && head != "" {
			return full(head) + e.word
		}
	}
	if head, ok := strings.CutSuffix(w, "'s"); ok {
		if is[head] {
			return head + " is"
		}
		return head + "s"
	}
	w = strings.ReplaceAll(w, "'", "")
	if !strings.ContainsAny(w, "0123456789") {
		w = strings.ReplaceAll(w, ".", " ") // a sentence that ends without a space behind it
		if letters := strings.Fields(w); len(letters) > 1 && len(strings.Join(letters, "")) == len(letters) {
			return strings.Join(letters, "") // u.s. is us
		}
	}
	return w
}
