package config

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// spot is where a key stands, or where its line shall go.
type spot struct {
	value  [2]int // bytes of its value, [0, 0] if it has none
	insert int    // start of a line
	table  bool   // the key's table is open at insert
	within [2]int // the table's lines
}

// line is what to insert for a key which the file lacks.
func (s spot) line(doc []byte, key, text string) string {
	end := "\n"
	if bytes.Contains(doc, []byte("\r\n")) {
		end = "\r\n"
	}
	line := key + " = " + text + end
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		line = key[i+1:] + " = " + text + end
		if !s.table {
			line = "[" + key[:i] + "]" + end + line
			if s.insert > 0 {
				line = end + line
			}
		}
	}
	if s.insert > 0 && doc[s.insert-1] != '\n' {
		line = end + line
	}
	return line
}

// locate finds a key's value, or the best place for it: after the comment that shows it as an example,
// else after the last entry of its table.
func locate(doc []byte, key string) spot {
	section := key[:max(0, strings.LastIndexByte(key, '.'))]
	at := spot{insert: len(doc)}
	if section == "" {
		at = spot{table: true, within: [2]int{0, len(doc)}} // before everything
	}
	w := walker{data: doc}
	w.parser.Reset(doc)
	for w.parser.NextExpression() {
		n := w.parser.Expression()
		before := len(w.entries)
		end := endOfKey(doc, n)
		w.expression(n)
		if n.Kind == unstable.KeyValue {
			from := startOfValue(doc, end)
			end = endOfValue(doc, from)
			if len(w.entries) == before+1 && w.entries[before].key == key {
				return spot{value: [2]int{from, end}}
			}
		}
		at.pass(doc, n, end, strings.Join(w.table, ".") == section)
	}
	if i := example(doc[at.within[0]:at.within[1]], key); i > 0 {
		at.insert = at.within[0] + i
	}
	return at
}

// pass takes note of an expression which ends at end and stands in the key's own table or in another.
func (s *spot) pass(doc []byte, n *unstable.Node, end int, own bool) {
	header := n.Kind != unstable.KeyValue
	switch {
	case own && n.Kind != unstable.ArrayTable:
		s.insert, s.table = nextLine(doc, end), true
		if header {
			s.within = [2]int{s.insert, len(doc)}
		}
	case header && s.within[1] == len(doc): // the table that follows ours
		s.within[1] = max(s.within[0], 1+bytes.LastIndexByte(doc[:end], '\n'))
	}
}

// example is where the line "#name = ..." ends in some lines, 0 if there is none.
func example(lines []byte, key string) int {
	name := key[strings.LastIndexByte(key, '.')+1:]
	line := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*` + regexp.QuoteMeta(name) + `[ \t]*=.*(\n|\z)`)
	if found := line.FindIndex(lines); found != nil {
		return found[1]
	}
	return 0
}

// endOfKey is the byte after a header's or an entry's key.
func endOfKey(doc []byte, n *unstable.Node) (end int) {
	for it := n.Key(); it.Next(); {
		end = int(it.Node().Raw.Offset + it.Node().Raw.Length)
	}
	return end
}

func startOfValue(doc []byte, from int) int {
	from += bytes.IndexByte(doc[from:], '=') + 1
	for from < len(doc) && (doc[from] == ' ' || doc[from] == '\t') {
		from++
	}
	return from
}

func nextLine(doc []byte, from int) int {
	if i := bytes.IndexByte(doc[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(doc)
}
