package intent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// JSGF writes all commands as a grammar for a recogniser: lower case, numbers as words, spelled as in
// the CMU dictionary. What is only ever written or rarely said is left out. Free spans are the rule
// <free>, a loop of common words that stands for any words.
func (c *Commands) JSGF() string {
	g := grammar{book: c.book, used: map[string]bool{}}
	var public []string
	for _, name := range c.book.intents {
		var ways []string
		for _, t := range c.book.templates {
			if t.intent != name || t.root.typed {
				continue
			}
			if text := g.text(t.root, true); text != "" && !slices.Contains(ways, text) {
				ways = append(ways, text)
			}
		}
		if len(ways) > 0 {
			rule := "<" + strings.ReplaceAll(name, ".", "_") + ">"
			public = append(public, rule)
			g.lines = append(g.lines, fmt.Sprintf("%s = %s;", rule, strings.Join(ways, "\n  | ")))
		}
	}
	before, after := g.rule("before"), g.rule("after")
	return "#JSGF V1.0;\n\ngrammar solo;\n\npublic <command> = [" + before + "] (" + strings.Join(public, " | ") + ") [" + after + "];\n\n" +
		strings.Join(g.lines, "\n") + "\n" + g.rules() + "<free> = (" + strings.Join(freeWords, " | ") + ")+;\n"
}

type grammar struct {
	book  *book
	used  map[string]bool
	lines []string
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

// shortForm is the spoken contraction of two words.
var shortForm = func() map[string]string {
	m := map[string]string{}
	for _, short := range slices.Sorted(maps.Keys(contraction)) {
		if strings.Contains(short, "'") && !strings.HasSuffix(short, "'ve") && !strings.HasSuffix(short, "'re") && !strings.Contains(m[contraction[short]], "'") {
			m[contraction[short]] = short
		}
	}
	return m
}()
