package consent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

// mostSaid bounds what is read back, in characters; beyond it arguments are only named.
const mostSaid = 700

// readBack words a call for the ear. Every argument is in it, whatever the tool's own wording leaves out, and nothing in
// an argument can end the sentence: the only question is the last one.
func readBack(s models.Spec, args json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	values := map[string]any{}
	if err := d.Decode(&values); err != nil {
		return "Run " + aloud(s.Name) + " with arguments that I can't read. Yes or no?" // canonical arguments can be read
	}
	said, used := fill(s.Ask, values)
	if said == "" {
		said = "Run " + aloud(s.Name)
	}
	for _, name := range used {
		delete(values, name)
	}
	return strings.TrimRight(said, " .!?") + rest(said, values) + ". Yes or no?"
}

// aloud is a tool's name for the ear: "mail.send" is "mail send".
func aloud(tool string) string {
	return clean(strings.NewReplacer(".", " ", "_", " ").Replace(tool))
}

// rest names the arguments that are not said yet: " with bcc: 'eve@example.com' and urgent: true".
func rest(said string, values map[string]any) string {
	var parts, unsaid []string
	length := len([]rune(said))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		part := clean(name) + ": " + quoted(spoken(values[name], ""))
		if length += len([]rune(part)) + 2; length > mostSaid {
			unsaid = append(unsaid, short(clean(name)))
			continue
		}
		parts = append(parts, part)
	}
	out := ""
	if len(parts) > 0 {
		out = " with " + list(parts)
	}
	if len(unsaid) > 0 {
		if n := len(unsaid); n > 5 {
			unsaid = append(unsaid[:4:4], fmt.Sprintf("%d others", n-4))
		}
		out += ", and with what is too long to read aloud: " + list(unsaid)
	}
	return out
}

// fill puts values into a tool's wording and tells which of them it used. A part in brackets without its value is left out;
// a wording that lacks another value is not used at all.
func fill(wording string, values map[string]any) (said string, used []string) {
	var out strings.Builder
	for wording != "" {
		at := strings.IndexAny(wording, "{[")
		if at < 0 {
			out.WriteString(wording)
			break
		}
		out.WriteString(wording[:at])
		end := strings.IndexByte(wording, map[byte]byte{'{': '}', '[': ']'}[wording[at]])
		if end < at {
			return "", nil // a mistake in the wording
		}
		inside := wording[at+1 : end]
		if wording[at] == '{' {
			text, name, ok := value(inside, values)
			if !ok {
				return "", nil
			}
			out.WriteString(text)
			used = append(used, name)
		} else if text, names := fill(inside, values); text != "" {
			out.WriteString(text)
			used = append(used, names...)
		}
		wording = wording[end+1:]
	}
	return out.String(), used
}

// value words one argument: "name" or "name|quote", "name|time", "name|length".
func value(inside string, values map[string]any) (text, name string, ok bool) {
	name, how, _ := strings.Cut(inside, "|")
	v, ok := values[name]
	if !ok || v == nil || v == "" {
		return "", name, false
	}
	text = spoken(v, how)
	raw, _ := v.(string)
	if how == "quote" || timely(raw, how) == raw && len(strings.Fields(text)) > 4 {
		text = quoted(text)
	}
	return text, name, true
}

// spoken words a value of JSON, within bounds.
func spoken(v any, how string) string {
	switch v := v.(type) {
	case string:
		return shorten(clean(timely(v, how)))
	case nil:
		return "nothing"
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, spoken(item, how))
		}
		if len(parts) == 0 {
			return "nothing"
		}
		return shorten(list(parts))
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, clean(name)+": "+spoken(v[name], how))
		}
		return shorten(list(parts))
	}
	return shorten(fmt.Sprint(v))
}

// timely words what is a time, or a length of time, as tools are given them.
func timely(s, how string) string {
	if t, err := time.Parse(time.RFC3339, s); err == nil && how != "quote" {
		return t.Format("Monday, January 2 2006") + " at " + when.SayClock(t)
	}
	if d, err := when.ParseISO(s); err == nil && how != "quote" {
		return when.Length(d)
	}
	return s
}

func quoted(s string) string { return "'" + s + "'" }

// list joins for the ear: "a, b and c".
func list(parts []string) string {
	n := len(parts)
	if n < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
}
