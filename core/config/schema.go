package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

const envPrefix = "SOLO_"

// schema is every setting of a struct, in the order of its fields.
type schema struct{ fields []*field }

// field is one setting.
type field struct {
	key   string // "listen.final_pause"
	value reflect.Value
	tag   reflect.StructTag
	from  string // where its value came from
}

func (f *field) env() string {
	return envPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(f.key))
}

// section is "listen" for "listen.final_pause", name is "final_pause".
func (f *field) section() string { return f.key[:max(0, strings.LastIndexByte(f.key, '.'))] }
func (f *field) name() string    { return f.key[strings.LastIndexByte(f.key, '.')+1:] }

func (f *field) secret() bool { return f.value.Type() == secretType }

// schemaOf reads a struct's tags. Its errors are mistakes in the program, not in the settings.
func schemaOf(into any) (schema, error) {
	v, err := settable(into)
	if err != nil {
		return schema{}, err
	}
	var s schema
	if err := s.read(v, ""); err != nil {
		return schema{}, err
	}
	for _, f := range s.fields {
		if err := f.checkTags(); err != nil {
			return schema{}, err
		}
	}
	return s, nil
}

func (s *schema) read(v reflect.Value, prefix string) error {
	for i := range v.NumField() {
		sf, fv := v.Type().Field(i), v.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("toml"), ",")
		switch {
		case sf.Anonymous && name == "" && fv.Kind() == reflect.Struct:
			if err := s.read(fv, prefix); err != nil {
				return err
			}
		case name == "" || name == "-" || !sf.IsExported():
		case fv.Kind() == reflect.Struct && fv.Type() != secretType:
			if err := s.read(fv, prefix+name+"."); err != nil {
				return err
			}
		default:
			if s.find(prefix+name) != nil {
				return fmt.Errorf("config: two fields are called %s", prefix+name)
			}
			s.fields = append(s.fields, &field{key: prefix + name, value: fv, tag: sf.Tag})
		}
	}
	return nil
}

func (s *schema) find(key string) *field {
	i := slices.IndexFunc(s.fields, func(f *field) bool { return f.key == key })
	if i < 0 {
		return nil
	}
	return s.fields[i]
}

// checkTags parses what the tags say, once, so that later no tag can fail.
func (f *field) checkTags() error {
	if f.kind() == "" {
		return fmt.Errorf("config: %s has the type %s, which no setting can have", f.key, f.value.Type())
	}
	for _, name := range []string{"min", "max"} {
		if text, ok := f.tag.Lookup(name); ok {
			if _, err := f.number(text); err != nil {
				return fmt.Errorf("config: %s of %s: %w", name, f.key, err)
			}
		}
	}
	if text, ok := f.tag.Lookup("default"); ok {
		if _, err := f.parse(text); err != nil {
			return fmt.Errorf("config: default of %s: %w", f.key, err)
		}
	}
	return nil
}
