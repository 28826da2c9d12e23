package tests

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// inspect walks a tree and returns every fault, in the order of the files. It parses files, because
// that sees every build tag, and because a test that asks "go list" is cached and stays green.
func inspect(house fs.FS) []string {
	in := inspector{house: house, rooms: map[string]*room{}}
	err := fs.WalkDir(house, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && in.passOver(name):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			in.file(name)
		}
		return nil
	})
	if err != nil {
		in.fault("%v", err)
	}
	in.judgeRooms()
	return in.faults
}

type inspector struct {
	house  fs.FS
	rooms  map[string]*room
	order  []string
	faults []string
}

// room is one folder with Go files.
type room struct{ says, generated, real bool } // real: has more than tests

func (in *inspector) fault(format string, args ...any) {
	in.faults = append(in.faults, fmt.Sprintf(format, args...))
}

// passOver is true for what is not ours: hidden folders, test data, other modules.
func (in *inspector) passOver(dir string) bool {
	base := path.Base(dir)
	if dir == "." {
		return false
	}
	_, err := fs.Stat(in.house, path.Join(dir, "go.mod"))
	return err == nil || base[0] == '.' || base[0] == '_' || slices.Contains([]string{"testdata", "vendor", "node_modules", "bin", "dist"}, base)
}

func (in *inspector) file(name string) {
	text, err := fs.ReadFile(in.house, name)
	if err != nil {
		in.fault("%v", err)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		in.fault("%v", err)
		return
	}
	r := in.room(path.Dir(name))
	if ast.IsGenerated(f) {
		r.generated = true
		return
	}
	isTest := strings.HasSuffix(name, "_test.go")
	in.doc(r, name, f)
	if isTest {
		return
	}
	r.real = true
	in.shape(name, f, text)
	for _, i := range f.Imports {
		in.imported(name, strings.Trim(i.Path.Value, `"`))
	}
}

func (in *inspector) room(dir string) *room {
	if in.rooms[dir] == nil {
		in.rooms[dir] = &room{}
		in.order = append(in.order, dir)
	}
	return in.rooms[dir]
}

// doc checks that what a file says about its package has the usual form, and says something.
func (in *inspector) doc(r *room, name string, f *ast.File) {
	if f.Doc == nil {
		return
	}
	kind, want := "package", "Package "+f.Name.Name
	if f.Name.Name == "main" {
		kind, want = "command", "Command "+path.Base(path.Dir(name))
	}
	says, ok := strings.CutPrefix(f.Doc.Text(), want)
	if !ok {
		in.fault(`%s: a %s's doc begins "// %s ..."`, name, kind, want)
		r.says = true // wrongly, but that was told
		return
	}
	line, _, _ := strings.Cut(says, "\n")
	r.says = r.says || len(strings.Fields(line)) >= 2
}

// shape checks what needs no other file.
func (in *inspector) shape(name string, f *ast.File, text []byte) {
	dir := path.Dir(name)
	if lines := bytes.Count(text, []byte("\n")); lines > longestFile {
		in.fault("%s has %d lines, more than %d", name, lines, longestFile)
	}
	if slices.Contains(empty, f.Name.Name) && f.Name.Name != path.Base(dir) {
		in.fault("%s: the name %s says nothing about its job", dir, f.Name.Name)
	}
	if dir == "core" && path.Base(name) != "doc.go" {
		in.fault("%s: core itself holds only doc.go", name)
	}
}

var stranger = regexp.MustCompile(`^[^/]+\.`) // not of the standard library

// imported checks one import of one file.
func (in *inspector) imported(name, what string) {
	from := path.Dir(name)
	to, ours := strings.CutPrefix(what, module)
	switch {
	case !ours && slices.Contains(plain, from) && stranger.MatchString(what):
		in.fault("%s imports %s; words need the standard library only", name, what)
	case !ours || exceptions[[2]string{from, to}] != "" || within(from, to):
	case isSuite(to):
		in.fault("%s imports %s, which is for tests", name, to)
	case isSuite(from) && (strings.HasPrefix(to, path.Dir(from)) || to == "tests/corpus"): // it may know what it tests, and on what
	case floorOf(to) < 0:
		in.fault("%s imports %s, which has no floor in this house", name, to)
	case floorOf(from) >= 0 && floorOf(to) >= floorOf(from):
		in.fault("%s imports %s, which is not below it", name, to)
	case floorOf(to) == engines && floorOf(from) != roof:
		in.fault("%s names the engine %s; ask for an interface", name, to)
	}
}

// isSuite is true for a suite of tests that the rooms beside it share, such as audio/stt/stttest.
func isSuite(name string) bool { return strings.HasSuffix(path.Base(name), "test") }

// within is true when both are the same room or a room inside it: audio/wake/porcupine/internal/unpack.
func within(from, to string) bool { return place(from) != "" && place(from) == place(to) }

// place is the room to which a package belongs: the engine, the tool, or the part.
func place(name string) string {
	pattern, _ := planned(name)
	if dir, wild := strings.CutSuffix(pattern, "/*"); wild {
		return dir + "/" + strings.Split(name[len(dir)+1:], "/")[0]
	}
	return pattern
}

func floorOf(name string) int {
	_, floor := planned(name)
	return floor
}

// planned finds the entry of the plan that fits a package best: its own, else a pattern or a part around it.
func planned(name string) (pattern string, floor int) {
	best := -1
	floor = -1
	for i, patterns := range floors {
		for _, p := range patterns {
			dir, wild := strings.CutSuffix(p, "/*")
			score := -1
			switch inside := strings.HasPrefix(name, dir+"/"); {
			case p == name:
				score = 1000
			case inside && wild:
				score = 2*len(dir) + 1
			case inside && hasInnerRooms(p):
				score = 2 * len(dir)
			}
			if score > best {
				pattern, floor, best = p, i, score
			}
		}
	}
	return pattern, floor
}

// hasInnerRooms lets a room be divided further, but not the vocabulary and core, under which every
// room has a place of its own.
func hasInnerRooms(p string) bool {
	return p != "core" && !slices.Contains(plain, p)
}

func (in *inspector) judgeRooms() {
	for _, dir := range in.order {
		r := in.rooms[dir]
		if r.generated && !r.real {
			continue
		}
		if floorOf(dir) < 0 {
			in.fault("%s has no floor in this house", dir)
		}
		if slices.Contains(empty, path.Base(dir)) {
			in.fault("%s: the name says nothing about its job", dir)
		}
		if !r.says {
			in.fault("%s does not say its job", dir)
		}
	}
}
