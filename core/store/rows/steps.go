package rows

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
)

//go:embed migrations
var migrations embed.FS

const (
	upMark   = "-- +goose Up\n"
	downMark = "-- +goose Down\n"
)

// steps gives an engine's migrations: those for all engines and its own, joined by their numbers.
func steps(e Engine) (fs.FS, error) {
	return join(migrations, "migrations", path.Join("migrations", string(e)))
}

// newest is the highest number of an engine's migrations, by the names of their files.
func newest(e Engine) (most int64) {
	for _, folder := range []string{"migrations", path.Join("migrations", string(e))} {
		files, err := fs.ReadDir(migrations, folder)
		if err != nil {
			return 0
		}
		for _, f := range files {
			number, _, _ := strings.Cut(f.Name(), "_")
			if n, err := strconv.ParseInt(number, 10, 64); err == nil && strings.HasSuffix(f.Name(), ".sql") {
				most = max(most, n)
			}
		}
	}
	return most
}

// join makes one migration of those with the same number: up in the order of the folders, down in the other order.
func join(from fs.FS, folders ...string) (fs.FS, error) {
	type step struct{ name, up, down string }
	joined := map[string]step{}
	for _, folder := range folders {
		names, err := fs.Glob(from, folder+"/*.sql")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			head, down, hasDown := strings.Cut(string(text), downMark)
			head, up, hasUp := strings.Cut(head, upMark)
			if !hasUp || !hasDown || strings.Contains(head, "+goose") {
				return nil, fmt.Errorf("%s needs \"-- +goose Up\", and then \"-- +goose Down\"", name)
			}
			number, _, _ := strings.Cut(path.Base(name), "_")
			s := joined[number]
			if s.name == "" {
				s.name = path.Base(name)
			}
			joined[number] = step{s.name, s.up + "\n" + up, down + "\n" + s.down}
		}
	}
	out := fstest.MapFS{}
	for _, number := range slices.Sorted(maps.Keys(joined)) {
		s := joined[number]
		out[s.name] = &fstest.MapFile{Data: []byte(upMark + s.up + downMark + s.down), Mode: 0o444}
	}
	return out, nil
}
