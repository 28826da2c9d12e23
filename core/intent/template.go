package intent

import (
	"fmt"
	"strings"
)

// kind of a node of a parsed template.
type kind uint8

const (
	literal kind = iota // one word
	series              // all parts in order
	choice              // one of the parts
	perhaps             // the part or nothing
	repeat              // the part, once or more
	rule                // what the rule of this name says
	slot                // the same, kept under a slot's name
	fixed               // nothing is said; the slot gets a value
)

// node is a piece of a template.
type node struct {
	kind  kind
	text  string // the word, the rule's name
	slot  string
	value string // of fixed
	typed bool   // only ever written, not for the recogniser
	parts []*node
}

// template is one way to say a command.
type template struct {
	intent string
	source string
	final  bool // when all is said nothing more is waited for
	root   *node
}

// parseTemplate reads one template; its language is described in the package doc.
func parseTemplate(source string) (*node, bool, error) {
	src := strings.TrimSpace(source)
	final := strings.HasSuffix(src, " .")
	if final {
		src = strings.TrimSpace(strings.TrimSuffix(src, "."))
	}
	p := &parser{src: src}
	n, err := p.choices()
	if err != nil {
		return nil, false, fmt.Errorf("reading template %q: %w", source, err)
	}
	if p.at < len(p.src) {
		return nil, false, fmt.Errorf("reading template %q: unexpected %q at column %d", source, p.src[p.at], p.at+1)
	}
	return n, final, nil
}

type parser struct {
	src   string
	at    int
	depth int
}

const maxDepth = 40

func (p *parser) choices() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("more than %d brackets inside each other", maxDepth)
	}
	defer func() { p.depth-- }()
	var parts []*node
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
		if p.at >= len(p.src) || p.src[p.at] != '|' {
			break
		}
		p.at++
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return &node{kind: choice, parts: parts}, nil
}

func (p *parser) sequence() (*node, error) {
	var parts []*node
	for {
		p.blanks()
		if p.at >= len(p.src) || strings.IndexByte("|)]", p.src[p.at]) >= 0 {
			break
		}
		n, err := p.item()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	switch len(parts) {
	case 0:
		return nil, fmt.Errorf("nothing at column %d", p.at+1)
	case 1:
		return parts[0], nil
	}
	return &node{kind: series, parts: parts}, nil
}

func (p *parser) blanks() {
	for p.at < len(p.src) && p.src[p.at] == ' ' {
		p.at++
	}
}

func (p *parser) item() (*node, error) {
	typed := p.src[p.at] == '~'
	if typed {
		p.at++
	}
	n, err := p.simple()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.src) && p.src[p.at] == '+' {
		p.at++
		n = &node{kind: repeat, parts: []*node{n}}
	}
	n.typed = n.typed || typed
	return n, nil
}

func (p *parser) simple() (*node, error) {
	if p.at >= len(p.src) {
		return nil, fmt.Errorf("nothing after the last sign")
	}
	switch c := p.src[p.at]; c {
	case '(', '[':
		p.at++
		n, err := p.choices()
		if err != nil {
			return nil, err
		}
		end := byte(')')
		if c == '[' {
			end, n = ']', &node{kind: perhaps, parts: []*node{n}}
		}
		if p.at >= len(p.src) || p.src[p.at] != end {
			return nil, fmt.Errorf("no %q for the %q", end, c)
		}
		p.at++
		return n, nil
	case '<':
		name, err := p.until('>')
		return &node{kind: rule, text: name}, err
	case '{':
		return p.slot()
	}
	return p.word()
}

func (p *parser) until(end byte) (string, error) {
	i := strings.IndexByte(p.src[p.at:], end)
	if i < 2 {
		return "", fmt.Errorf("no name and %q after column %d", end, p.at+1)
	}
	name := p.src[p.at+1 : p.at+i]
	p.at += i + 1
	return name, nil
}

// slot reads {name}, {name:rule} or {name=value}.
func (p *parser) slot() (*node, error) {
	text, err := p.until('}')
	if err != nil {
		return nil, err
	}
	if name, value, ok := strings.Cut(text, "="); ok {
		if name == "" || value == "" {
			return nil, fmt.Errorf("slot {%s} lacks a name or a value", text)
		}
		return &node{kind: fixed, slot: name, value: value}, nil
	}
	name, of, ok := strings.Cut(text, ":")
	if !ok {
		of = name
	}
	if name == "" || of == "" {
		return nil, fmt.Errorf("slot {%s} lacks a name", text)
	}
	return &node{kind: slot, slot: name, text: of}, nil
}

func (p *parser) word() (*node, error) {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte(" ()[]<>{}|+~", p.src[p.at]) < 0 {
		if p.src[p.at] == '\\' && p.at+1 < len(p.src) {
			p.at++ // the next sign is meant as itself
		}
		p.at++
	}
	if start == p.at {
		return nil, fmt.Errorf("unexpected %q at column %d", p.src[p.at], p.at+1)
	}
	w := strings.NewReplacer(`\(`, "(", `\)`, ")").Replace(p.src[start:p.at])
	if long := contraction[w]; long != "" {
		return nil, fmt.Errorf("write %q in full, %q: both are understood", w, long)
	}
	return &node{kind: literal, text: w}, nil
}
