package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
)

// Set changes one key ("voice.name") of a TOML file and leaves every other byte as it is, comments
// included. It makes the file, readable by its owner alone, and the table where they are missing.
// The value is of a type that settings have; a Secret is written in the clear. Nothing is written
// when the file is no TOML, or cannot take the key.
func Set(file, key string, value any) error {
	text := literal(value)
	if s, ok := value.(Secret); ok {
		text = quote(s.Reveal())
	}
	if text == "" {
		return fmt.Errorf("setting %s: no setting can have the type %T", key, value)
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	changed, err := edit(old, key, text)
	if err != nil {
		return fmt.Errorf("setting %s in %s: %w", key, file, err)
	}
	if err := replace(file, changed); err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	return nil
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// edit puts "key = text" into a document and proves that this, and nothing else, came of it.
func edit(doc []byte, key, text string) ([]byte, error) {
	if !bareKey.MatchString(key) {
		return nil, fmt.Errorf("%q is no key", key)
	}
	before, problem := readTOML(doc)
	if problem != nil {
		return nil, problem
	}
	at := locate(doc, key)
	var changed []byte
	if at.value[1] > 0 {
		changed = splice(doc, at.value[0], at.value[1], text)
	} else {
		changed = splice(doc, at.insert, at.insert, at.line(doc, key, text))
	}
	after, problem := readTOML(changed)
	if problem != nil {
		return nil, problem
	}
	return changed, onlyChanged(before, after, key, text)
}

// onlyChanged compares what a document said before and after.
func onlyChanged(before, after []entry, key, text string) error {
	want, problem := readTOML([]byte("v = " + text))
	if problem != nil {
		return problem
	}
	values := func(es []entry) map[string]any {
		m := map[string]any{}
		for _, e := range es {
			if !e.header {
				m[e.key] = e.value
			}
		}
		return m
	}
	expected := values(before)
	expected[key] = want[0].value
	if got := values(after); !reflect.DeepEqual(got, expected) {
		return fmt.Errorf("the file is written in a way that does not let one key be changed: please edit it yourself")
	}
	return nil
}

func splice(doc []byte, from, to int, text string) []byte {
	return bytes.Join([][]byte{doc[:from], doc[to:]}, []byte(text))
}

// replace writes a file whole or not at all.
func replace(file string, data []byte) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".solo-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
