package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with the settings.
type Problem struct {
	Key  string // the setting or variable as written; "" where the file as a whole is wrong
	File string // path, "env" or "flag"
	Line int    // 0 where there are no lines
	What string // what is wrong and what is allowed
}

func (p Problem) Error() string {
	where := p.File
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if p.Key == "" {
		return where + ": " + p.What
	}
	return where + ": " + p.Key + " " + p.What
}

// Problems is all that is wrong, one to a line.
type Problems []Problem

func (ps Problems) Error() string {
	var lines []string
	for _, p := range ps {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// unknownKey tells what would be known in a key's place.
func (s *schema) unknownKey(key string) string {
	sections, inside := map[string]bool{}, []string{}
	section := key[:max(0, strings.LastIndexByte(key, '.'))]
	var keys []string
	for _, f := range s.fields {
		sections[f.section()] = true
		keys = append(keys, f.key)
		if f.section() == section {
			inside = append(inside, f.name())
		}
	}
	text := "is unknown"
	if near := nearest(key, keys); near != "" {
		text += "; did you mean " + near + "?"
	}
	if sections[section] {
		return text + "; known here: " + strings.Join(inside, ", ")
	}
	delete(sections, "")
	return text + "; the sections are " + strings.Join(slices.Sorted(maps.Keys(sections)), ", ")
}

func (l *loader) unknownVariable(name string) string {
	known := slices.Concat(slices.Collect(maps.Keys(l.byEnv)), l.sources.Others)
	slices.Sort(known)
	if near := nearest(name, known); near != "" {
		return "is unknown; did you mean " + near + "?"
	}
	return "is unknown; see .env.example for the names"
}

// nearest is the name that was probably meant, "" when none is near.
func nearest(name string, known []string) string {
	best, dist := "", max(2, len(name)/4)+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace, and neighbours to swap, between a and b.
func distance(a, b string) int {
	before, last := []int{}, make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
