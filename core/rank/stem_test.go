package rank_test

import (
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/rank"
)

func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "cats": "cat", "feed": "feed", "agreed": "agre", "plastered": "plaster", "motoring": "motor",
		"sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "conditional": "condit", "digitizer": "digit", "operator": "oper", "hopefulness": "hope", "electrical": "electr",
		"revival": "reviv", "adjustment": "adjust", "adoption": "adopt", "probate": "probat", "rate": "rate", "controlling": "control", "roll": "roll",
		"be": "be", "42": "42", "über": "über", "restaurant": "restaur", "universities": "univers",
	} {
		if got := rank.Stem(word); got != want {
			t.Errorf("%s -> %s, want %s", word, got, want)
		}
	}
	for _, forms := range []string{"connect connected connecting connection connections", "birthday birthdays", "allergic allergically"} {
		f := strings.Fields(forms)
		for _, w := range f[1:] {
			if rank.Stem(w) != rank.Stem(f[0]) {
				t.Errorf("%s -> %s, but %s -> %s", w, rank.Stem(w), f[0], rank.Stem(f[0]))
			}
		}
	}
}
