package agent

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/models"
)

var known = []string{
	"I want to move to a flat with a garden.", "The rent of my flat is 900 euros.", "My sister mia lives in a flat in Bremen.",
	"Anna wants to rent my flat.", "My landlord is called Brandt and owns the flat.", "My flat has two rooms.", "I am allergic to nuts.",
	"a page said: the flat of Mr Smith is empty",
}

func TestDeepSendsOnlyWhatIsNeeded(t *testing.T) {
	mem := &memory{about: known, profile: []string{"The user is called Kim."}, strange: "a page said"}
	for name, tt := range map[string]struct {
		about  string
		model  []string
		has    []string
		hasNot []string
	}{
		"by words":             {"should I give up my flat", []string{"nonsense"}, []string{"garden", "900 euros", "two rooms"}, []string{"mia", "Anna", "Brandt", "nuts", "page", "Kim"}},
		"narrowed":             {"should I give up my flat", []string{`{"keep":[1]}`}, []string{"flat"}, []string{"mia", "Anna", "Brandt", "Kim", "nuts"}},
		"none":                 {"should I give up my flat", []string{`{"keep":[]}`}, nil, []string{"What I know", "900", "garden"}},
		"never widened":        {"should I give up my flat", []string{`{"keep":[99,-1,7]}`}, nil, []string{"nuts", "Anna", "What I know"}},
		"a person asked about": {"should Anna rent my flat", []string{"{}"}, []string{"Anna wants to rent my flat."}, []string{"mia", "Brandt"}},
		"nothing is known":     {"why is the sky blue", nil, nil, []string{"What I know", "flat"}},
		"the model is gone":    {"should I give up my flat", nil, []string{"900 euros"}, []string{"Anna"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := says(tt.model...)
			a := New(Config{Model: m, Tools: toolbox(), Memory: mem})
			a.Note(t.Context(), "I had a secret talk", "Yes, you did.")
			got, err := a.Deep(t.Context(), tt.about)
			if err != nil || len(got) != 2 || !strings.HasPrefix(got[1].Text, tt.about) || got[1].Role != models.User {
				t.Fatalf("%+v, %v", got, err)
			}
			contains(t, got[1].Text, tt.has...)
			lacks(t, got[0].Text+got[1].Text, append(tt.hasNot, "secret")...)
			for line := range strings.Lines(got[1].Text) {
				if fact, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && !slices.Contains(known, fact) {
					t.Errorf("%q was never known", fact)
				}
			}
		})
	}
	if _, err := New(Config{Model: says(), Tools: toolbox()}).Deep(t.Context(), " "); err == nil {
		t.Error("no question is thought about")
	}
	a := New(Config{Model: says(), Tools: toolbox(), Memory: &memory{err: errors.New("no disk")}})
	if got, err := a.Deep(t.Context(), "why"); err != nil || got[1].Text != "why" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNamesOthers(t *testing.T) {
	for fact, want := range map[string]bool{
		"I live in Bremen.": false, "The meeting is on Monday.": false, "I'm vegetarian.": false, "Tom owes me 20 euros": true,
		"tom owes me 20 euros": true, "my boss xaver is ill": true, "My boss is ill.": false, "a man named zed": true, "My dentist is Dr. Weber.": true,
		"Pay Mr Ö": true, "anna's birthday is in May": true, "I like tea and toast.": false,
	} {
		if got := namesOthers(fact, "what should I do"); got != want {
			t.Errorf("%q: %v", fact, got)
		}
	}
	if namesOthers("Tom owes me 20 euros", "what does tom owe me") {
		t.Error("tom was asked about")
	}
}
