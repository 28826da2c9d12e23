// Package config loads and checks settings from flags, the environment, a .env file and a TOML file.
//
// Each package owns its Config struct; the program composes one big struct of them and hands it to
// Load. Only fields with a toml tag are settings; a struct field with one is a section. Further tags:
//
//	default:"0.5"        what holds when nobody says anything (else the field's value before Load)
//	allowed:"wav|flac"   the only values of a text, or of each item of a list
//	min:"0" max:"1"      bounds of a number or a duration, inclusive
//	doc:"..."            one line for people, shown in the example files
//
// Types: string, bool, the integers, float64, time.Duration ("1.5s"), []string ("a,b" in the
// environment), Secret, and named types of these. A setting "listen.final_pause" is
// SOLO_LISTEN_FINAL_PAUSE in the environment; an empty variable counts as not set.
//
// Nothing here keeps state: every function may be called from any goroutine.
package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Sources says where settings come from, the strongest first.
type Sources struct {
	Flags   []string          // "listen.final_pause=200ms" each
	Env     []string          // "NAME=value" each, as os.Environ gives them
	DotEnv  string            // path of a .env file, "" for none; one that is absent is none
	File    string            // path of the TOML file, "" for none; one that is absent is none
	Aliases map[string]string // other environment names -> keys, such as OLLAMA_HOST
	Others  []string          // SOLO_ variables that are no settings, such as SOLO_HOME
}

// Load sets every setting in the struct that into points to and reports where each came from.
// The error is Problems, all that is wrong at once; what could be set is set all the same.
func Load(into any, s Sources) (Report, error) {
	l, err := newLoader(into, s)
	if err != nil {
		return nil, err
	}
	l.defaults()
	l.file(s.File)
	l.dotEnv(s.DotEnv)
	l.environment(s.Env)
	l.flags(s.Flags)
	return l.report(), l.problems.err()
}

// loader applies one source after the other, the weakest first.
type loader struct {
	schema
	sources  Sources
	byEnv    map[string]*field // aliases too
	problems Problems
}

func newLoader(into any, s Sources) (*loader, error) {
	sch, err := schemaOf(into)
	if err != nil {
		return nil, err
	}
	l := &loader{schema: sch, sources: s, byEnv: map[string]*field{}}
	for _, f := range sch.fields {
		if other, taken := l.byEnv[f.env()]; taken {
			return nil, fmt.Errorf("config: %s and %s are both %s", other.key, f.key, f.env())
		}
		l.byEnv[f.env()] = f
	}
	for name, key := range s.Aliases {
		f := sch.find(key)
		if f == nil {
			return nil, fmt.Errorf("config: the alias %s stands for %s, which is no setting", name, key)
		}
		l.byEnv[name] = f
	}
	return l, nil
}

// put gives a field its value from one place, or notes why it cannot.
func (l *loader) put(f *field, p place, raw any) {
	v, err := f.parse(raw)
	if err != nil {
		l.problems = append(l.problems, Problem{Key: p.name, File: p.file, Line: p.line, What: err.Error()})
		return
	}
	f.value.Set(v)
	f.from = p.String()
}

func (l *loader) defaults() {
	for _, f := range l.fields {
		f.from = "default"
		if text, ok := f.tag.Lookup("default"); ok {
			if v, err := f.parse(text); err == nil { // schemaOf has seen it parsed
				f.value.Set(v)
			}
		}
	}
}

func (l *loader) environment(env []string) {
	var vars []variable
	for _, e := range env {
		if name, text, ok := strings.Cut(e, "="); ok {
			vars = append(vars, variable{name: name, text: text})
		}
	}
	l.variables(vars, "env")
}

// variables applies one source's variables: aliases first, because the own name is stronger.
func (l *loader) variables(vars []variable, file string) {
	for _, own := range []bool{false, true} {
		for _, v := range vars {
			if v.text == "" || strings.HasPrefix(v.name, envPrefix) != own {
				continue
			}
			p := place{file: file, line: v.line, name: v.name}
			if f := l.byEnv[v.name]; f != nil {
				l.put(f, p, v.text)
			} else if own && !slices.Contains(l.sources.Others, v.name) && (file != "env" || l.meant(v.name)) {
				l.problems = append(l.problems, Problem{Key: v.name, File: file, Line: v.line, What: l.unknownVariable(v.name)})
			}
		}
	}
}

func (l *loader) flags(flags []string) {
	for _, text := range flags {
		key, value, ok := strings.Cut(text, "=")
		key = strings.TrimSpace(key)
		p := place{file: "flag", name: key}
		f := l.find(key)
		switch {
		case !ok:
			l.problems = append(l.problems, Problem{Key: key, File: p.file, What: `needs a value: "key=value"`})
		case f == nil:
			l.problems = append(l.problems, Problem{Key: key, File: p.file, What: l.unknownKey(key)})
		default:
			l.put(f, p, value)
		}
	}
}

// place is where a value stands.
type place struct {
	file string // path, "env" or "flag"
	line int    // 0 where there are no lines
	name string // as written there
}

func (p place) String() string {
	switch {
	case p.line > 0:
		return fmt.Sprintf("%s:%d", p.file, p.line)
	case p.file == "env":
		return "env " + p.name
	}
	return p.file
}

// settable is the struct behind into, which must be a pointer to one.
func settable(into any) (reflect.Value, error) {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}, fmt.Errorf("config: want a pointer to a struct, not %T", into)
	}
	return v.Elem(), nil
}

// meant says that a variable of the environment is probably a setting written wrongly. The environment
// belongs to others too; a .env file is Solo's own.
func (l *loader) meant(name string) bool {
	if nearest(name, slices.Collect(maps.Keys(l.byEnv))) != "" {
		return true
	}
	for _, f := range l.fields {
		section := envPrefix + strings.ToUpper(f.section()) + "_"
		if f.section() != "" && strings.HasPrefix(name, section) {
			return true
		}
	}
	return false
}
