package rows

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// A damaged file is put aside, and what can be read of it is in the new one.
func TestSalvage(t *testing.T) {
	pgtest.OnlyFiles(t)
	const facts = 400
	for name, tt := range map[string]struct {
		harm  func(data []byte) []byte
		least int // facts that are still there
		sound bool
	}{
		"a hole in the middle": {func(d []byte) []byte { copy(d[len(d)*3/4:], bytes.Repeat([]byte{0xA5}, 8192)); return d }, facts / 3, false},
		"its end is cut off":   {func(d []byte) []byte { return d[:len(d)*3/4/4096*4096] }, facts / 3, false},
		"no database at all":   {func([]byte) []byte { return []byte(strings.Repeat("not a database ", 500)) }, 0, false},
		"its head is gone":     {func(d []byte) []byte { copy(d, make([]byte, 4096)); return d }, 0, false},
		"empty":                {func([]byte) []byte { return nil }, 0, false},
		"nothing":              {func(d []byte) []byte { return d }, facts, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "solo.db")
			db := must(Open(t.Context(), Config{Path: path}))(t)
			o := owner(t, db)
			var all []Fact
			for i := range facts {
				all = append(all, Fact{Text: fmt.Sprintf("fact %d %s", i, strings.Repeat("x", 500))})
			}
			must(o.PutFacts(t.Context(), all...))(t)
			must(o.AddMessages(t.Context(), "a talk", Message{Role: "user", Text: "hello"}))(t)
			if err := errors.Join(db.Condemn(), db.Close()); err != nil || !Damaged(path) {
				t.Fatal(err)
			}
			data := must(os.ReadFile(path))(t)
			if err := os.WriteFile(path, tt.harm(data), 0o600); err != nil {
				t.Fatal(err)
			}
			harmed := must(os.ReadFile(path))(t)
			s, err := Salvage(t.Context(), path)
			if err != nil || Damaged(path) {
				t.Fatal(err)
			}
			t.Logf("%+v", s)
			if aside := must(os.ReadFile(s.Aside))(t); len(aside) < len(harmed) {
				t.Errorf("%d of %d bytes were put aside", len(aside), len(harmed))
			}
			again := reopen(t, path)
			got := texts(t, owner(t, again))
			if len(got) < tt.least || tt.sound && len(got) != facts {
				t.Errorf("%d facts are left, want at least %d", len(got), tt.least)
			}
			for _, text := range got {
				if !slices.ContainsFunc(all, func(f Fact) bool { return f.Text == text }) {
					t.Fatalf("%.60q was never said", text)
				}
			}
			if tt.sound != (len(s.Torn) == 0) {
				t.Errorf("torn: %v", s.Torn)
			}
			if err := again.Check(t.Context()); err != nil {
				t.Error(err)
			}
			keep(t, owner(t, again), "goes on")
		})
	}
}
