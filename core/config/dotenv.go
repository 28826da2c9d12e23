package config

import (
	"fmt"
	"strings"
)

// dotEnv applies a .env file.
func (l *loader) dotEnv(path string) {
	data, ok := l.read(path)
	if !ok {
		return
	}
	vars, problems := parseDotEnv(string(data))
	for _, p := range problems {
		p.File = path
		l.problems = append(l.problems, p)
	}
	l.variables(vars, path)
}

// variable is one NAME=text.
type variable struct {
	name, text string
	line       int // where it begins, from 1; 0 in the environment
}

// parseDotEnv reads lines of
//
//	# a comment
//	export NAME=plain text # a comment after a space
//	NAME='taken as it stands, # and lines too'
//	NAME="with \n \r \t \" \\ \$ and lines"
//
// "export" may be missing. "$" stands for itself everywhere. The last of several equal names counts.
func parseDotEnv(text string) (vars []variable, problems []Problem) {
	r := reader{rest: strings.ReplaceAll(text, "\r\n", "\n"), line: 1}
	for r.rest != "" {
		line := r.line
		v, err := r.variable()
		if err != nil {
			problems = append(problems, Problem{Key: v.name, Line: line, What: err.Error()})
			r.toLineEnd()
		} else if v.name != "" {
			v.line = line
			vars = append(vars, v)
		}
	}
	return vars, problems
}

// reader is what is left of the text, and the number of its first line.
type reader struct {
	rest string
	line int
}

// variable reads one line, or more where a quoted text goes on. No name: an empty line or a comment.
func (r *reader) variable() (v variable, err error) {
	r.blanks()
	if r.atLineEnd() {
		r.toLineEnd()
		return v, nil
	}
	name := r.name()
	if name == "export" && r.rest != "" && (r.rest[0] == ' ' || r.rest[0] == '\t') {
		r.blanks()
		name = r.name()
	}
	v.name = name
	r.blanks()
	if name == "" || !strings.HasPrefix(r.rest, "=") {
		return v, fmt.Errorf("is no NAME=value")
	}
	r.rest = r.rest[1:]
	r.blanks()
	if v.text, err = r.value(); err != nil {
		return v, err
	}
	r.blanks()
	if !r.atLineEnd() {
		return v, fmt.Errorf("has something after the closing quote")
	}
	r.toLineEnd()
	return v, nil
}

func (r *reader) value() (string, error) {
	switch {
	case strings.HasPrefix(r.rest, "'"):
		return r.single()
	case strings.HasPrefix(r.rest, `"`):
		return r.double()
	}
	text, _, _ := strings.Cut(r.rest, "\n")
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
			text = text[:i]
			break
		}
	}
	r.rest = r.rest[len(text):]
	return strings.TrimRight(text, " \t"), nil
}

func (r *reader) single() (string, error) {
	text, _, ok := strings.Cut(r.rest[1:], "'")
	if !ok {
		return "", fmt.Errorf("lacks its closing '")
	}
	r.skip(len(text) + 2)
	return text, nil
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '$': '$'}

func (r *reader) double() (string, error) {
	var b strings.Builder
	for i := 1; i < len(r.rest); i++ {
		switch c := r.rest[i]; c {
		case '"':
			r.skip(i + 1)
			return b.String(), nil
		case '\\':
			if i++; i == len(r.rest) {
				break
			}
			plain, ok := escapes[r.rest[i]]
			if !ok {
				return "", fmt.Errorf(`has \%c; known are \n \r \t \" \\ \$`, r.rest[i])
			}
			b.WriteByte(plain)
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf(`lacks its closing "`)
}

// name takes letters, digits and _, not beginning with a digit.
func (r *reader) name() string {
	i := 0
	for i < len(r.rest) && (r.rest[i] == '_' || 'a' <= r.rest[i]|0x20 && r.rest[i]|0x20 <= 'z' || i > 0 && '0' <= r.rest[i] && r.rest[i] <= '9') {
		i++
	}
	name := r.rest[:i]
	r.rest = r.rest[i:]
	return name
}

func (r *reader) blanks() { r.rest = strings.TrimLeft(r.rest, " \t") }

func (r *reader) atLineEnd() bool {
	return r.rest == "" || strings.ContainsRune("#\n", rune(r.rest[0]))
}

// toLineEnd leaves the rest of the line behind.
func (r *reader) toLineEnd() {
	if i := strings.IndexByte(r.rest, '\n'); i >= 0 {
		r.skip(i + 1)
		return
	}
	r.rest = ""
}

func (r *reader) skip(n int) {
	r.line += strings.Count(r.rest[:n], "\n")
	r.rest = r.rest[n:]
}
