package prompt

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/models"
)

// Tools writes one line for each tool: "timers.set(duration: duration, name?) - Sets a timer."
func Tools(specs []models.Spec) string {
	var b strings.Builder
	for _, s := range specs {
		b.WriteString(line(s))
		b.WriteByte('\n')
	}
	return b.String()
}

func line(s models.Spec) string {
	out := s.Name + "(" + arguments(s.Schema) + ")"
	if first := Sentence(s.Description); first != "" {
		out += " - " + first
	}
	return out
}

func arguments(schema json.RawMessage) string {
	n, err := wire.Properties(schema)
	if err != nil {
		return "..."
	}
	var all []string
	for _, f := range n.Fields {
		one := f.Name
		if !slices.Contains(n.Required, f.Name) {
			one += "?"
		}
		if kind := kindOf(f.Node); kind != "" {
			one += ": " + kind
		}
		all = append(all, one)
	}
	return strings.Join(all, ", ")
}

// kindOf names an argument's type, "" for text.
func kindOf(n wire.Node) string {
	if len(n.Enum) > 0 && len(n.Enum) <= 8 {
		var all []string
		for _, raw := range n.Enum {
			all = append(all, strings.Trim(string(raw), `"`))
		}
		return strings.Join(all, "|")
	}
	if kind := n.Kind(); kind != "text" {
		return kind
	}
	if first, _, _ := strings.Cut(n.Description, " "); len(first) > 1 && first == strings.ToUpper(first) {
		return first // a notation: RRULE, URL
	}
	return ""
}

const longest = 120 // bytes of a tool's sentence

// Sentence is the first sentence of a description, on one line.
func Sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i+1]
	}
	if len(text) <= longest {
		return text
	}
	text = strings.ToValidUTF8(text[:longest], "")
	if i := strings.LastIndexAny(text, " "); i > 0 {
		text = text[:i]
	}
	return text + "…"
}
