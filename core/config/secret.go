package config

import "fmt"

const hidden = "(hidden)"

// Secret is a text that cannot print itself, not even as an unexported field of something printed.
// The zero Secret is empty.
type Secret struct{ text *string } // a pointer, because fmt looks into unexported fields

// NewSecret hides text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal gives the text itself. Say it only to the one it is meant for.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// String is "(hidden)", or "" for an empty secret.
func (s Secret) String() string {
	if s.text == nil {
		return ""
	}
	return hidden
}

// GoString is what %#v prints.
func (s Secret) GoString() string { return "config.Secret(" + s.String() + ")" }

// Format prints the same for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText hides it from TOML, YAML, JSON keys and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON hides it from JSON.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }
