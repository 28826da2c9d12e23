package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/solo-assistant/solo/core/when"
)

// Duration is an argument that holds a length of time, in JSON an ISO 8601 duration such as "PT5M".
type Duration time.Duration

// UnmarshalJSON reads "PT5M".
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	got, err := when.ParseISO(s)
	*d = Duration(got)
	return err
}

// MarshalJSON writes "PT5M".
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(when.FormatISO(time.Duration(d)))
}

// formats are the schemas of the types that travel as text.
var formats = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
	reflect.TypeFor[Duration]():  {Type: "string", Format: "duration"},
}

// checker finds everything that is wrong with a value: jsonschema itself stops at the first error, so that each
// simple part of the schema is resolved alone.
type checker struct {
	schema *jsonschema.Schema
	simple map[*jsonschema.Schema]*jsonschema.Resolved
}

func checkerOf[A any]() (*checker, error) {
	t := reflect.TypeFor[A]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("arguments of a tool are a struct, not %v", t)
	}
	s, err := jsonschema.For[A](&jsonschema.ForOptions{TypeSchemas: formats})
	if err != nil {
		return nil, fmt.Errorf("making a schema of %v: %w", t, err)
	}
	if err := bound(s, t); err != nil {
		return nil, err
	}
	c := &checker{schema: s, simple: map[*jsonschema.Schema]*jsonschema.Resolved{}}
	return c, c.resolve(s)
}

// bound puts the limits tags of a struct's own fields into its schema.
func bound(s *jsonschema.Schema, t reflect.Type) error {
	for _, f := range reflect.VisibleFields(t) {
		limits, ok := f.Tag.Lookup("limits")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		low, high, err := span(limits)
		if err != nil || s.Properties[name] == nil {
			return fmt.Errorf("limits %q of %v.%s: want a json name and a range such as 0..100", limits, t, f.Name)
		}
		p := s.Properties[name]
		if f.Type.Kind() == reflect.String {
			p.MaxLength = jsonschema.Ptr(int(high))
			if low > 0 {
				p.MinLength = jsonschema.Ptr(int(low))
			}
		} else {
			p.Minimum, p.Maximum = &low, &high
		}
	}
	return nil
}

func span(limits string) (low, high float64, err error) {
	a, b, _ := strings.Cut(limits, "..")
	low, err1 := strconv.ParseFloat(a, 64)
	high, err2 := strconv.ParseFloat(b, 64)
	return low, high, errors.Join(err1, err2)
}

func (c *checker) resolve(s *jsonschema.Schema) error {
	switch {
	case s.Properties != nil:
		for _, p := range s.Properties {
			if err := c.resolve(p); err != nil {
				return err
			}
		}
		return nil
	case s.Items != nil:
		return c.resolve(s.Items)
	}
	alone, err := s.CloneSchemas().Resolve(nil)
	if err != nil {
		return fmt.Errorf("resolving a schema: %w", err)
	}
	c.simple[s] = alone
	return nil
}

// clean checks arguments and gives them back as an object without nulls: null is as good as absent.
func (c *checker) clean(args json.RawMessage) (json.RawMessage, error) {
	object := map[string]any{}
	if trimmed := bytes.TrimSpace(args); len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("null")) {
		d := json.NewDecoder(bytes.NewReader(args))
		if err := d.Decode(&object); err != nil {
			return nil, &ArgumentError{Problems: []string{"arguments: not a JSON object: " + err.Error()}}
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, &ArgumentError{Problems: []string{"arguments: more than one JSON object"}}
		}
	}
	maps.DeleteFunc(object, func(_ string, v any) bool { return v == nil })
	if problems := c.problems("", c.schema, object); len(problems) > 0 {
		return nil, &ArgumentError{Problems: problems}
	}
	return json.Marshal(object)
}

func (c *checker) problems(path string, s *jsonschema.Schema, v any) []string {
	if object, ok := v.(map[string]any); ok && s.Properties != nil {
		return c.fields(path, s, object)
	}
	if list, ok := v.([]any); ok && s.Items != nil {
		var all []string
		for i, item := range list {
			all = append(all, c.problems(fmt.Sprintf("%s[%d]", path, i), s.Items, item)...)
		}
		return all
	}
	if v == nil && slices.Contains(s.Types, "null") {
		return nil
	}
	alone := c.simple[s]
	if alone == nil {
		return []string{fmt.Sprintf("%s: want %s", path, kindOf(s))}
	}
	if err := alone.Validate(v); err != nil {
		return []string{path + ": " + plain(err)}
	}
	if text, ok := v.(string); ok {
		return misformed(path, s.Format, text)
	}
	return nil
}

func (c *checker) fields(path string, s *jsonschema.Schema, object map[string]any) []string {
	var all []string
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			all = append(all, under(path, name)+": is missing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if p := s.Properties[name]; p != nil {
			all = append(all, c.problems(under(path, name), p, object[name])...)
		} else {
			all = append(all, fmt.Sprintf("%s: is unknown; known are %s", under(path, name), strings.Join(s.PropertyOrder, ", ")))
		}
	}
	return all
}

func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func kindOf(s *jsonschema.Schema) string {
	if s.Type != "" {
		return s.Type
	}
	return strings.Join(s.Types, " or ")
}

// plain drops what the validator says of its own work.
func plain(err error) string {
	_, rest, ok := strings.Cut(err.Error(), ": ")
	if !ok {
		return err.Error()
	}
	return rest
}

func misformed(path, format, text string) []string {
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	case "duration":
		var d time.Duration
		if d, err = when.ParseISO(text); err == nil && math.Abs(d.Hours()) > 100*366*24 {
			err = errors.New("longer than a hundred years")
		}
	}
	if err != nil {
		return []string{fmt.Sprintf("%s: %q is no %s: %v", path, text, format, err)}
	}
	return nil
}
