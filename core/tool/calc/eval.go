package calc

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
)

const (
	errZero = sorry("I can't divide by zero.")
	errBig  = sorry("That number is too big for me.")
	errRoot = sorry("There's no real root of a negative number.")
)

// Bounds on what a sum may cost: deep enough for any person, too little to stand still.
const (
	maxDepth = 100
	maxBits  = 4096 // of a numerator or denominator
)

// Eval works out an expression such as "12 * (3 + 4)", "15% of 80", "2^10" or "the square root of 2".
//
// Decimals are exact; roots and broken powers are right to 15 digits. A percentage added or taken away is one of the
// left side: "80 + 15%" is 92. A % before a number is the remainder: "17 % 5" is 2. "-2^2" is minus 4, "2^3^2" is 512.
func Eval(s string) (*big.Rat, error) {
	tokens, err := scan(s)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	v, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.tokens) {
		return nil, fmt.Errorf("unexpected %q", p.peek())
	}
	return v.n, nil
}

type parser struct {
	tokens []token
	at     int
	depth  int
}

// value is a number; percent says that it was written as a percentage.
type value struct {
	n       *big.Rat
	percent bool
}

func (p *parser) peek() string {
	if p.at >= len(p.tokens) {
		return "end"
	}
	if t := p.tokens[p.at]; t.op != "" {
		return t.op
	}
	return "number"
}

func (p *parser) next(ops ...string) (string, bool) {
	for _, op := range ops {
		if p.peek() == op {
			p.at++
			return op, true
		}
	}
	return "", false
}

// sum is a chain of + and -.
func (p *parser) sum() (value, error) {
	if p.depth++; p.depth > maxDepth {
		return value{}, errors.New("nested too deep")
	}
	defer func() { p.depth-- }()
	left, err := p.product()
	for err == nil {
		op, ok := p.next("+", "-")
		if !ok {
			return left, nil
		}
		var right value
		if right, err = p.product(); err != nil {
			break
		}
		n := right.n
		if right.percent && !left.percent {
			n = new(big.Rat).Mul(left.n, n)
		}
		left.percent = left.percent && right.percent
		if op == "+" {
			left.n, err = small(new(big.Rat).Add(left.n, n))
		} else {
			left.n, err = small(new(big.Rat).Sub(left.n, n))
		}
	}
	return value{}, err
}

// product is a chain of *, /, mod, of and off; a parenthesis that follows a number multiplies too.
func (p *parser) product() (value, error) {
	left, err := p.signed()
	for err == nil {
		op, ok := p.next("*", "/", "mod", "of", "off", "%")
		if !ok && p.peek() != "(" && p.peek() != "√" {
			return left, nil
		}
		var right value
		if right, err = p.signed(); err != nil {
			break
		}
		left.n, err = apply(op, left.n, right.n)
		left.percent = false
	}
	return value{}, err
}

func apply(op string, a, b *big.Rat) (*big.Rat, error) {
	if (op == "/" || op == "mod" || op == "%") && b.Sign() == 0 {
		return nil, errZero
	}
	switch op {
	case "off": // 20 percent off 80
		a = new(big.Rat).Sub(one, a)
	case "/":
		return small(new(big.Rat).Quo(a, b))
	case "mod", "%": // of the sign of b, as a clock would have it
		q := new(big.Rat).Quo(a, b)
		whole := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean, with a positive denominator it is the floor
		return small(new(big.Rat).Sub(a, new(big.Rat).Mul(b, new(big.Rat).SetInt(whole))))
	}
	return small(new(big.Rat).Mul(a, b))
}

// signed is a power with signs before it: they bind weaker than ^.
func (p *parser) signed() (value, error) {
	minus := false
	for {
		op, ok := p.next("-", "+")
		if !ok {
			break
		}
		minus = minus != (op == "-")
	}
	v, err := p.power()
	if err == nil && minus {
		v.n = new(big.Rat).Neg(v.n)
	}
	return v, err
}

func (p *parser) power() (value, error) {
	base, err := p.postfix()
	if err != nil {
		return value{}, err
	}
	if _, ok := p.next("^"); !ok {
		return base, nil
	}
	if p.depth++; p.depth > maxDepth {
		return value{}, errors.New("nested too deep")
	}
	defer func() { p.depth-- }()
	exp, err := p.signed()
	if err != nil {
		return value{}, err
	}
	n, err := pow(base.n, exp.n)
	return value{n: n}, err
}

