package intent

import (
	"maps"
	"slices"
	"strings"
)

// Sentences gives some thousands of ways to say the commands, always the same ones, to train a trigram
// of classes: [weekday] stands for any word of Classes()["weekday"], [free] for one word of a free span.
// Words are spelled as in JSGF.
func (c *Commands) Sentences() []string {
	var out []string
	seen := map[string]bool{}
	g := grammar{book: c.book, used: map[string]bool{}}
	for i, t := range c.book.templates {
		s := speaker{book: c.book, grammar: &g, seed: uint64(i)*2654435761 + 1, classes: true}
		want := 16
		if t.root.typed {
			want = 5
		}
		for range want {
			text, ok := s.sentence(t.root, true)
			if ok && text != "" && !seen[text] {
				seen[text] = true
				out = append(out, text)
			}
		}
	}
	return out
}

// Classes gives the words of each class in Sentences.
func (c *Commands) Classes() map[string][]string {
	out := map[string][]string{"free": slices.Clone(freeWords)}
	for _, name := range c.book.order {
		if d := c.book.rules[name]; d.class {
			out[name] = expand(d.root)
		}
	}
	return out
}

// Words is the vocabulary of Sentences and JSGF, sorted.
func (c *Commands) Words() []string {
	words := map[string]bool{}
	for _, s := range c.Sentences() {
		for w := range strings.FieldsSeq(s) {
			words[w] = w[0] != '['
		}
	}
	for _, class := range c.Classes() {
		for _, w := range class {
			words[w] = true
		}
	}
	for w := range strings.FieldsFuncSeq(c.JSGF(), func(r rune) bool { return strings.ContainsRune(" \n()|[]+;=", r) }) {
		words[w] = words[w] || !strings.ContainsAny(w, "<>#") && w != "V1.0" && w != "grammar" && w != "public" && w != "solo;"
	}
	maps.DeleteFunc(words, func(_ string, keep bool) bool { return !keep })
	return slices.Sorted(maps.Keys(words))
}

// speaker says templates at random, the same way for the same seed.
type speaker struct {
	book    *book
	grammar *grammar
	seed    uint64
	classes bool // class names instead of their words
}

func (s *speaker) next(n int) int {
	s.seed = s.seed*6364136223846793005 + 1442695040888963407
	return int(s.seed>>33) % n
}

// sentence says n, false where its words are never spoken.
func (s *speaker) sentence(n *node, top bool) (string, bool) {
	var words []string
	if !s.say(n, top, &words) {
		return "", false
	}
	s.shorten(&words)
	return strings.Join(words, " "), true
}

// shorten says every other pair of words in its short form.
func (s *speaker) shorten(words *[]string) {
	out := (*words)[:0]
	for i := 0; i < len(*words); i++ {
		w := (*words)[i]
		if i+1 < len(*words) {
			if short := shortForm[w+" "+(*words)[i+1]]; short != "" && s.next(2) == 0 {
				w = short
				i++
			}
		}
		out = append(out, w)
	}
	*words = out
}

func (s *speaker) say(n *node, top bool, out *[]string) bool {
	if n.typed && !top {
		return false
	}
	switch n.kind {
	case literal:
		*out = append(*out, n.text)
	case series:
		for _, p := range n.parts {
			if !s.say(p, false, out) {
				return false
			}
		}
	case choice:
		return s.choose(n, out)
	case perhaps:
		if s.next(3) == 0 && s.grammar.sayable(n.parts[0]) {
			return s.say(n.parts[0], false, out)
		}
	case repeat:
		for {
			if !s.say(n.parts[0], false, out) {
				return false
			}
			if s.next(3) > 0 {
				return true
			}
		}
	case rule, slot:
		return s.rule(n.text, out)
	}
	return true
}

func (s *speaker) choose(n *node, out *[]string) bool {
	var parts []*node
	for _, p := range n.parts {
		if s.grammar.sayable(p) {
			parts = append(parts, p)
		}
	}
	return len(parts) > 0 && s.say(parts[s.next(len(parts))], false, out)
}

// freeWord is one that may stand anywhere in the span.
func (s *speaker) freeWord(f *free) string {
	for {
		w := freeWords[s.next(len(freeWords))]
		if len(w) > 2 && !f.start[w] && !f.end[w] && !counts[w] && w != "for" && w != "off" && w != "and" && w != "the" && w != "will" && w != "was" && w != "are" && w != "has" && w != "with" && w != "from" && w != "out" {
			return w
		}
	}
}

func (s *speaker) rule(name string, out *[]string) bool {
	d := s.book.rules[name]
	switch {
	case d.free != nil:
		if only := slices.Sorted(maps.Keys(d.free.only)); len(only) > 0 {
			*out = append(*out, only[s.next(len(only))])
		}
		for range 1 + s.next(min(4, d.free.most)) {
			w := "[free]"
			if !s.classes {
				w = s.freeWord(d.free)
			}
			*out = append(*out, w)
		}
		return true
	case d.class && s.classes:
		*out = append(*out, "["+name+"]")
		return true
	}
	return s.say(d.root, false, out)
}
