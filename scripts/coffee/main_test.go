package main

import (
	"strings"
	"testing"
)

func TestGrammar(t *testing.T) {
	got, err := grammar(strings.NewReader(`context:
  expressions:
    order:
      - "[brew, I'd like] [a, an] $size:size coffee"
      - "stop"
  slots:
    size:
      - "small"
      - "eight Ounce"
`))
	want := `#JSGF V1.0;

grammar coffee;

public <order> =
    (brew | i'd like) (a | an) <size> coffee
  | stop;

<size> = small | eight ounce;
`
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for _, bad := range []string{"", "context:\n", "context:\n  what is this\n"} {
		if _, err := grammar(strings.NewReader(bad)); err == nil {
			t.Errorf("%q gave no error", bad)
		}
	}
}
