package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, number or mark of the text.
type token struct {
	start, end int  // bytes in the text
	id         int  // of the word or mark in the vocabulary, 0 for one that no rule knows
	digits     int  // how many, 0 for a word
	n          int  // value of the digits
	glued      bool // nothing stands between it and the token before
	upper      bool // begins with a capital letter
	word       bool // letters
	text       string
}

// vocabulary gives every word that a rule knows a number.
type vocabulary map[string]int

func (v vocabulary) add(word string) int {
	id, ok := v[word]
	if !ok {
		id = len(v) + 1
		v[word] = id
	}
	return id
}

// tokenise cuts text into tokens. Letters and digits part ("3pm" is two), case and apostrophes are dropped,
// "p.m." is one word, a hyphen between words is dropped unless it joins two names of days or months.
func (v vocabulary) tokenise(text string, into []token) []token {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case r >= '0' && r <= '9':
			into = append(into, v.number(text, i))
		case unicode.IsLetter(r):
			into = append(into, v.word(text, i))
		default:
			into = append(into, v.mark(text, i, r, size))
		}
		t := &into[len(into)-1]
		t.glued = len(into) > 1 && into[len(into)-2].end == t.start
		i = t.end
	}
	return v.dropHyphens(into)
}

func (v vocabulary) number(text string, i int) token {
	t := token{start: i, end: i}
	for t.end < len(text) && text[t.end] >= '0' && text[t.end] <= '9' {
		if t.digits < 9 {
			t.n = t.n*10 + int(text[t.end]-'0')
		}
		t.digits++
		t.end++
	}
	t.id = v[text[i:t.end]]
	return t
}

func (v vocabulary) word(text string, i int) token {
	end := i
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) && !(apostrophe(r) && letterAt(text, end+size)) {
			break
		}
		end += size
	}
	if r, size := utf8.DecodeRuneInString(text[end:]); apostrophe(r) && text[end-1] == 's' {
		end += size // "two weeks' time"
	}
	t := token{start: i, end: end, word: true}
	first, _ := utf8.DecodeRuneInString(text[i:])
	t.upper = unicode.IsUpper(first)
	t.text = strings.ToLower(text[i:end])
	if end-i == 1 && end+1 < len(text) && text[end] == '.' && letterAt(text, end+1) && !letterAt(text, end+2) {
		t.end, t.text = end+2, t.text+strings.ToLower(text[end+1:end+2])
		if t.end < len(text) && text[t.end] == '.' && t.end+1 < len(text) {
			t.end++
		}
	}
	t.id = v.lookup(&t, text)
	return t
}

// lookup also finds "o'clock", "mother's", "today's" and a shortened "Feb." that goes on.
func (v vocabulary) lookup(t *token, text string) int {
	if i := strings.IndexFunc(t.text, apostrophe); i >= 0 {
		base := t.text[:i]
		if stems[base] {
			t.text = base
			return v[base]
		}
		t.text = strings.ReplaceAll(strings.ReplaceAll(t.text, "'", ""), "’", "")
		if v[t.text] == 0 && strings.HasSuffix(t.text, "s") {
			t.text = base
		}
	}
	if shortened[t.text] && t.end+1 < len(text) && text[t.end] == '.' {
		t.end++
	}
	return v[t.text]
}

// stems take an "'s" without becoming a plural: "friday's", "next week's".
var stems = func() map[string]bool {
	m := map[string]bool{"today": true, "tomorrow": true, "yesterday": true, "tonight": true}
	for _, row := range weekdayNames {
		m[strings.Fields(row)[0]] = true
	}
	for _, row := range monthNames {
		m[strings.Fields(row)[0]] = true
	}
	for _, u := range unitNames {
		if u.g != gYear {
			m[strings.Fields(u.names)[0]] = true
		}
	}
	return m
}()

var shortened = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed weds thu thur thurs fri sat sun hr hrs min mins sec secs st approx") {
		m[w] = true
	}
	return m
}()

func (v vocabulary) mark(text string, i int, r rune, size int) token {
	s := text[i : i+size]
	switch r {
	case '–', '—', '−', '‐', '‑':
		s = "-"
	case '&':
		s = "and"
	case '@':
		s = "at"
	}
	return token{start: i, end: i + size, id: v[s], text: s}
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

func letterAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// dropHyphens removes the hyphens of "mid-july" and "twenty-five", not of "mon-fri".
func (v vocabulary) dropHyphens(tokens []token) []token {
	out := tokens[:0]
	for i, t := range tokens {
		if t.text == "-" && t.glued && i > 0 && i+1 < len(tokens) {
			a, b := tokens[i-1], tokens[i+1]
			if a.word && b.glued && (b.word || prefixes[a.text]) && !(names[a.text] && names[b.text]) {
				continue
			}
			if a.digits > 0 && b.glued && b.word && !names[b.text] && v[b.text] != 0 {
				continue // "3-day", "18-feb" is left to the dates
			}
		}
		out = append(out, t)
	}
	return out
}

var prefixes = map[string]bool{"mid": true, "early": true, "late": true, "pre": true, "post": true}

// names are the words between which a hyphen means "to".
var names = func() map[string]bool {
	m := map[string]bool{"today": true, "tomorrow": true, "now": true, "noon": true, "midnight": true}
	for _, table := range [][]string{weekdayNames[:], monthNames[:]} {
		for _, row := range table {
			for _, w := range strings.Fields(row) {
				m[w] = true
			}
		}
	}
	return m
}()
