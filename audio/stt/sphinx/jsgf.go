package sphinx

import (
	"strconv"
	"strings"
)

// expr is one piece of a rule's right-hand side.
type expr struct {
	op     op
	word   string // of opWord and opRule
	weight float64
	parts  []*expr
	line   int
}

type op byte

const (
	opWord op = iota
	opRule
	opThen   // parts in order
	opEither // one of the parts, weighed
	opMaybe  // part or nothing
	opAny    // part 0 or more times
	opMany   // part once or more
)

// rules is a parsed grammar: JSGF 1.0 without imports.
type rules struct {
	byName map[string]*rule
	public []*rule // in their order
}

type rule struct {
	name   string
	line   int
	public bool
	body   *expr
}

// deepest nesting of brackets; a guard against a hostile file eating the stack
const maxDepth = 200

type parser struct {
	lex   lexer
	tok   token
	depth int
}

// parseJSGF reads a grammar; an error is a *GrammarError.
func parseJSGF(text string) (*rules, error) {
	body := strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	p := &parser{lex: lexer{rest: body, line: 1 + strings.Count(text[:len(text)-len(body)], "\n")}}
	if err := p.header(); err != nil {
		return nil, err
	}
	rs := &rules{byName: map[string]*rule{}}
	for p.tok.kind != tokEnd {
		r, err := p.rule()
		if err != nil {
			return nil, err
		}
		if was := rs.byName[r.name]; was != nil {
			return nil, wrong(r.line, "<%s> was made before, in line %d", r.name, was.line)
		}
		rs.byName[r.name] = r
		if r.public {
			rs.public = append(rs.public, r)
		}
	}
	if len(rs.public) == 0 {
		return nil, wrong(p.tok.line, "no rule is public")
	}
	return rs, nil
}

// header reads "#JSGF V1.0 ...;" and "grammar name;" and stands on the first rule.
func (p *parser) header() error {
	if !strings.HasPrefix(p.lex.rest, "#JSGF") {
		return wrong(p.lex.line, "a grammar begins with #JSGF V1.0;")
	}
	end := strings.IndexByte(p.lex.rest, ';')
	if nl := strings.IndexByte(p.lex.rest, '\n'); end < 0 || nl >= 0 && nl < end {
		return wrong(p.lex.line, "the first line lacks its ;")
	}
	p.lex.rest = p.lex.rest[end+1:]
	if err := p.step(); err != nil {
		return err
	}
	if p.tok.kind != tokWord || p.tok.text != "grammar" {
		return nil // the name of the grammar may be left out
	}
	for p.tok.kind == tokWord {
		if err := p.step(); err != nil {
			return err
		}
	}
	return p.want(';', "after the grammar's name")
}

func (p *parser) step() (err error) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) want(k kind, where string) error {
	if p.tok.kind != k {
		return wrong(p.tok.line, "%q is missing %s, found %s", rune(k), where, p.found())
	}
	return p.step()
}

func (p *parser) found() string {
	if p.tok.kind == tokEnd {
		return "the end"
	}
	return strconv.Quote(p.tok.text)
}

func (p *parser) rule() (*rule, error) {
	r := &rule{line: p.tok.line}
	if p.tok.kind == tokWord && p.tok.text == "import" {
		return nil, wrong(r.line, "imports are not read; put all rules into one file")
	}
	if p.tok.kind == tokWord && p.tok.text == "public" {
		r.public = true
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if p.tok.kind != tokRule || p.tok.text == "" || p.tok.text == "NULL" || p.tok.text == "VOID" {
		return nil, wrong(p.tok.line, "a rule such as <name> = words; is expected, found %s", p.found())
	}
	r.name = p.tok.text
	if err := p.step(); err != nil {
		return nil, err
	}
	if err := p.want('=', "after <"+r.name+">"); err != nil {
		return nil, err
	}
	body, err := p.either()
	if err != nil {
		return nil, err
	}
	r.body = body
	return r, p.want(';', "at the end of <"+r.name+">")
}

// either reads alternatives divided by |.
func (p *parser) either() (*expr, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, wrong(p.tok.line, "brackets are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	e, weighed := &expr{op: opEither, line: p.tok.line}, false
	for {
		part, err := p.then()
		if err != nil {
			return nil, err
		}
		weighed = weighed || part.weight > 0
		e.parts = append(e.parts, part)
		if p.tok.kind != '|' {
			break
		}
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	share(e.parts, weighed)
	if len(e.parts) == 1 {
		return e.parts[0], nil
	}
	return e, nil
}

// share turns weights into parts of one; without any weight every part counts fully.
func share(parts []*expr, weighed bool) {
	sum := 0.0
	for _, p := range parts {
		if p.weight == 0 {
			p.weight = 1
		}
		sum += p.weight
	}
	for _, p := range parts {
		if p.weight /= sum; !weighed {
			p.weight = 1
		}
	}
}

// then reads an optional weight and a run of items.
func (p *parser) then() (*expr, error) {
	e := &expr{op: opThen, line: p.tok.line}
	if p.tok.kind == tokWeight {
		w, err := strconv.ParseFloat(p.tok.text, 64)
		if err != nil || !(w > 0 && w <= 1e6) {
			return nil, wrong(p.tok.line, "/%s/ is no weight above 0", p.tok.text)
		}
		e.weight = w
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	for {
		item, err := p.item()
		if err != nil {
			return nil, err
		}
		if item == nil {
			break
		}
		e.parts = append(e.parts, item)
	}
	if len(e.parts) == 0 {
		return nil, wrong(p.tok.line, "words are expected, found %s", p.found())
	}
	return e, nil
}

// item reads a word, a rule or a bracket, and the * or + after it; nil where none stands.
func (p *parser) item() (*expr, error) {
	e := &expr{line: p.tok.line, word: p.tok.text}
	var err error
	switch p.tok.kind {
	case tokWord:
		e.op, e.word = opWord, strings.ToLower(e.word)
		err = p.step()
	case tokQuoted:
		e.op = opThen
		for _, w := range strings.Fields(strings.ToLower(p.tok.text)) {
			if err := sayable(w, e.line); err != nil {
				return nil, err
			}
			e.parts = append(e.parts, &expr{op: opWord, word: w, line: e.line})
		}
		err = p.step()
	case tokRule:
		e.op = opRule
		err = p.step()
	case '(':
		e, err = p.bracket(')')
	case '[':
		var inner *expr
		if inner, err = p.bracket(']'); err == nil {
			e = &expr{op: opMaybe, parts: []*expr{inner}, line: inner.line}
		}
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.repeat(e)
}

func (p *parser) bracket(closing kind) (*expr, error) {
	if err := p.step(); err != nil {
		return nil, err
	}
	inner, err := p.either()
	if err != nil {
		return nil, err
	}
	return inner, p.want(closing, "to close the bracket")
}

func (p *parser) repeat(e *expr) (*expr, error) {
	for {
		switch p.tok.kind {
		case '*':
			e = &expr{op: opAny, parts: []*expr{e}, line: e.line}
		case '+':
			e = &expr{op: opMany, parts: []*expr{e}, line: e.line}
		default:
			return e, nil
		}
		if err := p.step(); err != nil {
			return nil, err
		}
	}
}
