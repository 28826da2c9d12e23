package config

import "bytes"

// endOfValue finds the end of the TOML value that begins at from, in a document that is valid.
// go-toml's syntax tree does not tell it for every kind of value.
func endOfValue(doc []byte, from int) int {
	depth := 0 // of brackets
	for i := from; i < len(doc); {
		switch c := doc[i]; {
		case c == '"' || c == '\'':
			i = endOfString(doc, i)
			if depth == 0 {
				return i
			}
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case c == '#' && depth > 0:
			i = nextLine(doc, i)
			continue
		case depth == 0 && (c == '#' || c == '\n' || c == ','):
			return trimmed(doc, from, i)
		}
		i++
	}
	return trimmed(doc, from, len(doc))
}

// trimmed moves end back over blanks.
func trimmed(doc []byte, from, end int) int {
	return from + len(bytes.TrimRight(doc[from:end], " \t\r"))
}

// endOfString is the byte after the string that begins at from.
func endOfString(doc []byte, from int) int {
	q := doc[from : from+1]
	basic := q[0] == '"'
	if triple := bytes.Repeat(q, 3); bytes.HasPrefix(doc[from:], triple) {
		q = triple
	}
	for i := from + len(q); i < len(doc); i++ {
		if basic && doc[i] == '\\' {
			i++
			continue
		}
		if !bytes.HasPrefix(doc[i:], q) {
			continue
		}
		i += len(q)
		for len(q) == 3 && i < len(doc) && doc[i] == q[0] { // up to two quotes may stand before the closing three
			i++
		}
		return i
	}
	return len(doc)
}
