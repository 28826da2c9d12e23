package brief

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// ErrChanged says that a rewording lost a fact, changed it, moved it or made one up.
var ErrChanged = errors.New("the facts were changed")

// shape has a model reword a briefing, and keeps its words where the facts survived.
func (t *Teller) shape(ctx context.Context, b *Briefing) {
	if t.c.Shaper == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.c.Patience)
	defer cancel()
	plain := b.plain()
	text, err := t.c.Shaper.Shape(ctx, plain)
	if err == nil {
		text = tidy(text)
		err = Same(plain, text, b.names())
	}
	if err != nil {
		t.c.Log.Debug().Err(err).Str("kind", string(b.Kind)).Msg("the briefing is told in its own words")
		return
	}
	b.Shaped = text
}

func (b Briefing) names() []string {
	var out []string
	for _, s := range b.Sections {
		out = append(out, s.names...)
	}
	return out
}

// proper are the words of a text that begin with a capital, or with a figure in them: nobody may change these.
func proper(lines []string) []string {
	var out []string
	for _, l := range lines {
		for w := range strings.FieldsSeq(l) {
			if strings.IndexFunc(w, unicode.IsUpper) >= 0 {
				out = append(out, w)
			}
		}
	}
	return out
}

// tidy takes control characters and the signs of Markdown off a model's text.
func tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || strings.ContainsRune("*#`_<>", r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// Same tells whether a text is another wording of the same facts: names, numbers, days and words of state come in the
// same order in both, and there are no others. The error wraps ErrChanged.
func Same(plain, shaped string, names []string) error {
	switch {
	case strings.TrimSpace(shaped) == "":
		return fmt.Errorf("%w: nothing is left", ErrChanged)
	case len(shaped) > 2*len(plain)+400:
		return fmt.Errorf("%w: far more was said", ErrChanged)
	case strings.Contains(shaped, "://") && !strings.Contains(plain, "://"):
		return fmt.Errorf("%w: an address was made up", ErrChanged)
	}
	want, got := facts(plain, names), facts(shaped, names)
	if !slices.Equal(want, got) {
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || want[i] != got[i] {
				return fmt.Errorf("%w: fact %d", ErrChanged, i+1)
			}
		}
	}
	return nil
}

// telling are words that carry a fact of their own.
var telling = regexp.MustCompile(`^(?:\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?|%|percent|am|pm|a\.m\.|p\.m\.|noon|midnight|` +
	`(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|` +
	`today|tomorrow|tonight|yesterday|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|` +
	`overdue|late|due|stuck|paused|done|dropped|finished|completed|cancelled|canceled|open|no|not|never|nothing|none|without|\w+n't)$`)

// alike are words of one meaning.
var alike = map[string]string{"%": "percent", "a.m.": "am", "p.m.": "pm", "completed": "finished", "canceled": "cancelled"}

// facts are the names and telling words of a text, in their order.
func facts(text string, names []string) []string {
	text = fold(text)
	names = known(names)
	var out []string
	for i := 0; i < len(text); {
		if i == 0 || text[i-1] == ' ' {
			if n := named(text[i:], names); n != "" {
				out = append(out, n)
				i += len(n)
				continue
			}
		}
		end := i
		for end < len(text) && text[end] != ' ' {
			end++
		}
		for _, w := range parts(strings.TrimSuffix(text[i:end], "'s")) {
			if telling.MatchString(w) {
				out = append(out, cmp.Or(alike[w], w))
			}
		}
		i = end + 1
	}
	return out
}

// known are the names to look for, folded, the longest first.
func known(names []string) []string {
	var out []string
	for _, n := range names {
		if n = fold(n); n != "" {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return slices.Compact(out)
}

// named gives the name that a text begins with, as a whole word; "" for none.
func named(text string, names []string) string {
	for _, n := range names {
		if rest, ok := strings.CutPrefix(text, n); ok && (rest == "" || rest[0] == ' ') {
			return n
		}
	}
	return ""
}

// fold is a text in small letters, one space between words, without the signs around them.
func fold(text string) string {
	var out []string
	for w := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		if w = strings.Trim(w, ".,;:!?\"'()[]“”‘*-–—"); w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// parts takes a percent sign and the half of the day off a number: "40%", "9am".
func parts(w string) []string {
	digits := strings.TrimRight(w, "%amp.")
	if digits != "" && digits != w && digits[len(digits)-1] >= '0' && digits[len(digits)-1] <= '9' {
		return []string{digits, strings.Trim(w[len(digits):], ".")}
	}
	return []string{w}
}
