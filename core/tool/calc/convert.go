package calc

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/solo-assistant/solo/core/tool"
)

// index finds units by name, as written and in small letters.
var index = func() map[string][]unit {
	all := map[string][]unit{}
	for _, x := range units {
		seen := map[string]bool{}
		for _, name := range append([]string{x.one, x.many}, x.short...) {
			for _, key := range []string{name, strings.ToLower(name)} {
				if !seen[key] {
					seen[key] = true
					all[key] = append(all[key], x)
				}
			}
		}
	}
	return all
}()

// pair finds the two units, so that they measure the same kind of thing.
func pair(from, to string) (a, b unit, err error) {
	as, bs := named(from), named(to)
	switch {
	case len(as) == 0:
		return a, b, unknown(from)
	case len(bs) == 0:
		return a, b, unknown(to)
	}
	for _, a := range as {
		for _, b := range bs {
			if a.kind == b.kind {
				return a, b, nil
			}
		}
	}
	return a, b, sorry("I can't turn " + as[0].many + " into " + bs[0].many + ".")
}

var currencies = map[string]bool{"dollar": true, "euro": true, "pound sterling": true, "yen": true, "franc": true, "rupee": true, "peso": true,
	"usd": true, "eur": true, "gbp": true, "chf": true, "jpy": true, "$": true, "€": true, "£": true}

func unknown(name string) error {
	name = tidy(name)
	if low := strings.ToLower(name); currencies[low] || currencies[strings.TrimSuffix(low, "s")] {
		return sorry("I don't know today's exchange rates.")
	}
	return sorry("I don't know the unit " + name + ".")
}

// tidy drops what only surrounds a unit's name.
func tidy(name string) string {
	name = strings.ReplaceAll(tool.Trim(name, "a", "an", "the"), "-", " ")
	if t, ok := strings.CutPrefix(name, "°"); ok {
		name = strings.TrimSpace(t)
	}
	return name
}

// named gives the units that a name may mean, the likeliest first.
func named(name string) []unit {
	name = tidy(name)
	low := strings.ToLower(name)
	for _, key := range []string{name, low, strings.TrimPrefix(low, "degrees "), strings.TrimPrefix(low, "degree ")} {
		if found := index[key]; len(found) > 0 {
			return found
		}
	}
	if x, ok := powered(low); ok {
		return []unit{x}
	}
	if x, ok := ratio(low); ok {
		return []unit{x}
	}
	return nil
}

// powers are the ways to say that a length is taken two or three times.
var powers = []struct {
	before, after, kind, say string
	times                    int
}{
	{"square ", "", "area", "square ", 2}, {"sq ", "", "area", "square ", 2}, {"sq. ", "", "area", "square ", 2},
	{"", " squared", "area", "square ", 2}, {"", "²", "area", "square ", 2}, {"", "2", "area", "square ", 2}, {"", "^2", "area", "square ", 2},
	{"cubic ", "", "volume", "cubic ", 3}, {"cu ", "", "volume", "cubic ", 3}, {"cu. ", "", "volume", "cubic ", 3},
	{"", " cubed", "volume", "cubic ", 3}, {"", "³", "volume", "cubic ", 3}, {"", "3", "volume", "cubic ", 3}, {"", "^3", "volume", "cubic ", 3},
}

// powered reads "square feet", "m2" and "cubic centimeters".
func powered(name string) (unit, bool) {
	for _, p := range powers {
		rest, ok := strings.CutPrefix(name, p.before)
		if !ok || !strings.HasSuffix(rest, p.after) {
			continue
		}
		x, ok := length(strings.TrimSuffix(rest, p.after))
		if !ok {
			continue
		}
		f := new(big.Rat).Set(x.factor)
		for range p.times - 1 {
			f.Mul(f, x.factor)
		}
		if p.kind == "volume" { // liters, not cubic meters, are the base
			f.Mul(f, big.NewRat(1000, 1))
		}
		return unit{kind: p.kind, factor: f, shift: new(big.Rat), one: p.say + x.one, many: p.say + x.many}, true
	}
	return unit{}, false
}

// ratio reads speeds such as "feet per minute" and "km/s".
func ratio(name string) (unit, bool) {
	name = strings.NewReplacer(" an hour", " per hour", " a second", " per second", " a minute", " per minute", " a day", " per day").Replace(name)
	way, span, ok := strings.Cut(name, " per ")
	if !ok {
		if way, span, ok = strings.Cut(name, "/"); !ok {
			return unit{}, false
		}
	}
	x, ok := length(way)
	if !ok {
		return unit{}, false
	}
	for _, t := range index[strings.TrimSpace(span)] {
		if t.kind == "time" {
			f := new(big.Rat).Quo(x.factor, t.factor)
			return unit{kind: "speed", factor: f, shift: new(big.Rat), one: x.one + " per " + t.one, many: x.many + " per " + t.one}, true
		}
	}
	return unit{}, false
}

func length(name string) (unit, bool) {
	for _, x := range index[strings.TrimSpace(name)] {
		if x.kind == "length" {
			return x, true
		}
	}
	return unit{}, false
}

// into converts an amount of x into one of to.
func (x unit) into(amount *big.Rat, to unit) (*big.Rat, error) {
	base := new(big.Rat).Mul(amount, x.factor)
	base.Add(base, x.shift)
	if x.kind == "temperature" && base.Sign() < 0 {
		return nil, sorry("Nothing can be that cold.")
	}
	base.Sub(base, to.shift)
	return base.Quo(base, to.factor), nil
}

// amountOf words an amount with its unit: "12 miles", "about 19.3 kilometers", "1 inch".
func amountOf(n *big.Rat, x unit) string {
	said := sayAmount(n)
	if said == "1" || said == "about 1" || said == "minus 1" || said == "about minus 1" {
		return said + " " + x.one
	}
	return said + " " + x.many
}

// sayAmount words a measure: in full where short, else to three figures.
func sayAmount(n *big.Rat) string {
	if n.Sign() < 0 {
		said := sayAmount(new(big.Rat).Neg(n))
		if rest, ok := strings.CutPrefix(said, "about "); ok {
			return "about minus " + rest
		}
		return "minus " + said
	}
	size := exponent(n)
	if size >= maxWhole || n.Sign() > 0 && size < -6 {
		return sayRounded(n)
	}
	if places, ok := terminates(n, 3); ok {
		return n.FloatString(places)
	}
	return "about " + trimmed(n.FloatString(max(0, 2-size)))
}

// feet says the height of a person or a room also as people do: ", or 5 feet 11 inches".
func feet(n *big.Rat, to unit) string {
	if to.one != "foot" || n.IsInt() || n.Sign() <= 0 || n.Cmp(big.NewRat(20, 1)) > 0 {
		return ""
	}
	inches := new(big.Rat).Mul(n, big.NewRat(12, 1))
	inches.Add(inches, big.NewRat(1, 2))
	whole := new(big.Int).Quo(inches.Num(), inches.Denom()).Int64()
	if whole < 12 || whole%12 == 0 {
		return ""
	}
	f, i := "feet", "inches"
	if whole/12 == 1 {
		f = "foot"
	}
	if whole%12 == 1 {
		i = "inch"
	}
	return fmt.Sprintf(", or %d %s %d %s", whole/12, f, whole%12, i)
}
