package proc

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestUnpacked(t *testing.T) {
	data := filepath.Join(t.TempDir(), "with [marks] and *")
	name := Executable("speaker")
	make := func(parts ...string) string {
		path := filepath.Join(append([]string{data}, append(parts, name)...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Skip("skipped: such a folder cannot be made here: ", err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, late, deep := make("speaker-b1"), make("speaker-b2"), make("speaker-b1", "bin")
	make("other")
	want := []string{filepath.Join(data, "bin", name), late, old, deep}
	if got := Unpacked(data, "speaker", "speaker", "", "bin"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Unpacked("data", "speaker", "speaker", ""); got != nil {
		t.Errorf("of a folder that is not absolute: %q", got)
	}
}

func TestFetched(t *testing.T) {
	got := Fetched("llama", "llama-server")
	if len(got) == 0 || !filepath.IsAbs(got[0]) || filepath.Base(filepath.Dir(got[0])) != "llama" || filepath.Base(got[0]) != Executable("llama-server") {
		t.Errorf("%q", got)
	}
}
