package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// plain writes data for a model to read: strings as they are and one line for each field, so that long text needs no
// escapes and no marks.
func plain(data json.RawMessage) string {
	if len(data) == 0 {
		return ""
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(data)
	}
	var b strings.Builder
	flatten(&b, v)
	return strings.TrimSpace(b.String())
}

func flatten(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
	case string:
		b.WriteString(v + "\n")
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(key + ": ")
			if nested(v[key]) {
				b.WriteByte('\n')
			}
			flatten(b, v[key])
			if v[key] == nil {
				b.WriteByte('\n')
			}
		}
	case []any:
		for _, item := range v {
			if !nested(item) {
				b.WriteString("- ")
			}
			flatten(b, item)
		}
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return // numbers and booleans can be written
		}
		b.WriteString(string(raw) + "\n")
	}
}

func nested(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
