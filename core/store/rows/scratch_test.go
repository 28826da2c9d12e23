package rows

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestScratchIsACopyThatLeavesNoTrace(t *testing.T) {
	db := fresh(t)
	o := owner(t, db)
	keep(t, o, "kept")
	s, err := db.Scratch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tried := owner(t, s)
	keep(t, tried, "tried")
	if got := texts(t, tried); !slices.Equal(got, []string{"kept", "tried"}) {
		t.Errorf("the copy has %v", got)
	}
	if got := texts(t, o); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("the original has %v", got)
	}
	dir := filepath.Dir(s.Path())
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the copy's folder: %v, %v", info.Mode(), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy is left: %v", err)
	}
}

func BenchmarkScratch(b *testing.B) {
	db := fresh(b)
	o := owner(b, db)
	for range 100 {
		keep(b, o, "the spare key is under the blue pot")
	}
	for b.Loop() {
		s, err := db.Scratch(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
