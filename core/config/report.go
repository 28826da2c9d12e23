package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Value is one effective setting.
type Value struct {
	Key   string `json:"key"`
	Value string `json:"value"` // as TOML writes it; a secret is "(hidden)"
	From  string `json:"from"`  // "default", "config.toml:12", ".env:3", "env SOLO_X", "flag"
	Doc   string `json:"doc,omitempty"`
}

// Report is every effective setting, in the order of the struct.
type Report []Value

// String is the report as lines of "key = value  # from", in columns.
func (r Report) String() string {
	wide := 0
	for _, v := range r {
		wide = max(wide, len(v.Key)+len(v.Value))
	}
	var b strings.Builder
	for _, v := range r {
		pad := strings.Repeat(" ", min(wide, 60)-min(len(v.Key)+len(v.Value), min(wide, 60)))
		fmt.Fprintf(&b, "%s = %s%s  # %s\n", v.Key, v.Value, pad, v.From)
	}
	return b.String()
}

func (l *loader) report() Report {
	var r Report
	for _, f := range l.fields {
		r = append(r, Value{f.key, literal(f.value.Interface()), f.from, f.tag.Get("doc")})
	}
	return r
}

// literal writes a value as TOML does; "" for a type that no setting can have.
func literal(value any) string {
	switch v := value.(type) {
	case Secret:
		return quote(v.String())
	case time.Duration:
		return quote(v.String())
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		return quote(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0" // TOML tells 1 from 1.0
		}
		return text
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.String {
			return ""
		}
		items := make([]string, v.Len())
		for i := range items {
			items[i] = quote(v.Index(i).String())
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return ""
}

// quote writes a TOML basic string. Bytes that are no UTF-8 become U+FFFD: TOML has no way to write them.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
