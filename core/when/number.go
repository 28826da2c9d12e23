package when

var numberWords = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
	"ninety": 90, "hundred": 100, "thousand": 1000,
}

var ordinalWords = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "hundredth": 100,
}

// seed enters what single tokens and runs of digits mean.
func (p *parse) seed(i int) {
	t := &p.toks[i]
	switch {
	case t.digits > 0:
		p.seedDigits(i)
		p.scan(i)
	case t.word && t.id != 0:
		if it, ok := p.g.lexicon[t.id]; ok {
			it.start, it.end = i, i+1
			p.put(it)
		}
		p.seedSpelt(i)
	}
}

// numeral is a whole number as an item of every category that its size allows.
func numeral(n int) item {
	it := item{cat: cNum | cInt, n: float64(n)}
	for _, c := range []struct {
		low, high int
		cat       cat
	}{{0, 24, cHour}, {1, 12, cHour12}, {0, 59, cMin}, {1, 31, cDom}} {
		if n >= c.low && n <= c.high {
			it.cat |= c.cat
		}
	}
	if n == 5 || n == 10 || n == 20 || n == 25 {
		it.cat |= cFive
	}
	return it
}

func ordinal(n int) item {
	it := item{cat: cOrd, n: float64(n)}
	if n >= 1 && n <= 31 {
		it.cat |= cDomOrd
	}
	return it
}

func (p *parse) seedDigits(i int) {
	t := &p.toks[i]
	if t.digits > 9 {
		return
	}
	it := numeral(t.n)
	it.start, it.end = i, i+1
	if t.digits == 4 && t.n >= 1000 && t.n < 3000 {
		it.cat |= cYearNum
	}
	if (t.digits == 3 || t.digits == 4) && t.n/100 <= 24 && t.n%100 < 60 {
		it.cat |= cHHMM
		it.g = grain(t.digits) // so that 0130 is known to be in the night
	}
	if t.digits == 2 && t.n > 31 || t.digits == 2 && i > 0 && apostropheText(p.toks[i-1].text) {
		it.cat |= cShort
	}
	p.put(it)
	p.seedSuffix(i)
	p.seedFraction(i)
}

func apostropheText(s string) bool { return s == "'" || s == "’" }

// seedSuffix knows "3rd".
func (p *parse) seedSuffix(i int) {
	if i+1 >= len(p.toks) || !p.toks[i+1].glued {
		return
	}
	switch p.toks[i+1].text {
	case "st", "nd", "rd", "th":
		it := ordinal(p.toks[i].n)
		it.start, it.end = i, i+2
		p.put(it)
	}
}

// seedFraction knows "2.5", "1/2", "1 1/2" and "1,500".
func (p *parse) seedFraction(i int) {
	if p.glued(i+1, ".") && p.gluedDigits(i+2) && !p.glued(i+3, ".") {
		d := &p.toks[i+2]
		p.put(item{start: i, end: i + 3, cat: cNum, n: float64(p.toks[i].n) + float64(d.n)/tenTo(d.digits)})
	}
	if f, ok := p.slashed(i); ok {
		p.put(item{start: i, end: i + 3, cat: cNum, n: f})
	}
	if f, ok := p.slashed(i + 1); ok && !p.toks[i+1].glued {
		p.put(item{start: i, end: i + 4, cat: cNum, n: float64(p.toks[i].n) + f})
	}
	if p.glued(i+1, ",") && p.gluedDigits(i+2) && p.toks[i+2].digits == 3 && p.toks[i].digits <= 3 {
		it := numeral(p.toks[i].n*1000 + p.toks[i+2].n)
		it.start, it.end = i, i+3
		p.put(it)
	}
}

// slashed reads a fraction below one at token i: "1/2", "3/4".
func (p *parse) slashed(i int) (float64, bool) {
	if i >= len(p.toks) || p.toks[i].digits == 0 || !p.glued(i+1, "/") || !p.gluedDigits(i+2) {
		return 0, false
	}
	a, b := p.toks[i].n, p.toks[i+2].n
	return float64(a) / float64(b), b >= 2 && b <= 5 && a < b
}

func tenTo(n int) float64 {
	x := 1.0
	for range n {
		x *= 10
	}
	return x
}