// postfix is a number with percent, squared or cubed behind it.
func (p *parser) postfix() (value, error) {
	v, err := p.atom()
	for err == nil {
		switch {
		case p.peek() == "%" && !p.remainder():
			p.at++
			v = value{new(big.Rat).Quo(v.n, big.NewRat(100, 1)), true}
		case p.peek() == "sq" || p.peek() == "cu":
			op, _ := p.next("sq", "cu")
			v.n, err = pow(v.n, big.NewRat(map[string]int64{"sq": 2, "cu": 3}[op], 1))
		default:
			return v, nil
		}
	}
	return value{}, err
}

// remainder tells whether the % here has a number behind it.
func (p *parser) remainder() bool {
	if p.at+1 >= len(p.tokens) {
		return false
	}
	t := p.tokens[p.at+1]
	return t.op == "" || t.op == "("
}

func (p *parser) atom() (value, error) {
	if p.at < len(p.tokens) && p.tokens[p.at].op == "" {
		p.at++
		return value{n: p.tokens[p.at-1].n}, nil
	}
	if _, ok := p.next("√"); ok {
		if p.depth++; p.depth > maxDepth {
			return value{}, errors.New("nested too deep")
		}
		defer func() { p.depth-- }()
		v, err := p.postfix()
		if err != nil {
			return value{}, err
		}
		v.n, err = root(v.n)
		return v, err
	}
	if _, ok := p.next("("); !ok {
		return value{}, fmt.Errorf("unexpected %q", p.peek())
	}
	v, err := p.sum()
	if err != nil {
		return value{}, err
	}
	if _, ok := p.next(")"); !ok && p.peek() != "end" { // a last parenthesis is easily forgotten
		return value{}, fmt.Errorf("unexpected %q", p.peek())
	}
	return value{n: v.n}, nil
}

// small refuses numbers that no one wants to hear and that would cost ever more.
func small(n *big.Rat) (*big.Rat, error) {
	if n.Num().BitLen() > maxBits || n.Denom().BitLen() > maxBits {
		return nil, errBig
	}
	return n, nil
}

func pow(base, exp *big.Rat) (*big.Rat, error) {
	if !exp.IsInt() {
		if base.Sign() < 0 {
			return nil, errRoot
		}
		b, _ := base.Float64()
		e, _ := exp.Float64()
		return rounded(math.Pow(b, e))
	}
	if base.Sign() == 0 && exp.Sign() < 0 {
		return nil, errZero
	}
	if base.Cmp(one) == 0 || base.Sign() == 0 && exp.Sign() > 0 {
		return base, nil
	}
	bits := max(base.Num().BitLen(), base.Denom().BitLen())
	e := new(big.Int).Abs(exp.Num())
	if !e.IsInt64() || e.Int64() > maxBits || e.Int64()*int64(bits-1) > maxBits {
		return nil, errBig
	}
	n := new(big.Rat).SetFrac(new(big.Int).Exp(base.Num(), e, nil), new(big.Int).Exp(base.Denom(), e, nil))
	if exp.Sign() < 0 {
		n.Inv(n)
	}
	return small(n)
}

var one = big.NewRat(1, 1)

// root is exact where the root is a fraction.
func root(n *big.Rat) (*big.Rat, error) {
	if n.Sign() < 0 {
		return nil, errRoot
	}
	a, b := new(big.Int).Sqrt(n.Num()), new(big.Int).Sqrt(n.Denom())
	if r := new(big.Rat).SetFrac(a, b); new(big.Rat).Mul(r, r).Cmp(n) == 0 {
		return r, nil
	}
	f := new(big.Float).SetPrec(256).SetRat(n)
	r, _ := f.Sqrt(f).Rat(nil)
	return small(r)
}

// rounded keeps the 15 digits of a float that can be trusted.
func rounded(f float64) (*big.Rat, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, errBig
	}
	return decimal(mustFloat(strconv.FormatFloat(f, 'g', 15, 64))), nil
}

func mustFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // just written by FormatFloat
	return f
}

// decimal is the number that a float was written as: 0.1 is a tenth.
func decimal(f float64) *big.Rat {
	n, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return n
}
