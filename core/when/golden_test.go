package when_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

var update = flag.Bool("update", false, "write the answers into testdata")

// Each file of testdata begins with the moment and zone at which its phrases are said:
// "now <RFC 3339> <zone>". The other lines are a phrase, " => " and its meaning.
func TestPhrases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables of phrases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { table(t, file) })
	}
}

func table(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var now time.Time
	sc := bufio.NewScanner(strings.NewReader(string(data)))
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "now 2") {
			f := strings.Fields(line)
			at, err := time.Parse(time.RFC3339, f[1])
			if err != nil {
				t.Fatal(err)
			}
			now = at.In(zone(t, f[2]))
			fmt.Fprintln(&out, line)
			continue
		}
		phrase, want, _ := strings.Cut(line, " => ")
		got := describe(phrase, now)
		fmt.Fprintf(&out, "%s => %s\n", phrase, got)
		if got != want && !*update {
			t.Errorf("%q at %s\n got %s\nwant %s", phrase, now.Format(time.RFC3339), got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// describe is a value in one line: kind, start..end, grain, and what was matched where that is not everything.
func describe(phrase string, now time.Time) string {
	v, ok := when.Parse(phrase, now)
	if !ok {
		return "none"
	}
	s := string(v.Kind) + " "
	switch v.Kind {
	case when.Duration:
		s += v.Duration
	case when.Recurrence:
		s += stamp(v.Start) + " " + v.Recurrence
	case when.Interval:
		s += stamp(v.Start) + ".." + stamp(v.End)
	default:
		s += stamp(v.Start)
	}
	s += " " + string(v.Grain)
	if m := phrase[v.Span[0]:v.Span[1]]; m != phrase {
		s += " [" + m + "]"
	}
	return s
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("2006-01-02T15:04:05-07:00")
}
