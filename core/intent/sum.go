package intent

import "strings"

// sum writes spoken arithmetic as an expression of numbers, + - * / ^, parentheses and sqrt():
// "five plus six times two" is "5 + 6 * 2", "fifteen percent of eighty" is "15 / 100 * 80".
func sum(words []string) (string, bool) {
	if form, ok := askedSum(words); ok {
		return form, form != ""
	}
	s := summer{words: words}
	for s.at < len(s.words) {
		if !s.step() {
			return "", false
		}
	}
	return strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(s.out, " ")), len(s.out) > 0
}

// sumForms are sums asked for by name: what is said first, what stands between the numbers, and how
// the two are written. The second number comes first where swap is set.
var sumForms = []struct {
	head, between, op string
	swap              bool
}{
	{"the sum of", "and", "+", false}, {"sum of", "and", "+", false}, {"add", "and", "+", false}, {"add", "to", "+", false}, {"add", "plus", "+", false},
	{"the product of", "and", "*", false}, {"product of", "and", "*", false}, {"multiply", "by", "*", false}, {"multiply", "with", "*", false}, {"multiply", "and", "*", false}, {"multiply", "times", "*", false},
	{"the difference between", "and", "-", false}, {"difference between", "and", "-", false}, {"the difference of", "and", "-", false}, {"subtract", "from", "-", true}, {"take", "from", "-", true}, {"take away", "from", "-", true}, {"take", "away from", "-", true},
	{"divide", "by", "/", false}, {"the quotient of", "and", "/", false},
}

func askedSum(words []string) (string, bool) {
	text := strings.Join(words, " ")
	for _, f := range sumForms {
		rest, ok := strings.CutPrefix(text, f.head+" ")
		if !ok {
			continue
		}
		for at := 0; ; {
			i := strings.Index(rest[at:], " "+f.between+" ")
			if i < 0 {
				break
			}
			at += i
			a, aok := sum(strings.Fields(rest[:at]))
			z, zok := sum(strings.Fields(rest[at+len(f.between)+2:]))
			if aok && zok {
				if f.swap {
					a, z = z, a
				}
				return group(a, f.op) + " " + f.op + " " + group(z, f.op), true
			}
			at++
		}
	}
	return "", false
}

// group puts parentheses around a sum that takes part in another operation.
func group(e, op string) string {
	if op != "+" && strings.Contains(e, " ") {
		return "(" + e + ")"
	}
	return e
}

type summer struct {
	words []string
	at    int
	out   []string
}

var operators = []struct{ said, op string }{
	{"plus", "+"}, {"and", "+"}, {"added to", "+"}, {"minus", "-"}, {"less", "-"}, {"take away", "-"}, {"of", "*"},
	{"times", "*"}, {"x", "*"}, {"multiplied by", "*"}, {"multiplied with", "*"}, {"by", "*"},
	{"divided by", "/"}, {"over", "/"}, {"to the power of", "^"}, {"raised to the power of", "^"}, {"to the", "^"},
	{"squared", "^ 2"}, {"cubed", "^ 3"}, {"(", "("}, {")", ")"}, {"open parenthesis", "("}, {"close parenthesis", ")"}, {"open bracket", "("}, {"close bracket", ")"},
}

// shares are factors said in front of a number.
var shares = []struct{ said, before, after string }{
	{"half of", "", "/ 2"}, {"one half of", "", "/ 2"}, {"a half of", "", "/ 2"}, {"half", "", "/ 2"}, {"a third of", "", "/ 3"}, {"one third of", "", "/ 3"}, {"two thirds of", "2 / 3 *", ""}, {"a quarter of", "", "/ 4"}, {"one quarter of", "", "/ 4"},
	{"three quarters of", "3 / 4 *", ""}, {"a fifth of", "", "/ 5"}, {"a tenth of", "", "/ 10"}, {"double", "2 *", ""}, {"twice", "2 *", ""}, {"triple", "3 *", ""},
}

func (s *summer) has(said string) bool {
	f := strings.Fields(said)
	if s.at+len(f) > len(s.words) {
		return false
	}
	for i, w := range f {
		if s.words[s.at+i] != w {
			return false
		}
	}
	s.at += len(f)
	return true
}

// step reads one operator or number.
func (s *summer) step() bool {
	from := s.at
	if s.has("the square root of") || s.has("square root of") || s.has("root of") {
		return s.number("sqrt(", ")")
	}
	for said, power := range map[string]string{"the square of": "^ 2", "square of": "^ 2", "the cube of": "^ 3", "cube of": "^ 3"} {
		if s.has(said) {
			return s.number("", power)
		}
	}
	for _, f := range shares {
		if s.has(f.said) {
			if s.at < len(s.words) && (f.said != "half" || s.words[s.at] != "a") && s.number(f.before, f.after) {
				return true
			}
			s.at = from
		}
	}
	if s.operand() {
		for _, o := range operators {
			if s.has(o.said) {
				s.out = append(s.out, o.op)
				return true
			}
		}
	}
	return s.number("", "")
}

// operand says that an operator may come now: "minus" in front of a number belongs to it.
func (s *summer) operand() bool {
	w := s.words[s.at]
	if w == "(" || w == ")" || w == "open" || w == "close" {
		return true
	}
	return len(s.out) > 0 && !strings.Contains("+ - * / ^ (", s.out[len(s.out)-1])
}

// number reads a number and what may follow it: percent of another.
func (s *summer) number(before, after string) bool {
	v, n := scanNumber(s.words[s.at:])
	if n == 0 {
		return false
	}
	s.at += n
	written := decimal(v)
	if s.has("percent") || s.has("per cent") {
		switch {
		case s.has("off of"):
			return s.off(written)
		case s.has("of"):
			return s.number(joined(before, written+" / 100 *"), after)
		case s.has("off"):
			return s.off(written)
		}
		written = "(" + written + " / 100)"
	}
	if before == "sqrt(" {
		s.out = append(s.out, "sqrt("+written+")")
		return true
	}
	s.out = append(s.out, strings.Fields(joined(before, written)+" "+after)...)
	return true
}

func joined(a, z string) string { return strings.TrimSpace(a + " " + z) }

// off is "20 percent off 50".
func (s *summer) off(percent string) bool {
	v, n := scanNumber(s.words[s.at:])
	if n == 0 {
		return false
	}
	s.at += n
	s.out = append(s.out, decimal(v), "*", "(100 -", percent+")", "/ 100")
	return true
}

// goesInto is "seven go into forty two".
func goesInto(words []string) (string, bool) {
	a, n := scanNumber(words)
	if n == 0 || n+3 > len(words) {
		return "", false
	}
	b, ok := number(words[n+2:])
	return b + " / " + decimal(a), ok
}
