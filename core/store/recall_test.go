package store_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// episode is something that one of two friends tells, and questions of other words about it. $A and $B are the friends;
// $1 and $2 are drawn.
type episode struct {
	lines     []string // "A: ...", the last is the answer
	questions []string
}

var episodes = []episode{
	{[]string{"A: Guess what, we picked up $1 yesterday! She is called $2."}, []string{"what is $A's pet called", "which animal did $A get", "who is $2"}},
	{[]string{"B: So where did you end up going?", "A: $1! A whole week, the food alone was worth it."}, []string{"where did $A go for a week", "what did $A say of the food in $1"}},
	{[]string{"A: I handed in my notice at the $1. In autumn I start as a $2."}, []string{"what is $A's new job", "where did $A work before"}},
	{[]string{"B: Anything new in the evenings?", "A: I signed up for $1 on Thursdays with $2."}, []string{"what does $A do on Thursdays", "who goes to $1 with $A"}},
	{[]string{"A: Careful with dinner, I'm badly allergic to $1."}, []string{"what is $A allergic to", "which food must $A avoid: is it $1"}},
	{[]string{"A: $2 taught me how to fix a $1 over the weekend."}, []string{"what did $A learn from $2", "who can mend a $1"}},
	{[]string{"A: The operation on my $1 is set for the ninth, $2 will drive me home."}, []string{"when is $A's surgery", "who drives $A home after the operation"}},
	{[]string{"A: I bought a second-hand $1 from $2 for ninety euros."}, []string{"what did $A buy from $2", "how much was the used $1"}},
}

var (
	friends = [][2]string{{"Maren", "Tobias"}, {"Ines", "Callum"}, {"Yusuf", "Petra"}, {"Dana", "Oskar"}}
	draws   = [][]string{
		{"a greyhound", "a tortoise", "a tabby cat", "a corgi"}, {"Porto", "Leeds", "Ghent", "Turin"}, {"bakery", "museum", "clinic", "harbour office"},
		{"pottery", "fencing", "choir", "salsa"}, {"peanuts", "shellfish", "penicillin", "latex"}, {"clutch", "zip", "radiator", "toaster"},
		{"knee", "shoulder", "wrist", "jaw"}, {"piano", "kayak", "telescope", "loom"},
	}
	seconds = [][]string{{"Biscuit", "Mango", "Pixel", "Olive"}, {""}, {"set designer", "paralegal", "beekeeper", "tax adviser"}, {"Greta", "Milo", "Anouk", "Piotr"},
		{""}, {"Saskia", "Nils", "Farah", "Hugo"}, {"Tilda", "Emre", "Bram", "Lotte"}, {"Ravi", "Jonna", "Pavel", "Wanda"}}
	chat = strings.Split("That sounds great!|Ha, I can imagine.|No way!|How did it go?|I'm happy for you.|Work has been mad.|It rained all weekend here.|Talk soon!|Did you sleep well?|What else is new?|I saw a lovely sunset.|The bus was late again.", "|")
)

// The line that answers is found among months of talk, by questions in other words and with slips in them.
func TestRecallOverMonthsOfTalk(t *testing.T) {
	h := houseIn(t, rowstest.Config(t, rows.SQLite))
	r := rand.New(rand.NewPCG(3, 9))
	type probe struct{ question, key string }
	var probes []probe
	var items []memory.Item
	at := time.Date(2025, 1, 6, 18, 0, 0, 0, time.UTC)
	say := func(session, text string) string {
		key := fmt.Sprint("k", len(items))
		at = at.Add(time.Minute)
		items = append(items, memory.Item{Key: key, Kind: memory.Note, Session: session, Text: text, At: at})
		return key
	}
	for month := range 4 {
		for f, pair := range friends {
			for e, ep := range episodes {
				session := fmt.Sprint(month, "-", f, "-", e)
				who := pair
				if (month+e)%2 == 1 {
					who = [2]string{pair[1], pair[0]}
				}
				if month > 1 { // the same friend tells each thing once; later months are other talk
					for range 8 {
						say(session, pair[r.IntN(2)]+": "+chat[r.IntN(len(chat))])
					}
					continue
				}
				fill := strings.NewReplacer("$A", who[0], "$B", who[1], "$1", draws[e][f], "$2", seconds[e][(f+month)%len(seconds[e])])
				key := ""
				for range 2 + r.IntN(3) {
					say(session, pair[r.IntN(2)]+": "+chat[r.IntN(len(chat))])
				}
				for _, line := range ep.lines {
					line = strings.Replace(strings.Replace(line, "A: ", "$A: ", 1), "B: ", "$B: ", 1)
					key = say(session, fill.Replace(line))
				}
				say(session, pair[r.IntN(2)]+": "+chat[r.IntN(len(chat))])
				for _, q := range ep.questions {
					probes = append(probes, probe{fill.Replace(q), key})
				}
				at = at.Add(7 * 24 * time.Hour / 8)
			}
		}
	}
	_, err := h.m.Import(t.Context(), items...)
	ok(t, err)
	first, five, ten, reciprocal := 0, 0, 0, 0.0
	for _, p := range probes {
		found, err := h.m.Search(t.Context(), p.question, 10)
		ok(t, err)
		for i, f := range found {
			if f.Key == p.key {
				reciprocal += 1 / float64(i+1)
				ten++
				if i < 5 {
					five++
				}
				if i == 0 {
					first++
				}
				break
			}
		}
	}
	n := len(probes)
	t.Logf("%d questions over %d lines: recall@1 %.2f, @5 %.2f, @10 %.2f, MRR %.2f", n, len(items), float64(first)/float64(n), float64(five)/float64(n), float64(ten)/float64(n), reciprocal/float64(n))
	if five*100 < 70*n || first*100 < 55*n {
		t.Errorf("recall@1 %d and @5 %d of %d", first, five, n)
	}
}