func (p *parse) glued(i int, mark string) bool {
	return i < len(p.toks) && p.toks[i].glued && p.toks[i].text == mark
}

func (p *parse) gluedDigits(i int) bool {
	return i < len(p.toks) && p.toks[i].glued && p.toks[i].digits > 0
}

// seedSpelt enters every number that begins with the word at i: of "twenty five" both 20 and 25.
func (p *parse) seedSpelt(i int) {
	if w := p.text1(i); w == "a" && (p.text1(i+1) == "hundred" || p.text1(i+1) == "thousand") {
		p.spelt(i, i, i+1, 0, 1)
		return
	}
	p.below100(i, i, func(n, end int, ord bool) {
		p.spell(i, end, n, ord)
		if !ord && n > 0 {
			p.spelt(i, i, end, 0, n)
		}
	})
}

// spelt goes on after n with "hundred" or "thousand"; sum is what the words before are worth.
func (p *parse) spelt(start, from, i, sum, n int) {
	scale := numberWords[p.text1(i)]
	if scale < 100 || scale == 100 && n > 99 {
		return
	}
	sum += n * scale
	p.spell(start, i+1, sum, false)
	next := i + 1
	if p.text1(next) == "and" {
		next++
	}
	p.below100(start, next, func(m, end int, ord bool) {
		p.spell(start, end, sum+m, ord)
		if scale == 1000 && !ord {
			p.spelt(start, from, end, sum, m)
		}
	})
}

// below100 calls found with each number under a hundred that begins at i.
func (p *parse) below100(start, i int, found func(n, end int, ord bool)) {
	w := p.text1(i)
	if n, ok := ordinalWords[w]; ok && n < 100 {
		found(n, i+1, true)
		return
	}
	n, ok := numberWords[w]
	if !ok || n >= 100 {
		return
	}
	found(n, i+1, false)
	if n < 20 {
		return
	}
	if m, ok := numberWords[p.text1(i+1)]; ok && m >= 1 && m <= 9 {
		found(n+m, i+2, false)
	} else if m, ok := ordinalWords[p.text1(i+1)]; ok && m <= 9 {
		found(n+m, i+2, true)
	}
}

func (p *parse) spell(start, end, n int, ord bool) {
	it := ordinal(n)
	if !ord {
		it = numeral(n)
	}
	it.cat |= cSpelt
	if !ord && n >= 1900 && n < 2200 {
		it.cat |= cYearNum
	}
	it.start, it.end = start, end
	p.put(it)
}

// text1 is the word at i, "" past the end.
func (p *parse) text1(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].text
}

var numberRules = []entry{
	{"[a] couple|pair [of]", number1(2)},
	{"[a] few", number1(3)},
	{"a dozen", number1(12)},
	{"half a dozen", number1(6)},
	{"<num> dozen", func(_ *parse, a []*item) (item, bool) { return numeral(int(a[0].n) * 12), a[0].n < 20 }},
	{"<int> and a half", func(_ *parse, a []*item) (item, bool) { return item{cat: cNum, n: a[0].n + 0.5}, true }},
	{"<int> and a quarter", func(_ *parse, a []*item) (item, bool) { return item{cat: cNum, n: a[0].n + 0.25}, true }},
	{"<int> and three quarters", func(_ *parse, a []*item) (item, bool) { return item{cat: cNum, n: a[0].n + 0.75}, true }},
	{"<int> point <int>", func(_ *parse, a []*item) (item, bool) {
		return item{cat: cNum, n: a[0].n + a[1].n/10}, a[1].n < 10
	}},
	{"<spelt> <spelt>", spokenYear},
	{"<spelt> oh|o <spelt>", spokenYear},
}

func number1(n int) build {
	return func(*parse, []*item) (item, bool) { return numeral(n), true }
}

// spokenYear is "nineteen eighty four" and "twenty oh five".
func spokenYear(_ *parse, a []*item) (item, bool) {
	c, y := int(a[0].n), int(a[1].n)
	return item{cat: cYearNum, n: float64(c*100 + y), cost: 1}, c >= 13 && c <= 21 && y < 100 && y > 0 && a[0].is(cInt) && a[1].is(cInt)
}
