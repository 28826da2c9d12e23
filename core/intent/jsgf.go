package intent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// JSGF writes all commands as a grammar for a recogniser: lower case, numbers as words, spelled as in
// the CMU dictionary. What is only ever written or rarely said is left out. Free spans are the rule
// <free>, a loop of common words that stands for any words. Ways that end alike are written together,
// because a recogniser makes a copy of a rule for every place that names it.
func (c *Commands) JSGF() string {
	g := grammar{book: c.book, used: map[string]bool{}}
	var ways [][]string
	for _, t := range c.book.templates {
		if t.root.typed || !g.sayable(t.root) {
			continue
		}
		ways = append(ways, g.items(t.root))
	}
	before, after := g.rule("before"), g.rule("after")
	return "#JSGF V1.0;\n\ngrammar solo;\n\npublic <command> = [" + before + "] <order> [" + after + "];\n\n<order> = " +
		factor(ways, "\n  | ") + ";\n\n" + g.rules() + "<free> = (" + strings.Join(freeWords, " | ") + ")+;\n"
}

// items are the parts of a template in JSGF.
func (g *grammar) items(n *node) []string {
	if n.kind != series {
		return []string{g.text(n, true)}
	}
	var out []string
	for i := 0; i < len(n.parts); i++ {
		take := 1
		if i+1 < len(n.parts) && shortForm[n.parts[i].text+" "+n.parts[i+1].text] != "" {
			take = 2
		}
		if t := g.series(&node{kind: series, parts: n.parts[i : i+take]}); t != "" {
			out = append(out, t)
		}
		i += take - 1
	}
	return out
}

// factor writes the ways as one choice in which those that end with the same part share it.
func factor(ways [][]string, or string) string {
	var order []string
	groups := map[string][][]string{}
	empty := false
	for _, w := range ways {
		if len(w) == 0 {
			empty = true
			continue
		}
		last := w[len(w)-1]
		if groups[last] == nil {
			order = append(order, last)
		}
		groups[last] = append(groups[last], w[:len(w)-1])
	}
	var out []string
	for _, last := range order {
		head := factor(groups[last], " | ")
		if len(groups[last]) > 1 {
			head = enclose(head)
		}
		out = append(out, strings.TrimSpace(head+" "+last))
	}
	text := strings.Join(out, or)
	if empty && text != "" {
		return "[" + text + "]"
	}
	return text
}

// enclose puts parentheses around choices.
func enclose(t string) string {
	depth := 0
	for _, r := range t {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == '|' && depth == 0:
			return "(" + t + ")"
		}
	}
	return t
}

type grammar struct {
	book *book
	used map[string]bool
}

func (g *grammar) rule(name string) string {
	if g.book.rules[name].free != nil {
		return "<free>"
	}
	g.used[name] = true
	return "<" + name + ">"
}

// rules writes what is used, and what that uses.
func (g *grammar) rules() string {
	written := map[string]string{}
	for {
		n := len(written)
		for _, name := range slices.Sorted(maps.Keys(g.used)) {
			if _, ok := written[name]; !ok {
				written[name] = g.text(g.book.rules[name].root, true)
			}
		}
		if len(written) == n {
			break
		}
	}
	var b strings.Builder
	for _, name := range g.book.order {
		if text := written[name]; text != "" {
			fmt.Fprintf(&b, "<%s> = %s;\n", name, text)
		}
	}
	return b.String()
}

// text is n in JSGF, "" where n is never spoken. Top says that no parentheses are needed around choices.
func (g *grammar) text(n *node, top bool) string {
	if n.typed && !top {
		return ""
	}
	switch n.kind {
	case literal:
		return n.text
	case rule, slot:
		if !g.spoken(n) {
			return ""
		}
		return g.rule(n.text)
	case perhaps:
		if t := g.text(n.parts[0], false); t != "" {
			return "[" + bare(t) + "]"
		}
		return "<NULL>"
	case fixed:
		return "<NULL>"
	case repeat:
		if t := g.text(n.parts[0], false); t != "" {
			return "(" + bare(t) + ")+"
		}
	case choice:
		return g.choice(n, top)
	case series:
		return g.series(n)
	}
	return ""
}

// bare drops parentheses that enclose all of t.
func bare(t string) string {
	if !strings.HasPrefix(t, "(") || !strings.HasSuffix(t, ")") {
		return t
	}
	depth := 0
	for i, r := range t {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(t)-1 {
			return t
		}
	}
	return t[1 : len(t)-1]
}

func (g *grammar) choice(n *node, top bool) string {
	var parts []string
	for _, p := range n.parts {
		if t := g.text(p, false); t != "" && t != "<NULL>" {
			parts = append(parts, t)
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(parts) == 1 || top:
		return strings.Join(parts, " | ")
	}
	return "(" + strings.Join(parts, " | ") + ")"
}

// series joins the parts; two words with a short form are written both ways.
func (g *grammar) series(n *node) string {
	var out []string
	for i := 0; i < len(n.parts); i++ {
		p := n.parts[i]
		if i+1 < len(n.parts) && p.kind == literal && n.parts[i+1].kind == literal && !n.parts[i+1].typed {
			if short := shortForm[p.text+" "+n.parts[i+1].text]; short != "" {
				out = append(out, "("+p.text+" "+n.parts[i+1].text+" | "+short+")")
				i++
				continue
			}
		}
		switch t := g.text(p, false); t {
		case "":
			return ""
		case "<NULL>":
		default:
			out = append(out, t)
		}
	}
	return strings.Join(out, " ")
}

// spoken says that a rule has a way to be said aloud.
func (g *grammar) spoken(n *node) bool {
	d := g.book.rules[n.text]
	return d.free != nil || g.sayable(d.root)
}

func (g *grammar) sayable(n *node) bool {
	if n.typed {
		return false
	}
	switch n.kind {
	case rule, slot:
		return g.spoken(n)
	case choice:
		return slices.ContainsFunc(n.parts, g.sayable)
	case series:
		return !slices.ContainsFunc(n.parts, func(p *node) bool { return !g.sayable(p) })
	case repeat:
		return g.sayable(n.parts[0])
	}
	return true
}

// odd short forms are understood but not expected.
var odd = set("i've we've you've you're we're they're time's date's what're what'd who're")

// shortForm is the spoken contraction of two words.
var shortForm = func() map[string]string {
	m := map[string]string{}
	for _, short := range slices.Sorted(maps.Keys(contraction)) {
		if strings.Contains(short, "'") && !odd[short] && !strings.Contains(m[contraction[short]], "'") {
			m[contraction[short]] = short
		}
	}
	return m
}()
