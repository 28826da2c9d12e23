package intent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Markdown writes docs/intents.md: the commands, their slots and the examples given for each.
func (c *Commands) Markdown(examples map[string][]string) string {
	var b strings.Builder
	b.WriteString(`# Commands

Made by ` + "`go generate ./core/intent`" + ` from core/intent/commands; do not edit.

The name of a command is the name of the tool that it calls, and its slots are the tool's arguments. Slots hold text in these forms:

| form | meaning | examples |
|---|---|---|
| duration | ISO 8601, hours, minutes and seconds | PT10M, PT1H30M, PT1M30S, PT48H |
| number | decimal | 25, 2.5, -10 |
| percent | decimal, 0 to 100; negative in volume.change for quieter | 40, -10 |
| expression | numbers, + - * / ^, parentheses, sqrt() | 5 + 6 * 2, 15 / 100 * 80, sqrt(16) |
| unit | one of the units below | mile, celsius, kilometer per hour |
| time phrase | the words themselves; core/when says what they mean | tomorrow at nine, in ten minutes, every monday at 7pm |
| flag | "true", or the slot is not there | true |
| words | as they were said or written, without what is around them | call mom, my locker code |

`)
	for _, name := range c.book.intents {
		c.describe(&b, name, examples[name])
	}
	b.WriteString("## Units\n\n" + strings.Join(c.units(), ", ") + "\n")
	return b.String()
}

// forms names the form of a slot by its rule.
var forms = map[string]string{
	"duration": "duration", "more_time": "duration", "number": "number", "amount": "number", "percentage": "percent", "less": "percent", "sum": "expression",
	"ordered": "expression", "anded": "expression", "over_of": "expression", "goes_into": "expression", "unit": "unit", "time": "time phrase", "moment": "time phrase",
	"clock": "time phrase", "asked_day": "time phrase", "holiday": "time phrase", "again_adj": "time phrase", "tomorrows": "time phrase",
}

func (c *Commands) describe(b *strings.Builder, name string, examples []string) {
	slots := map[string]string{}
	for _, t := range c.book.templates {
		if t.intent == name {
			c.slotForms(t.root, slots)
		}
	}
	fmt.Fprintf(b, "## %s\n\n", name)
	for _, s := range slices.Sorted(maps.Keys(slots)) {
		fmt.Fprintf(b, "Slot `%s`: %s.\n", s, slots[s])
	}
	if len(slots) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range examples {
		fmt.Fprintf(b, "* %q%s\n", text, c.shown(text))
	}
	b.WriteByte('\n')
}

// slotForms collects the slots of a template.
func (c *Commands) slotForms(n *node, into map[string]string) {
	switch n.kind {
	case slot:
		form := forms[n.text]
		if form == "" {
			form = "words"
		}
		into[n.slot] = form
	case fixed:
		if into[n.slot] == "" && n.value == "true" {
			into[n.slot] = "flag"
		} else if into[n.slot] == "" {
			into[n.slot] = "percent"
		}
	case rule:
		if d := c.book.rules[n.text]; d.free == nil {
			c.slotForms(d.root, into)
		}
	}
	for _, p := range n.parts {
		c.slotForms(p, into)
	}
}

// shown are the slots of an example.
func (c *Commands) shown(text string) string {
	m, _ := c.Match(text)
	out := ""
	for _, k := range slices.Sorted(maps.Keys(m.Slots)) {
		out += fmt.Sprintf(", %s `%s`", k, m.Slots[k])
	}
	return out
}

func (c *Commands) units() []string {
	names := map[string]bool{}
	for _, v := range c.book.rules["unit"].list {
		names[v] = true
	}
	return slices.Sorted(maps.Keys(names))
}
