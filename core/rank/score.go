package rank

import (
	"math"
	"strings"
	"time"
	"unicode"
)

// How a text is scored. The values were found on question sets of our own, conversations and passages.
var (
	faintly  = 0.4  // weight of a word that rarely names what is meant
	akinly   = 0.4  // of a word that only often stands for another
	slipped  = 0.7  // of a word that was perhaps misspelt
	k1       = 1.2  // how soon a word that comes again counts no more
	bTalk    = 0.35 // how much a long text must hold more, among short ones such as lines of a talk
	bPage    = 0.75 // and among long ones
	wNear    = 0.2  // of what stands around the text
	wHead    = 1.5  // of its heading
	wPair    = 0.25 // of two words of the question that stand together
	recently = 0.03 // most that being new adds
)

const maxWords = 600 // of one text that are looked at

// mark says that a stem is a form of a word of the question.
type mark struct {
	term   int
	factor float64
}

// score scores texts.
func (g *gathering) score(texts []Text, now time.Time) []Hit {
	marks, begins := g.marks()
	bodies := make([]field, len(texts))
	mean := 0.0
	for i, t := range texts {
		bodies[i] = read(t.Body, marks, begins, len(g.terms))
		mean += float64(bodies[i].length)
	}
	mean = max(mean/float64(max(1, len(texts))), 1)
	hits := make([]Hit, 0, len(texts))
	for i, t := range texts {
		h := Hit{Text: t}
		near, head := field{}, field{}
		if t.Near != "" {
			near = read(t.Near, marks, begins, len(g.terms))
		}
		if t.Head != "" {
			head = read(t.Head, marks, begins, len(g.terms))
		}
		h.Score, h.Cover = g.weigh(bodies[i], near, head, mean, t.At)
		h.Score *= 1 + t.Prior + fresh(t.At, now)
		if h.Score > 0 {
			hits = append(hits, h)
		}
	}
	return hits
}

// marks are the stems to look for, and their first letters.
func (g *gathering) marks() (map[string]mark, map[string]bool) {
	marks, begins := map[string]mark{}, map[string]bool{}
	add := func(word string, m mark) {
		s := Stem(word)
		if old, known := marks[s]; !known || old.factor < m.factor {
			marks[s] = m
		}
		begins[begin(s)] = true
	}
	for i, t := range g.terms {
		for _, f := range t.forms {
			add(f, mark{i, 1})
		}
		for _, f := range t.slips {
			marks[f], begins[begin(f)] = mark{i, 1}, true
			add(f, mark{i, 1})
		}
	}
	for i, t := range g.terms {
		for _, f := range t.akin {
			add(f, mark{i, akinly})
		}
	}
	return marks, begins
}

// begin are the letters of a word that no stemming changes.
func begin(w string) string { return w[:min(len(w), 2)] }

// field is what one text holds of the question.
type field struct {
	length int
	times  []float64 // each term
	places [][]int   // of each term, the first few
}

// read counts the question's words in a text.
func read(text string, marks map[string]mark, begins map[string]bool, terms int) field {
	f := field{times: make([]float64, terms), places: make([][]int, terms)}
	text = fold(text)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if f.length++; f.length > maxWords {
			break
		}
		if !begins[begin(word)] {
			continue
		}
		m, ok := marks[Stem(word)]
		if !ok {
			continue
		}
		f.times[m.term] += m.factor
		if len(f.places[m.term]) < 8 {
			f.places[m.term] = append(f.places[m.term], f.length)
		}
	}
	return f
}

// weigh is the score of a text and how much of the question it covers.
func (g *gathering) weigh(body, near, head field, mean float64, at time.Time) (score, cover float64) {
	b := bTalk + (bPage-bTalk)*min(max((mean-20)/40, 0), 1)
	norm := 1 - b + b*float64(body.length)/mean
	all, held := 0.0, 0.0
	for i, t := range g.terms {
		w := t.weight()
		all += w
		own := body.times[i]
		if own == 0 && dated(t.term, at) {
			own = 0.8
		}
		tf := own / norm
		if near.times != nil && near.times[i] > 0 {
			tf += wNear * min(near.times[i], 2) / 2
		}
		if head.times != nil {
			tf += wHead * head.times[i]
			own += head.times[i]
		}
		score += w * tf * (k1 + 1) / (tf + k1)
		held += w * min(own, 1)
		if i > 0 && wPair > 0 && len(body.places[i]) > 0 && len(body.places[i-1]) > 0 {
			if d := apart(body.places[i-1], body.places[i]); d <= 6 {
				score += wPair * min(w, g.terms[i-1].weight()) * 2 / float64(1+d)
			}
		}
	}
	if all > 0 {
		cover = held / all
	}
	return score, cover
}

// dated tells whether a word names the month or year in which a text was said.
func dated(t term, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	return t.month > 0 && int(at.Month()) == t.month || t.year > 0 && at.Year() == t.year
}

// apart is the least distance of two places.
func apart(a, b []int) int {
	least := math.MaxInt
	for _, x := range a {
		for _, y := range b {
			if d := y - x; d > 0 {
				least = min(least, d)
			} else {
				least = min(least, 1-d)
			}
		}
	}
	return least
}

// fresh is what being new adds: the most today, a third of it after three months.
func fresh(at, now time.Time) float64 {
	if at.IsZero() || now.IsZero() {
		return 0
	}
	days := max(now.Sub(at).Hours()/24, 0)
	return recently * math.Exp(-days/90)
}
