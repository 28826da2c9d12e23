package calc

import (
	"math/big"
	"strings"
)

// Exact numbers are said in full up to these sizes.
const (
	maxWhole  = 15 // digits before the point
	maxPlaces = 6  // digits behind it
)

// sayRounded words a number for the ear: "84", "minus 2.5", "about 3.33", "about 1.27 nonillion".
func sayRounded(n *big.Rat) string {
	if n.Sign() < 0 {
		said := sayRounded(new(big.Rat).Neg(n))
		if rest, ok := strings.CutPrefix(said, "about "); ok {
			return "about minus " + rest
		}
		return "minus " + said
	}
	if size := exponent(n); size >= maxWhole {
		return large(n, size)
	} else if n.Sign() > 0 && size < -6 {
		return scientific(n, size)
	}
	if places, ok := terminates(n, maxPlaces); ok {
		return n.FloatString(places)
	}
	return "about " + trimmed(n.FloatString(places(n)))
}

// places is how many digits behind the point tell three figures, or the cents of what is large.
func places(n *big.Rat) int {
	if size := exponent(n); size < 0 {
		return 2 - size
	}
	return 2
}

// exponent is the power of ten of a positive number's first digit; 0 for 0.
func exponent(n *big.Rat) int {
	if n.Sign() == 0 {
		return 0
	}
	e := len(new(big.Int).Quo(n.Num(), n.Denom()).String()) - 1
	if n.Cmp(one) >= 0 {
		return e
	}
	inverse := new(big.Rat).Inv(n)
	e = len(new(big.Int).Quo(inverse.Num(), inverse.Denom()).String()) - 1
	if inverse.Cmp(ten(e)) != 0 {
		e++
	}
	return -e
}

func ten(e int) *big.Rat {
	n := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil))
	if e < 0 {
		n.Inv(n)
	}
	return n
}

// terminates tells with how many digits behind the point, at most limit, a number is exact.
func terminates(n *big.Rat, limit int) (int, bool) {
	scaled := new(big.Rat).Set(n)
	for places := 0; places <= limit; places++ {
		if scaled.IsInt() {
			return places, true
		}
		scaled.Mul(scaled, big.NewRat(10, 1))
	}
	return 0, false
}

func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

var scales = []string{"quadrillion", "quintillion", "sextillion", "septillion", "octillion", "nonillion", "decillion"}

// large names what has more than 15 digits: "2 quintillion", "about 1.27 nonillion".
func large(n *big.Rat, size int) string {
	step := size/3 - 5
	if step >= len(scales) {
		return scientific(n, size)
	}
	part := new(big.Rat).Quo(n, ten(3*(step+5)))
	if places, ok := terminates(part, 2); ok {
		return part.FloatString(places) + " " + scales[step]
	}
	said := trimmed(part.FloatString(2))
	if said == "1000" && step+1 < len(scales) {
		said, step = "1", step+1
	}
	return "about " + said + " " + scales[step]
}

func scientific(n *big.Rat, size int) string {
	part := new(big.Rat).Quo(n, ten(size))
	said := trimmed(part.FloatString(2))
	if said == "10" {
		said, size = "1", size+1
	}
	about := "about "
	if _, ok := terminates(part, 2); ok {
		about = ""
	}
	power := "10 to the power of " + big.NewInt(int64(max(size, -size))).String()
	if size < 0 {
		power = "10 to the power of minus " + big.NewInt(int64(-size)).String()
	}
	if said == "1" {
		return about + power
	}
	return about + said + " times " + power
}

// plain writes a number for a program: a decimal where it ends within 30 digits, else a fraction.
func plain(n *big.Rat) string {
	if places, ok := terminates(n, 30); ok {
		return n.FloatString(places)
	}
	return n.RatString()
}
