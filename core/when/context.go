package when

import "strings"

// plausible says whether the words around an item let it be a time.
func (p *parse) plausible(it *item) bool {
	if !p.whole(it) || !p.edges(it) {
		return false
	}
	alone := p.alone(it)
	if it.is(cWeak|cSoft) && !it.is(cTime|cRec|cDur) {
		return alone
	}
	if alone {
		return true
	}
	if it.is(cDur) && !it.is(cTime|cRec) {
		return p.lengthFits(it)
	}
	return p.followed(it) && p.preceded(it)
}

// alone says that the text holds nothing else but marks.
func (p *parse) alone(it *item) bool {
	for i := range p.toks {
		if (i < it.start || i >= it.end) && (p.toks[i].word || p.toks[i].digits > 0) && !filler[p.toks[i].text] {
			return false
		}
	}
	return true
}

var filler = map[string]bool{"please": true, "um": true, "uh": true, "ok": true, "okay": true, "so": true, "well": true, "maybe": true, "perhaps": true}

// whole says that the item does not tear a number, a word or a sum of money apart.
func (p *parse) whole(it *item) bool {
	first, last := &p.toks[it.start], &p.toks[it.end-1]
	if it.start > 0 && first.glued {
		b := &p.toks[it.start-1]
		if b.digits > 0 || b.word || strings.Contains("$€£#%/\\+_=@^*.", b.text) && b.text != "" && !(b.text == "." && !(it.start > 1 && b.glued)) || b.text == ":" && first.digits > 0 || b.text == "-" && b.glued && it.start > 1 && first.digits > 0 {
			return false
		}
		if (b.text == "," || b.text == "-") && first.digits > 0 && it.start > 1 && b.glued && p.toks[it.start-2].digits > 0 {
			return false
		}
	}
	if it.end < len(p.toks) && p.toks[it.end].glued {
		a := &p.toks[it.end]
		switch {
		case a.digits > 0 || a.word, strings.Contains("%$€£°_=@^*\\+", a.text):
			return false
		case strings.Contains("/:-.,", a.text) && it.end+1 < len(p.toks) && p.toks[it.end+1].glued && (p.toks[it.end+1].digits > 0 || a.text == "." && p.toks[it.end+1].word):
			return last.digits == 0 && a.text == "-"
		}
	}
	return true
}

// edges refuses a phrase that begins or ends with a comma.
func (p *parse) edges(it *item) bool {
	return p.toks[it.start].text != "," && p.toks[it.end-1].text != ","
}

// lengthFits says whether "a day", "an hour" and other lengths stand where a length may stand.
func (p *parse) lengthFits(it *item) bool {
	before, after := p.text1(it.start-1), p.text1(it.end)
	if notAfterLength[after] || p.rate(it.end) || p.span(it.start) {
		return false
	}
	if it.is(cLen) {
		return !notBeforeLength[before]
	}
	return beforeLength[before] && !notBeforeLength[before] && (after == "" || afterAny[after] || !p.toks[it.end].word)
}

// rate says that "a day", "per week" follows, so that a length is an amount: "24 hours a day".
func (p *parse) rate(i int) bool {
	switch p.text1(i) {
	case "a", "an", "per", "each", "every":
		return i+1 < len(p.toks) && p.g.lexicon[p.toks[i+1].id].cat&cUnit != 0
	}
	return false
}

// span says that a length is the upper end of a range: "5 to 10 minutes" is neither.
func (p *parse) span(i int) bool {
	switch p.text1(i - 1) {
	case "to", "or", "-", "and":
		return i > 1 && (p.toks[i-2].digits > 0 || p.numberWord(p.toks[i-2].text))
	}
	return false
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	notAfterLength  = set("old year-old")
	notBeforeLength = set("once twice times thrice per $ € £ version chapter page dollars euros pounds miles kilometers km mph")
	beforeLength    = set("for in about within after every wait waits waited take takes took taking need needs needed give lasts last lasted of than over under exactly only just add by plus and set timer me it spend spent least most around almost nearly with another past to is was be")
	afterAny        = set("at on in from to till until and or but for with i we you he she they it is was will would should can could please that this the a an my our your their his her by if when before after because so as then long timer alarm countdown each every ago now there starting beginning later maybe than too not while via about also instead only sharp together unless again off which who where up out max today tomorrow tonight ok okay right thanks thank")
)

