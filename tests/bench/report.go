package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// section is what a part found.
type section struct {
	goals []goal
	text  string // Markdown
	stamp string // when and from what
}

// goal is a figure with a target.
type goal struct {
	what, value, target string
	met                 bool
}

// atMost and atLeast make goals of numbers.
func atMost(what string, v, limit float64, unit string) goal {
	return goal{what, figure(v) + " " + unit, fmt.Sprintf("at most %g %s", limit, unit), v <= limit}
}

func atLeast(what string, k, n, limit int) goal {
	return goal{what, fmt.Sprintf("%d of %d", k, n), fmt.Sprintf("at least %d", limit), k >= limit}
}

// report is docs/benchmarks.md: a section for each part, those of earlier runs included.
type report struct {
	sections map[string]section
}

var (
	sectionMark = regexp.MustCompile(`(?s)<!-- part (\w+): (.*?) -->\n(.*?)<!-- end of part -->`)
	goalMark    = regexp.MustCompile(`<!-- goal: (.*) \| (.*) \| (.*) \| (true|false) -->\n`)
)

// readReport reads the sections of an earlier report; there need not be one.
func readReport(path string) (report, error) {
	r := report{map[string]section{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the report of earlier runs: %w", err)
	}
	for _, m := range sectionMark.FindAllStringSubmatch(string(text), -1) {
		s := section{stamp: m[2], text: goalMark.ReplaceAllString(m[3], "")}
		for _, g := range goalMark.FindAllStringSubmatch(m[3], -1) {
			s.goals = append(s.goals, goal{g[1], g[2], g[3], g[4] == "true"})
		}
		r.sections[m[1]] = s
	}
	return r, nil
}

func (r report) write(ctx context.Context, path string) error {
	if err := os.WriteFile(path, []byte(r.String(ctx)), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// String is the whole report.
func (r report) String(ctx context.Context) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmarks\n\nWritten by `make bench`, never by hand. Last run %s, commit %s (a plus: with changes not committed), on %s. ",
		time.Now().UTC().Format("2006-01-02"), commit(ctx), machine())
	b.WriteString("Each section says when it was measured, because `make bench PARTS=\"wake coffee\"` renews only some; ")
	b.WriteString("times are wall time on a machine that was as busy as its load average says.\n\n")
	b.WriteString("| measured | value | target | |\n|---|---|---|---|\n")
	for _, p := range parts {
		for _, g := range r.sections[p.name].goals {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", g.what, g.value, g.target, map[bool]string{true: "met", false: "**missed**"}[g.met])
		}
	}
	for _, p := range parts {
		s, measured := r.sections[p.name]
		fmt.Fprintf(&b, "\n## %s\n\n", p.title)
		if !measured {
			fmt.Fprintf(&b, "Not run.\n")
			continue
		}
		b.WriteString(s.block(p.name))
	}
	return b.String()
}

// block is a section so that readReport can read it again.
func (s section) block(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- part %s: %s -->\n", name, s.stamp)
	for _, g := range s.goals {
		fmt.Fprintf(&b, "<!-- goal: %s | %s | %s | %t -->\n", g.what, g.value, g.target, g.met)
	}
	text := strings.TrimSpace(s.text)
	if measured := "Measured " + s.stamp + "."; !strings.HasPrefix(text, measured) {
		text = measured + "\n\n" + text
	}
	b.WriteString(text + "\n<!-- end of part -->\n")
	return b.String()
}

// table is a Markdown table.
type table struct{ strings.Builder }

func newTable(heads ...string) *table {
	t := new(table)
	t.row(heads...)
	t.row(strings.Split(strings.Repeat("---,", len(heads)-1)+"---", ",")...)
	return t
}

func (t *table) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
