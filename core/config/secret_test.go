package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/rs/zerolog"
)

func TestSecretCannotPrintItself(t *testing.T) {
	type client struct {
		Token  Secret
		token  Secret
		tokens map[string]Secret
	}
	const text = "hunter2"
	s := NewSecret(text)
	c := client{s, s, map[string]Secret{"a": s}}
	var said []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p"} {
		said = append(said, fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s), fmt.Sprintf(verb, c), fmt.Sprintf(verb, []any{&c, s}))
	}
	js, err1 := json.Marshal(c)
	key, err2 := json.Marshal(map[string]any{"a": map[string]Secret{"b": s}})
	tm, err3 := toml.Marshal(c)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	var log strings.Builder
	l := zerolog.New(&log)
	l.Info().Interface("c", c).Stringer("s", s).Any("s", s).Msg("")
	said = append(said, string(js), string(key), string(tm), log.String(), fmt.Errorf("with %w %v", fmt.Errorf("%v", s), s).Error())
	for _, line := range said {
		if strings.Contains(line, text) || strings.Contains(line, fmt.Sprintf("%x", text)) {
			t.Errorf("told: %s", line)
		}
	}
	if s.Reveal() != text || s.String() != hidden || s.GoString() != "config.Secret((hidden))" {
		t.Error(s.Reveal(), s)
	}
	if z := NewSecret(""); z != (Secret{}) || z.String() != "" || z.Reveal() != "" {
		t.Error("the empty secret")
	}
}