// followed says whether the word behind lets a time that hangs on a mere number be one: "at 6 people" is none.
func (p *parse) followed(it *item) bool {
	if it.end >= len(p.toks) {
		return true
	}
	next := &p.toks[it.end]
	last := &p.toks[it.end-1]
	if next.text == "%" || next.text == "°" || next.text == "$" && next.glued {
		return false
	}
	if !next.word {
		return !(next.digits > 0 && last.digits > 0 && it.cost > 0)
	}
	ordinalEnd := p.ordinalAt(it)
	if last.digits == 0 && !ordinalEnd && !p.numberWord(last.text) {
		return true
	}
	if afterAny[next.text] || it.cost == 0 && !ordinalEnd && !p.numberWord(last.text) {
		return true
	}
	if counted(next.text) || p.g.lexicon[next.id].cat&cUnit != 0 || p.numberWord(next.text) && p.numberWord(last.text) {
		return false
	}
	return !ordinalEnd || it.cost == 0
}

func (p *parse) numberWord(w string) bool { _, ok := numberWords[w]; return ok }

// ordinalAt says that the item ends in an ordinal: "the 15th".
func (p *parse) ordinalAt(it *item) bool {
	last := p.toks[it.end-1].text
	_, ok := ordinalWords[last]
	return ok || last == "th" || last == "st" || last == "nd" || last == "rd"
}

// counted says that a word looks like the name of many things.
func counted(w string) bool {
	if measures[w] {
		return true
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "ways")
}

var measures = set("people percent men women children kids feet foot inches miles mile meters km kg dollars dollar euro euros bucks degrees percent points point different other more others grand thousand hundred million billion mph kmh megabytes gigabytes mb gb street avenue road floor time grade place degree one ones person item page chapter guys folks months")

// preceded refuses a phrase whose first word is a common word that follows a pronoun, and numbers behind certain nouns.
func (p *parse) preceded(it *item) bool {
	first := &p.toks[it.start]
	before := p.text1(it.start - 1)
	if dubious[first.text] && !first.upper && subjects[before] {
		return false
	}
	if !first.upper && first.text == "may" && p.text1(it.start+1) != "" && it.start > 0 && p.toks[it.start+1].word && p.toks[it.start+1].digits == 0 {
		return false
	}
	if it.is(cNow) && (before == "every" || before == "day" || p.text1(it.end) == "and" && p.text1(it.end+1) == "then") {
		return false
	}
	if first.text == "by" && it.cost >= 2 && (p.arithmetic() || p.numberWord(before)) {
		return false
	}
	if first.text == "at" && p.toks[it.end-1].text == "one" && p.text1(it.end) == "with" {
		return false
	}
	if it.is(cSeason) && p.text1(it.end) == "of" {
		return false
	}
	if (first.text == "from" || first.text == "between") && scales[before] {
		return false
	}
	return true
}

// arithmetic says that the text is about amounts, so that "by 10" is one.
func (p *parse) arithmetic() bool {
	for i := range p.toks {
		if amounts[p.toks[i].text] {
			return true
		}
	}
	return false
}

var (
	amounts  = set("up down volume divide divided multiply multiplied times increase decrease raise lower louder quieter reduce extend plus minus percent grow grew")
	subjects = set("i you he she it we they who that one the a an and my your his her our their this these those to people man woman")
	scales   = set("scale count counts counted range ranges ranging number values value numbers pick choose")
)
