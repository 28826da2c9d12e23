package intent

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed commands/*.txt
var files embed.FS

// book is what the command files say.
type book struct {
	templates []*template
	rules     map[string]*definition
	order     []string // rule names as they were defined
	intents   []string // as they were defined
}

// definition is a named rule: a piece of template, a list, a class of words or a free span.
type definition struct {
	name  string
	root  *node             // nil for a free span
	class bool              // single words that stand in the training sentences as [name]
	list  map[string]string // canonical value by what is said, for a list
	free  *free
}

// free says what a free span may be.
type free struct {
	most  int             // words
	only  map[string]bool // words of which it begins with one, any where there are none
	start map[string]bool // words that it does not begin with
	end   map[string]bool // words that it does not end with
}

// readBook reads all files in the order of their names.
func readBook(files fs.FS) (*book, error) {
	b := &book{rules: map[string]*definition{}}
	names, err := fs.Glob(files, "commands/*.txt")
	if err != nil {
		return nil, fmt.Errorf("finding command files: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading commands: %w", err)
		}
		if err := b.read(name, string(text)); err != nil {
			return nil, err
		}
	}
	return b, b.check()
}

// line of a file with what continued on the lines after it.
type line struct {
	at       int
	indented bool
	text     string
}

func lines(text string) []line {
	var out []line
	scan := bufio.NewScanner(strings.NewReader(text))
	for at := 1; scan.Scan(); at++ {
		raw, _, _ := strings.Cut(scan.Text(), "#")
		t := strings.TrimSpace(raw)
		switch {
		case t == "":
		case t[0] == '|' && len(out) > 0:
			out[len(out)-1].text += " " + t
		default:
			out = append(out, line{at: at, indented: raw[0] == ' ' || raw[0] == '\t', text: t})
		}
	}
	return out
}

var heading = regexp.MustCompile(`^(?:([a-z]+\.[a-z_]+)|list ([a-z_]+)):$`)

// read adds what one file says.
func (b *book) read(file, text string) error {
	intent, list := "", ""
	for _, l := range lines(text) {
		var err error
		m := heading.FindStringSubmatch(l.text)
		switch {
		case m != nil:
			intent, list = m[1], m[2]
			err = b.open(intent, list)
		case l.indented && intent != "":
			err = b.addTemplate(intent, l.text)
		case l.indented && list != "":
			err = b.addEntry(list, l.text)
		default:
			intent, list = "", ""
			err = b.define(l.text)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, l.at, err)
		}
	}
	return nil
}

func (b *book) open(intent, list string) error {
	if intent != "" {
		if !slices.Contains(b.intents, intent) {
			b.intents = append(b.intents, intent)
		}
		return nil
	}
	return b.add(&definition{name: list, root: &node{kind: choice}, list: map[string]string{}})
}

func (b *book) add(d *definition) error {
	if b.rules[d.name] != nil {
		return fmt.Errorf("rule %q is defined twice", d.name)
	}
	b.rules[d.name] = d
	b.order = append(b.order, d.name)
	return nil
}

func (b *book) addTemplate(intent, source string) error {
	typed := strings.HasPrefix(source, "~ ")
	n, final, err := parseTemplate(strings.TrimPrefix(source, "~ "))
	if err != nil {
		return err
	}
	n.typed = n.typed || typed
	b.templates = append(b.templates, &template{intent: intent, source: source, final: final, root: n})
	return nil
}

// addEntry adds "meter: meter|meters" to a list; every way to say it is kept with its value.
func (b *book) addEntry(list, text string) error {
	value, source, ok := strings.Cut(text, ":")
	if !ok {
		return fmt.Errorf("%q is no entry such as \"meter: meter|meters\"", text)
	}
	n, _, err := parseTemplate(source)
	if err != nil {
		return err
	}
	d := b.rules[list]
	for _, said := range expand(n) {
		if other, ok := d.list[said]; ok && other != value {
			return fmt.Errorf("%q means both %s and %s", said, other, value)
		}
		d.list[said] = value
	}
	d.root.parts = append(d.root.parts, n)
	return nil
}

var definitionLine = regexp.MustCompile(`^(class |free )?([a-z_0-9]+) = (.+)$`)

// define reads "name = template", "class name = a|b" or "free name = 10 not to|when, end the|a".
func (b *book) define(text string) error {
	m := definitionLine.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is neither a heading nor a definition", text)
	}
	d := &definition{name: m[2], class: m[1] == "class "}
	if m[1] == "free " {
		f, err := parseFree(m[3])
		d.free = f
		if err != nil {
			return err
		}
		return b.add(d)
	}
	n, _, err := parseTemplate(m[3])
	if err != nil {
		return err
	}
	if d.class && slices.ContainsFunc(expand(n), func(s string) bool { return strings.Contains(s, " ") }) {
		return fmt.Errorf("class %q holds more than single words", d.name)
	}
	d.root = n
	return b.add(d)
}

func parseFree(text string) (*free, error) {
	most, rest, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(most)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("free span needs its most words first, not %q", most)
	}
	f := &free{most: n, only: map[string]bool{}, start: map[string]bool{}, end: map[string]bool{}}
	for part := range strings.SplitSeq(rest, ",") {
		what, words, _ := strings.Cut(strings.TrimSpace(part), " ")
		into := map[string]map[string]bool{"only": f.only, "not": f.start, "end": f.end}[what]
		if into == nil && what != "" {
			return nil, fmt.Errorf("free span knows \"only\", \"not\" and \"end\", no %q", what)
		}
		for w := range strings.SplitSeq(words, "|") {
			if w != "" {
				into[w] = true
			}
		}
	}
	return f, nil
}

// expand lists all that a template without rules can say.
func expand(n *node) []string {
	switch n.kind {
	case literal:
		return []string{n.text}
	case choice:
		var out []string
		for _, p := range n.parts {
			out = append(out, expand(p)...)
		}
		return out
	case perhaps:
		return append(expand(n.parts[0]), "")
	case series:
		out := []string{""}
		for _, p := range n.parts {
			var next []string
			for _, a := range out {
				for _, z := range expand(p) {
					next = append(next, strings.TrimSpace(a+" "+z))
				}
			}
			out = next
		}
		return out
	}
	return nil
}

// check finds rules that are not there or that need themselves.
func (b *book) check() error {
	state := map[string]int{}
	var visit func(name string) error
	var walk func(n *node) error
	walk = func(n *node) error {
		if n.kind == rule || n.kind == slot {
			return visit(n.text)
		}
		for _, p := range n.parts {
			if err := walk(p); err != nil {
				return err
			}
		}
		return nil
	}
	visit = func(name string) error {
		d := b.rules[name]
		switch {
		case d == nil:
			return fmt.Errorf("rule %q is not defined", name)
		case state[name] == 1:
			return fmt.Errorf("rule %q needs itself", name)
		case state[name] == 2 || d.free != nil:
			return nil
		}
		state[name] = 1
		defer func() { state[name] = 2 }()
		return walk(d.root)
	}
	for _, name := range b.order {
		if err := visit(name); err != nil {
			return err
		}
	}
	for _, t := range b.templates {
		if err := walk(t.root); err != nil {
			return fmt.Errorf("template %q: %w", t.source, err)
		}
	}
	return nil
}

// keeps says that a rule has slots of its own or free spans, which a template that names it takes over.
func (b *book) keeps(n *node) bool {
	switch n.kind {
	case slot, fixed:
		return true
	case rule:
		d := b.rules[n.text]
		return d.free == nil && b.keeps(d.root) || d.free != nil
	}
	return slices.ContainsFunc(n.parts, b.keeps)
}
