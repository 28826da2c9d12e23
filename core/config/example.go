package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Example renders a TOML file with every setting of the struct, its meaning and its default, all as
// comments: an example that changes nothing until a line is uncommented. A mistake in the struct's
// tags panics, as Load would fail on it.
func Example(into any) string {
	l := examples(into, nil)
	var b strings.Builder
	b.WriteString("# Solo's settings. Remove the # before a line to change it.\n")
	section := ""
	for _, f := range l.bySection() {
		if f.section() != section {
			section = f.section()
			fmt.Fprintf(&b, "\n[%s]\n", section)
		}
		fmt.Fprintf(&b, "\n%s#%s = %s\n", f.comment(), f.name(), literal(f.value.Interface()))
	}
	return b.String()
}

// ExampleEnv renders a .env file with every setting, all as comments, and the aliases beside their names.
func ExampleEnv(into any, aliases map[string]string) string {
	l := examples(into, aliases)
	var b strings.Builder
	b.WriteString("# Solo's settings as environment variables. Remove the # before a line to change it.\n")
	section := ""
	for _, f := range l.bySection() {
		if f.section() != section {
			section = f.section()
			fmt.Fprintf(&b, "\n# --- %s ---\n", section)
		}
		b.WriteString("\n" + f.comment())
		for _, name := range slices.Sorted(maps.Keys(aliases)) {
			if aliases[name] == f.key {
				fmt.Fprintf(&b, "# also called %s\n", name)
			}
		}
		fmt.Fprintf(&b, "#%s=%s\n", f.env(), f.envText())
	}
	return b.String()
}

func examples(into any, aliases map[string]string) *loader {
	l, err := newLoader(into, Sources{Aliases: aliases})
	if err != nil {
		panic(err)
	}
	l.defaults()
	return l
}

// bySection puts settings of one section together, those of none first, sections in the struct's order.
func (s *schema) bySection() []*field {
	rank := map[string]int{"": -1}
	for i, f := range s.fields {
		if _, seen := rank[f.section()]; !seen {
			rank[f.section()] = i
		}
	}
	sorted := slices.Clone(s.fields)
	slices.SortStableFunc(sorted, func(a, b *field) int { return rank[a.section()] - rank[b.section()] })
	return sorted
}

// comment is the field's meaning and what it allows.
func (f *field) comment() string {
	text := "# " + f.wants() + "\n"
	if doc := f.tag.Get("doc"); doc != "" {
		text = "# " + doc + "\n" + text
	}
	return text
}

// envText writes the value as parseDotEnv reads it.
func (f *field) envText() string {
	text := fmt.Sprint(f.value.Interface())
	if f.value.Kind() == reflect.Slice {
		items := make([]string, f.value.Len())
		for i := range items {
			items[i] = f.value.Index(i).String()
		}
		text = strings.Join(items, ",")
	}
	if strings.ContainsAny(text, "#'\"\\\n\r\t $") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
	}
	return text
}
