package calc

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// token is a number, or an operator by its sign: + - * / ^ % ( ) √ and "of", "off", "mod", "sq", "cu".
type token struct {
	op string // "" for a number
	n  *big.Rat
}

// spoken are the words for operators, the longest first where one begins another.
var spoken = []struct{ say, op string }{
	{"to the power of", "^"}, {"raised to", "^"}, {"the square root of", "√"}, {"square root of", "√"}, {"square root", "√"},
	{"multiplied by", "*"}, {"divided by", "/"}, {"modulo", "mod"}, {"remainder of", ""}, {"percent", "%"}, {"per cent", "%"},
	{"squared", "sq"}, {"cubed", "cu"}, {"minus", "-"}, {"times", "*"}, {"sqrt", "√"}, {"plus", "+"}, {"over", "/"},
	{"mod", "mod"}, {"the", ""}, {"off", "off"}, {"of", "of"}, {"x", "*"},
}

var signs = map[rune]string{
	'+': "+", '-': "-", '−': "-", '–': "-", '*': "*", '×': "*", '·': "*", '/': "/", '÷': "/", '^': "^", '%': "%",
	'(': "(", ')': ")", '√': "√", '²': "sq", '³': "cu",
}

var fractions = map[string]*big.Rat{
	"half": big.NewRat(1, 2), "a half": big.NewRat(1, 2), "a third": big.NewRat(1, 3), "a quarter": big.NewRat(1, 4), "pi": pi,
}

var pi, _ = new(big.Rat).SetString("3.14159265358979323846264338327950288")

// scan cuts an expression into tokens.
func scan(s string) ([]token, error) {
	s = strings.ToLower(strings.TrimRight(strings.TrimSpace(s), "=?"))
	s = strings.ReplaceAll(s, "**", "^")
	var all []token
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if rest, n, ok := number(s); ok {
			all, s = append(all, token{n: n}), rest
			continue
		}
		r := []rune(s)[0]
		if op, ok := signs[r]; ok {
			all, s = append(all, token{op: op}), s[len(string(r)):]
			continue
		}
		t, rest, ok := word(s)
		if !ok {
			return nil, fmt.Errorf("reading %q: no number and no operator", s)
		}
		if s = rest; t != (token{}) {
			all = append(all, t)
		}
	}
	return all, nil
}

// number takes digits with an optional point off s. Commas between groups of three digits are dropped.
func number(s string) (rest string, n *big.Rat, ok bool) {
	i, point := 0, false
	var digits strings.Builder
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits.WriteByte(c)
			continue
		case c == '.' && !point && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			point = true
			digits.WriteByte(c)
			continue
		case c == ',' && !point && i > 0 && grouped(s[i+1:]):
			continue
		}
		break
	}
	if i == 0 {
		return s, nil, false
	}
	n, ok = new(big.Rat).SetString(digits.String())
	return s[i:], n, ok
}

// grouped tells whether s begins with exactly three digits.
func grouped(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n == 3
}

// word takes a spoken operator or fraction off s.
func word(s string) (t token, rest string, ok bool) {
	for say, n := range fractions {
		if rest, ok := lead(s, say); ok {
			return token{n: n}, rest, true
		}
	}
	for _, w := range spoken {
		if rest, ok := lead(s, w.say); ok {
			return token{op: w.op}, rest, true
		}
	}
	return token{}, s, false
}

// lead takes whole words off the front of s; an x or a root may stand before a number.
func lead(s, words string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(s, words)
	if !ok {
		return s, false
	}
	for _, r := range rest {
		return rest, !unicode.IsLetter(r)
	}
	return rest, true
}
