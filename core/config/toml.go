package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// file applies a TOML file.
func (l *loader) file(path string) {
	data, ok := l.read(path)
	if !ok {
		return
	}
	entries, problem := readTOML(data)
	if problem != nil {
		problem.File = path
		l.problems = append(l.problems, *problem)
		return
	}
	for _, e := range entries {
		f := l.find(e.key)
		switch {
		case f != nil && e.value == nil:
			l.problems = append(l.problems, Problem{e.key, path, e.line, "is in a list of tables: write [" + f.section() + "]"})
		case f != nil:
			l.put(f, place{file: path, line: e.line, name: e.key}, e.value)
		case e.header && l.isSection(e.key):
		case !e.header && l.isSection(e.key):
			l.problems = append(l.problems, Problem{e.key, path, e.line, "is a section, not a setting: write [" + e.key + "]"})
		default:
			l.problems = append(l.problems, Problem{e.key, path, e.line, l.unknownKey(e.key)})
		}
	}
}

// read is false where there is no file; one that cannot be read is a problem.
func (l *loader) read(path string) ([]byte, bool) {
	if path == "" {
		return nil, false
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problems = append(l.problems, Problem{File: path, What: "cannot be read: " + err.Error()})
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), err == nil
}

func (s *schema) isSection(key string) bool {
	for _, f := range s.fields {
		if strings.HasPrefix(f.key, key+".") {
			return true
		}
	}
	return false
}

// entry is one "key = value" of a TOML file, or an empty table's header.
type entry struct {
	key    string // dotted, with the table's name
	line   int    // from 1
	value  any    // as go-toml gives it
	header bool
}

// readTOML returns a file's entries in their order, with lines, which go-toml's own maps lack.
func readTOML(data []byte) ([]entry, *Problem) {
	w := walker{data: data}
	w.parser.Reset(data)
	for w.parser.NextExpression() {
		w.expression(w.parser.Expression())
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return nil, w.problem(err)
	}
	for i, path := range w.paths {
		w.entries[i].value = lookup(tree, path)
	}
	return w.withoutFullHeaders(), nil
}

// walker collects entries and their paths from the syntax tree.
type walker struct {
	parser  unstable.Parser
	data    []byte
	table   []string
	entries []entry
	paths   [][]string
}

func (w *walker) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable:
		path, line := w.path(nil, n)
		w.table = path
		w.add(path, line, true)
	case unstable.KeyValue:
		w.keyValue(w.table, n)
	}
}

func (w *walker) keyValue(table []string, n *unstable.Node) {
	path, line := w.path(table, n)
	v := n.Value()
	if v.Kind != unstable.InlineTable {
		w.add(path, line, false)
		return
	}
	for it := v.Children(); it.Next(); {
		w.keyValue(path, it.Node())
	}
}

func (w *walker) add(path []string, line int, header bool) {
	w.entries = append(w.entries, entry{key: strings.Join(path, "."), line: line, header: header})
	w.paths = append(w.paths, path)
}

func (w *walker) path(table []string, n *unstable.Node) (path []string, line int) {
	path = append(path, table...)
	for it := n.Key(); it.Next(); {
		line = 1 + bytes.Count(w.data[:it.Node().Raw.Offset], []byte("\n"))
		path = append(path, string(it.Node().Data))
	}
	return path, line
}

// withoutFullHeaders drops the headers of tables that have entries: those tell enough.
func (w *walker) withoutFullHeaders() (kept []entry) {
	for i, e := range w.entries {
		if e.header && i+1 < len(w.entries) && !w.entries[i+1].header {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// problem says where go-toml's error is. It tells no line for a key that is set twice.
func (w *walker) problem(err error) *Problem {
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := d.Position()
		text := fmt.Sprintf("is no TOML at column %d: %s", column, strings.TrimPrefix(d.Error(), "toml: "))
		return &Problem{Key: strings.Join(d.Key(), "."), Line: line, What: text}
	}
	first := map[string]int{}
	for _, e := range w.entries {
		if line, seen := first[e.key]; seen {
			return &Problem{Key: e.key, Line: e.line, What: fmt.Sprintf("is there twice, first on line %d", line)}
		}
		first[e.key] = e.line
	}
	return &Problem{What: strings.TrimPrefix(err.Error(), "toml: ")}
}

// lookup follows a path into what go-toml decoded; nil where it leads into a list of tables.
func lookup(tree any, path []string) any {
	for _, name := range path {
		m, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = m[name]
	}
	return tree
}
