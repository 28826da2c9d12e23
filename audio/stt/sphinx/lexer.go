package sphinx

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GrammarError says what is wrong with a JSGF grammar and where.
type GrammarError struct {
	Line int // counted from 1
	What string
}

func (e *GrammarError) Error() string { return fmt.Sprintf("grammar line %d: %s", e.Line, e.What) }

func wrong(line int, format string, a ...any) error {
	return &GrammarError{Line: line, What: fmt.Sprintf(format, a...)}
}

// kind of a token: a mark stands for itself, the others carry text.
type kind byte

const (
	tokEnd    kind = 0
	tokWord   kind = 'w'
	tokQuoted kind = '"'
	tokRule   kind = '<' // text is the name without brackets
	tokWeight kind = '/'
)

type token struct {
	kind kind
	text string
	line int
}

// lexer cuts JSGF into tokens; comments and tags in braces vanish.
type lexer struct {
	rest string
	line int
}

// longestWord is in bytes.
const longestWord = 100

const marks = "=;|()[]*+"

func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	if l.rest == "" {
		return token{kind: tokEnd, line: l.line}, nil
	}
	switch c := l.rest[0]; {
	case strings.IndexByte(marks, c) >= 0:
		l.rest = l.rest[1:]
		return token{kind(c), string(c), l.line}, nil
	case c == '<':
		return l.until(tokRule, '>')
	case c == '/':
		return l.until(tokWeight, '/')
	case c == '"':
		return l.until(tokQuoted, '"')
	case c == '}' || c == '>':
		return token{}, wrong(l.line, "%q closes nothing", c)
	}
	return l.word()
}

// until reads what stands between the mark at hand and its closing mark, on one line.
func (l *lexer) until(k kind, closing byte) (token, error) {
	body := l.rest[1:]
	i := strings.IndexByte(body, closing)
	if nl := strings.IndexByte(body, '\n'); i < 0 || nl >= 0 && nl < i {
		return token{}, wrong(l.line, "%q is not closed by %q", l.rest[:1], closing)
	}
	l.rest = body[i+1:]
	return token{k, strings.TrimSpace(body[:i]), l.line}, nil
}

func (l *lexer) word() (token, error) {
	end := strings.IndexFunc(l.rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(marks+`<>{}/"`, r)
	})
	if end < 0 {
		end = len(l.rest)
	}
	w := l.rest[:end]
	l.rest = l.rest[end:]
	return token{tokWord, w, l.line}, sayable(w, l.line)
}

// sayable refuses what is no word, whether quoted or not.
func sayable(w string, line int) error {
	switch {
	case len(w) > longestWord:
		return wrong(line, "the word %q... is too long", w[:20])
	case !utf8.ValidString(w) || strings.IndexFunc(w, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0:
		return wrong(line, "%q is not text", w)
	case strings.ContainsAny(w, marks+`<>{}/"`):
		return wrong(line, "%q is no word", w)
	}
	return nil
}

// skip passes white space, comments and tags.
func (l *lexer) skip() error {
	for {
		trimmed := strings.TrimLeftFunc(l.rest, unicode.IsSpace)
		l.line += strings.Count(l.rest[:len(l.rest)-len(trimmed)], "\n")
		l.rest = trimmed
		var closing string
		switch {
		case strings.HasPrefix(l.rest, "//"):
			if i := strings.IndexByte(l.rest, '\n'); i >= 0 {
				l.rest = l.rest[i:]
			} else {
				l.rest = ""
			}
			continue
		case strings.HasPrefix(l.rest, "/*"):
			closing = "*/"
		case strings.HasPrefix(l.rest, "{"):
			closing = "}"
		default:
			return nil
		}
		i := strings.Index(l.rest, closing)
		if i < 0 {
			return wrong(l.line, "%q is not closed by %q", l.rest[:len(closing)], closing)
		}
		l.line += strings.Count(l.rest[:i], "\n")
		l.rest = l.rest[i+len(closing):]
	}
}
