package rank

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxTerms is how many different words of a question count.
const maxTerms = 48

// Query is a question as ranking reads it. Whatever the text was, its words hold letters and digits alone, so that no
// index can take a part of it for an order.
type Query struct {
	terms []term
	bare  bool // none of its words says which text is meant
}

// term is one word of a question.
type term struct {
	word   string   // folded
	forms  []string // the word and its other forms
	akin   []string // words that often stand for it
	weight float64  // 0 to 1
	month  int      // that it names, 0 for none
	year   int      // that it names, 0 for none
}

// Parse reads a question. Words that say nothing are left out, unless there are no others.
func Parse(text string) Query {
	tokens := Tokens(text)
	q := Query{}
	var kept []string
	for i, w := range tokens {
		if !stop[w] || w == "may" && monthly(tokens, i) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		kept, q.bare = tokens, true
	}
	seen := map[string]int{}
	for i, w := range kept {
		s := Stem(w)
		if at, again := seen[s]; again {
			if !slices.Contains(q.terms[at].forms, w) {
				q.terms[at].forms = append(q.terms[at].forms, w)
			}
			continue
		}
		if len(q.terms) == maxTerms {
			break
		}
		seen[s] = len(q.terms)
		t := termOf(w)
		if i+1 < len(kept) && len(w) >= 3 && len(kept[i+1]) >= 3 {
			t.forms = append(t.forms, w+kept[i+1]) // "tooth paste", where the text has "toothpaste"
		}
		q.terms = append(q.terms, t)
	}
	return q
}

// monthly tells whether the "may" at i is the month.
func monthly(tokens []string, i int) bool {
	if i+1 < len(tokens) && tokens[i+1][0] >= '0' && tokens[i+1][0] <= '9' {
		return true
	}
	return i > 0 && (beforeMonth[tokens[i-1]] || tokens[i-1][0] >= '0' && tokens[i-1][0] <= '9')
}

var beforeMonth = set("in of since until till last next this by during early late mid every around before after")

func termOf(w string) term {
	t := term{word: w, forms: []string{w}, weight: 1}
	t.forms = append(t.forms, sames[Stem(w)]...)
	t.akin = likes[Stem(w)]
	if faint[w] {
		t.weight = faintly
	}
	t.month = slices.Index(months, w)/2 + 1
	if slices.Index(months, w) < 0 {
		t.month = 0
	}
	if n, err := strconv.Atoi(w); err == nil && n >= 1900 && n < 2200 {
		t.year = n
	}
	return t
}

var months = strings.Fields(`january jan february feb march mar april apr may may june jun july jul august aug september sep october oct
	november nov december dec`)

// Empty tells whether there is no word to look for.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// Bare tells whether none of the words says which text is meant: "what was that".
func (q Query) Bare() bool { return q.bare }

// Tokens splits a text into words as full-text indexes do: runs of letters and digits in lower case, without accents.
func Tokens(text string) []string {
	text = fold(text)
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fold is a text in lower case, without accents and apostrophes inside words.
func fold(text string) string {
	ascii := true
	for i := range len(text) {
		if text[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(text)
	}
	text = strings.ToValidUTF8(text, " ")
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}
