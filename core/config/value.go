package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	secretType   = reflect.TypeFor[Secret]()
	durationType = reflect.TypeFor[time.Duration]()
)

// kind is the field's type as people say it, "" for one that no setting can have.
func (f *field) kind() string {
	t := f.value.Type()
	switch {
	case t == secretType:
		return "a secret text"
	case t == durationType:
		return `a duration such as "1.5s"`
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return "a list of texts"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return ""
}

// wants says in full what the field allows.
func (f *field) wants() string {
	if a := f.allowed(); a != nil {
		if f.value.Kind() == reflect.Slice {
			return "a list of " + strings.Join(a, ", ")
		}
		return "one of " + strings.Join(a, ", ")
	}
	low, hasLow := f.tag.Lookup("min")
	high, hasHigh := f.tag.Lookup("max")
	switch {
	case hasLow && hasHigh:
		return f.kind() + " from " + low + " to " + high
	case hasLow:
		return f.kind() + ", at least " + low
	case hasHigh:
		return f.kind() + ", at most " + high
	}
	return f.kind()
}

func (f *field) allowed() []string {
	text, ok := f.tag.Lookup("allowed")
	if !ok {
		return nil
	}
	return strings.Split(text, "|")
}

// parse makes a value of the field's type from text or from what TOML gave.
func (f *field) parse(raw any) (reflect.Value, error) {
	v := reflect.New(f.value.Type()).Elem()
	if !f.set(v, raw) || !f.within(v) {
		return v, f.refuse(raw)
	}
	return v, nil
}

// refuse says what was wrong without telling a secret.
func (f *field) refuse(raw any) error {
	if f.secret() {
		return fmt.Errorf("must be %s", f.wants())
	}
	text := fmt.Sprintf("%v", raw)
	if s, ok := raw.(string); ok {
		text = strconv.Quote(s)
		if near := nearest(s, f.allowed()); near != "" {
			return fmt.Errorf("is %s, must be %s; did you mean %s?", text, f.wants(), near)
		}
	}
	return fmt.Errorf("is %s, must be %s", text, f.wants())
}

// set fills v from raw; false when raw is of another kind.
func (f *field) set(v reflect.Value, raw any) bool {
	t := v.Type()
	if t == secretType {
		s, ok := raw.(string)
		v.Set(reflect.ValueOf(NewSecret(s)))
		return ok
	}
	switch v.Kind() {
	case reflect.String:
		s, ok := raw.(string)
		v.SetString(s)
		return ok
	case reflect.Slice:
		list, ok := texts(raw)
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, s := range list {
			v.Index(i).SetString(s)
		}
		return ok
	case reflect.Bool:
		b, ok := truth(raw)
		v.SetBool(b)
		return ok
	case reflect.Float64:
		x, err := f.number(raw)
		v.SetFloat(x)
		return err == nil
	}
	n, err := f.whole(raw)
	if err != nil || v.OverflowInt(n) {
		return false
	}
	v.SetInt(n)
	return true
}

// texts is a list from TOML, or from "a, b".
func texts(raw any) (list []string, ok bool) {
	switch raw := raw.(type) {
	case string:
		for s := range strings.SplitSeq(raw, ",") {
			if s = strings.TrimSpace(s); s != "" {
				list = append(list, s)
			}
		}
		return list, true
	case []any:
		for _, item := range raw {
			s, ok := item.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

func truth(raw any) (value, ok bool) {
	switch raw := raw.(type) {
	case bool:
		return raw, true
	case string:
		switch strings.ToLower(strings.TrimSpace(raw)) {
		case "true", "yes", "on", "1":
			return true, true
		case "false", "no", "off", "0":
			return false, true
		}
	}
	return false, false
}

// whole is an integer, or a duration in nanoseconds.
func (f *field) whole(raw any) (int64, error) {
	switch raw := raw.(type) {
	case int64:
		if f.value.Type() != durationType {
			return raw, nil
		}
	case string:
		if f.value.Type() == durationType {
			d, err := time.ParseDuration(strings.TrimSpace(raw))
			return int64(d), err
		}
		return strconv.ParseInt(strings.TrimSpace(raw), 10, 64)
	}
	return 0, fmt.Errorf("%v is not %s", raw, f.kind())
}

// number is any of the field's numbers as a float, for bounds and for floats.
func (f *field) number(raw any) (float64, error) {
	if f.value.Kind() != reflect.Float64 {
		n, err := f.whole(raw)
		return float64(n), err
	}
	x := math.NaN()
	switch raw := raw.(type) {
	case float64:
		x = raw
	case int64:
		x = float64(raw)
	case string:
		var err error
		if x, err = strconv.ParseFloat(strings.TrimSpace(raw), 64); err != nil {
			return 0, err
		}
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%v is not %s", raw, f.kind())
	}
	return x, nil
}

// within checks the bounds and the allowed texts.
func (f *field) within(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if a := f.allowed(); a != nil && !slices.Contains(a, v.Index(i).String()) {
				return false
			}
		}
		return true
	case reflect.String:
		a := f.allowed()
		return a == nil || slices.Contains(a, v.String())
	case reflect.Float64:
		return f.between(v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return f.between(float64(v.Int()))
	}
	return true
}

func (f *field) between(x float64) bool {
	if text, ok := f.tag.Lookup("min"); ok {
		if low, err := f.number(text); err != nil || x < low {
			return false
		}
	}
	if text, ok := f.tag.Lookup("max"); ok {
		if high, err := f.number(text); err != nil || x > high {
			return false
		}
	}
	return true
}
