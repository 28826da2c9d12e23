package sphinx

import (
	"slices"
	"testing"
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
			`public <a> = five <c> | at <d>; <d> = noon | <c>; <c> = one | two | three | four;`, 11, 7, true,
		},
		"too few to be worth a step": {`public <a> = x [y] z;`, 4, 4, false},
		"nothing in common":          {`public <a> = a b c | d e f;`, 6, 6, false},
		"into free words": {
			`public <a> = (say | tell (a | b | c | d | e)) (<free> | x | y | z | w) now | x now | y now | z now; <free> = (a | b)+;`, 0, 0, true,
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
			want, before := a.sentences(4), 0
			before, _ = a.steps()
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

// Solo's own kind of grammar shrinks: it is what the recogniser's memory goes for.
func TestSharingPays(t *testing.T) {
	rs, err := parseJSGF(`#JSGF V1.0; grammar a;
		public <a> = (set | start) [a] timer for <n> (minutes | hours) [<n> seconds] | (add | take) <n> (plus | minus) <n> | <n> (plus | minus) <n> | what is <n>;
		<n> = (twenty | thirty | forty | fifty) [one | two | three | four | five | six] | one | two | three | four | five | six | ten | eleven | twelve;`)
	if err != nil {
		t.Fatal(err)
	}
	a, err := rs.compile()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := a.steps()
	a.share()
	if after, silent := a.steps(); after+silent/4 > before*3/4 {
		t.Errorf("%d arcs became %d, with %d silent steps", before, after, silent)
	}
}
