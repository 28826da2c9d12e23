package sphinx

import (
	"slices"
	"testing"

	"github.com/solo-assistant/solo/core/intent"
)

func (a *automaton) steps() (words, silent int) {
	for _, arcs := range a.arcs {
		for _, t := range arcs {
			if t.label.word == "" {
				silent++
			} else {
				words++
			}
		}
	}
	return words, silent
}

// Arcs that several states have in common are there once, and the graph says the same as before.
func TestSharedArcs(t *testing.T) {
	for name, tt := range map[string]struct {
		rules     string
		words     int // arcs with a word, before and after
		fewer     int
		different bool // silent steps were made
	}{
		"numbers that end the same way": {
			`public <a> = five <c> | at <d>; <d> = noon | <c>; <c> = one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve;`, 27, 15, true,
		},
		"too few to be worth a step": {`public <a> = x [y] z;`, 4, 4, false},
		"nothing in common":          {`public <a> = a b c | d e f;`, 6, 6, false},
		"into free words": {
			`public <a> = say <w> | tell (c | <w>); <w> = <free> | one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve; <free> = (a | b)+;`, 0, 0, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rs, err := parseJSGF("#JSGF V1.0;\ngrammar a;\n" + tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			a, err := rs.compile()
			if err != nil {
				t.Fatal(err)
			}
			want := a.sentences(4)
			before, _ := a.steps()
			a.share()
			after, silent := a.steps()
			if got := a.sentences(4); !slices.Equal(got, want) {
				t.Errorf("says %q, want %q", got, want)
			}
			if tt.words > 0 && (before != tt.words || after != tt.fewer) || after > before || (silent > 0) != tt.different {
				t.Errorf("%d arcs with words became %d and %d without", before, after, silent)
			}
		})
	}
}

// Solo's own grammar shrinks to half: it is what the recogniser's memory goes for.
func TestSharingPays(t *testing.T) {
	rs, err := parseJSGF(intent.English().JSGF())
	if err != nil {
		t.Fatal(err)
	}
	a, err := rs.compile()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := a.steps()
	a.share()
	if after, silent := a.steps(); after+silent > before/2+before/10 {
		t.Errorf("%d arcs became %d, with %d silent steps", before, after, silent)
	}
}
