package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// menu is what can be ordered: the values of each slot.
type menu map[string][]string

// drink is what an order was labelled with.
type drink struct {
	Intent string            `json:"intent"`
	Slots  map[string]string `json:"slots"`
}

func measureCoffee(ctx context.Context, b *bench) (section, error) {
	paths, err := b.files("commands", "*.flac")
	if err != nil {
		return section{}, err
	}
	domain := filepath.Join(b.data, "commands", "coffee_maker.yaml")
	grammar, err := exec.CommandContext(ctx, goTool(), "run", "./scripts/coffee", domain).Output()
	if err != nil {
		return section{}, fmt.Errorf("make the grammar: %w", err)
	}
	jsgf := filepath.Join(b.dir, "coffee.jsgf")
	if err := os.WriteFile(jsgf, grammar, 0o644); err != nil {
		return section{}, fmt.Errorf("write the grammar: %w", err)
	}
	text, err := os.ReadFile(domain)
	if err != nil {
		return section{}, fmt.Errorf("read the menu: %w", err)
	}
	labels, err := readLabels(filepath.Join(b.data, "commands", "label.json"))
	if err != nil {
		return section{}, err
	}
	lines, failed := b.ask(ctx, b.dir+"/coffee", append([]string{"transcribe", "--grammar", jsgf}, paths...)...)
	if failed != nil && len(lines) == 0 {
		return section{}, failed
	}
	return judgeCoffee(readMenu(string(text)), labels, lines, len(paths)), nil
}

func readLabels(path string) (map[string]drink, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the labels: %w", err)
	}
	var labels map[string]drink
	if err := json.Unmarshal(text, &labels); err != nil {
		return nil, fmt.Errorf("read the labels: %w", err)
	}
	return labels, nil
}

// judgeCoffee compares what was heard with the labels.
func judgeCoffee(m menu, labels map[string]drink, lines []line, n int) section {
	right := 0
	var length, elapsed float64
	wrong := newTable("heard", "slots heard", "slots said")
	for _, l := range lines {
		if l.Event != "transcript" && l.Event != "error" {
			continue
		}
		said := map[string]string{}
		for k, v := range labels[filepath.Base(l.File)].Slots {
			said[k] = strings.TrimSpace(v)
		}
		got := m.slots(l.Text)
		if maps.Equal(got, said) {
			right++
		} else {
			wrong.row(l.Text, shown(got), shown(said))
		}
		length += l.Length
		elapsed += l.Elapsed / 1000
	}
	s := section{goals: []goal{atLeast("coffee orders with all slots right", right, n, 38)}}
	s.text = fmt.Sprintf("Human orders of the coffee domain through `solo transcribe --grammar`, with the grammar that `scripts/coffee` makes. "+
		"A slot's value is the longest of the menu that the transcript holds, no word counting twice. Exactly right: %s. Real-time factor %s.\n", share(right, n), figure(elapsed/length))
	if right < n {
		s.text += "\n" + wrong.String()
	}
	return s
}

// readMenu reads the lists below "slots:".
func readMenu(text string) menu {
	m := menu{}
	_, text, _ = strings.Cut(text, "slots:")
	slot := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutSuffix(line, ":"); ok {
			slot = name
		}
		if value, ok := strings.CutPrefix(line, "- "); ok && slot != "" {
			m[slot] = append(m[slot], strings.ToLower(strings.Trim(value, `"`)))
		}
	}
	return m
}

// slots are the values in a text. The longest are taken first, and what was taken counts for nothing else: the
// "medium" of "medium roast" is no size.
func (m menu) slots(text string) map[string]string {
	type value struct{ slot, text string }
	var values []value
	for slot, texts := range m {
		for _, t := range texts {
			values = append(values, value{slot, t})
		}
	}
	slices.SortFunc(values, func(a, b value) int { return cmp.Or(len(b.text)-len(a.text), cmp.Compare(a.text, b.text)) })
	found := map[string]string{}
	text = " " + strings.ToLower(text) + " "
	for _, v := range values {
		if rest := strings.Replace(text, " "+v.text+" ", " / ", 1); rest != text && found[v.slot] == "" {
			found[v.slot], text = v.text, rest
		}
	}
	return found
}

func shown(slots map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(slots)) {
		parts = append(parts, k+" "+slots[k])
	}
	return strings.Join(parts, ", ")
}
