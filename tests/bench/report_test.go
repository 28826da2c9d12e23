package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What an earlier run found stays as it is when other parts are measured again.
func TestReportKeepsOtherParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	r, err := readReport(path)
	if err != nil {
		t.Fatal(err)
	}
	r.sections["wake"] = section{goals: []goal{atLeast("wake words", 39, 40, 38)}, text: "Of 40.\n\n| a | b |\n", stamp: "2025-01-02, commit abc"}
	if err := r.write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	for range 3 { // again and again it must not grow
		if r, err = readReport(path); err != nil {
			t.Fatal(err)
		}
		r.sections["turns"] = section{goals: []goal{atMost("p50", 512, 450, "ms")}, text: "fifty turns", stamp: "2025-02-03, commit def"}
		if err := r.write(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	text := r.String(t.Context())
	for _, want := range []string{
		"| wake words | 39 of 40 | at least 38 | met |\n", "| p50 | 512 ms | at most 450 ms | **missed** |\n",
		"Measured 2025-01-02, commit abc.\n\nOf 40.\n\n| a | b |\n", "## Coffee orders\n\nNot run.\n", "fifty turns",
	} {
		if n := strings.Count(text, want); n != 1 {
			t.Errorf("%q is there %d times in\n%s", want, n, text)
		}
	}
}

func TestTable(t *testing.T) {
	tab := newTable("a", "b")
	tab.row("1", "x|y")
	if got, want := tab.String(), "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
