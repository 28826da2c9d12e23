package rank_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/rank"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func texts(bodies ...string) []rank.Text {
	var out []rank.Text
	for i, b := range bodies {
		out = append(out, rank.Text{ID: int64(i + 1), Body: b})
	}
	return out
}

func find(t testing.TB, x rank.Index, question string, n int) []rank.Hit {
	t.Helper()
	hits, err := rank.Search(t.Context(), x, rank.Parse(question), n, now)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

var told = []string{
	"my sister's birthday is on the 4th of May", "the wifi password is horse battery", "I parked the car on level three",
	"Anna is allergic to peanuts", "the spare key is under the blue pot", "my favourite colour is green", "the dentist's number is 555 0173",
	"Marco likes strong coffee", "our anniversary is in October", "the boiler was serviced in 2024", "I take my tea without sugar",
	"Zoë moved to Zürich", "we bought a new toothpaste", "the quarterly figures went to Mr. O'Neill",
}

func TestTheMeantTextIsFirst(t *testing.T) {
	x := shelve(texts(told...)...)
	for question, want := range map[string]string{
		"when is my sister's birthday?":   told[0],
		"WIFI PASSWORDS":                  told[1],
		"where did I park":                told[2],
		"what is Anna allergic to":        told[3],
		"alergic":                         told[3],
		"penuts":                          told[3],
		"where are the spare keys":        told[4],
		"my favorite color":               told[5],
		"whats the number of the dentist": told[6],
		"aniversary":                      told[8],
		"servicing the boiler":            told[9],
		"zoe in zurich":                   told[11],
		"tooth paste":                     told[12],
		"what did we buy":                 told[12],
		"who got the quarterly figures":   told[13],
		"oneill":                          told[13],
		strings.Repeat("who takes sugar in their tea ", 4000): told[10],
	} {
		if got := find(t, x, question, 3); len(got) == 0 || got[0].Body != want {
			t.Errorf("%.60q: %v, want %q", question, bodies(got), want)
		}
	}
	for _, question := range []string{"", "?!", "xylophone zebra", "\x00", "\" OR 1 NEAR(a b) * ^ : -"} {
		for _, h := range find(t, x, question, 3) {
			if h.Cover > 0.5 {
				t.Errorf("%q: %q covers %.2f", question, h.Body, h.Cover)
			}
		}
	}
	if got := find(t, x, "what is it", 3); len(got) == 0 {
		t.Error("a question without content finds nothing")
	}
}

func TestWhatStandsAroundCounts(t *testing.T) {
	all := texts("Where did you go on holiday?", "Lisbon, for a week!", "I repaired the fence.", "Nice weather in Lisbon?")
	all[1].Near = all[0].Body + "\n" + all[2].Body
	if got := find(t, shelve(all...), "where in Lisbon was the holiday", 2); got[0].ID != 2 {
		t.Errorf("found %v", bodies(got))
	}
	all = texts("It costs ten euros.", "It costs ten euros.")
	all[1].Head = "Swimming pool"
	if got := find(t, shelve(all...), "what does the swimming pool cost", 2); got[0].ID != 2 {
		t.Errorf("the heading does not count: %v", bodies(got))
	}
}

func TestTheMonthOfATextCounts(t *testing.T) {
	all := texts("Tom went climbing.", "Tom went climbing.", "Tom went climbing.", "May was warm")
	for i, m := range []time.Month{time.March, time.May, time.July} {
		all[i].At = time.Date(2024, m, 3, 0, 0, 0, 0, time.UTC)
	}
	if got := find(t, shelve(all...), "where did Tom go in May 2024", 2); got[0].ID != 2 {
		t.Errorf("found %v", bodies(got))
	}
}

func TestAmongEqualsTheNewerIsFirst(t *testing.T) {
	all := texts("the code is 1", "the code is 2")
	all[0].At, all[1].At = now.AddDate(0, -6, 0), now.AddDate(0, 0, -1)
	if got := find(t, shelve(all...), "code", 2); got[0].ID != 2 {
		t.Errorf("found %v", bodies(got))
	}
}

// Words that nearly all texts hold are found together, however old the text is.
func TestCommonWordsTogether(t *testing.T) {
	var all []rank.Text
	for i := range 20000 {
		body := fmt.Sprintf("the kettle is red, note %d", i)
		if i%2 == 0 {
			body = fmt.Sprintf("the lamp is blue, note %d", i)
		}
		if i == 17 {
			body = "the kettle beside the lamp"
		}
		all = append(all, rank.Text{ID: int64(i + 1), Body: body})
	}
	got := find(t, shelve(all...), "is there a lamp and a kettle?", 5)
	if len(got) != 5 || got[0].ID != 18 {
		t.Errorf("found %v", bodies(got))
	}
}

func TestFuse(t *testing.T) {
	ids, score := rank.Fuse([]float64{1, 0.5}, []int64{1, 2, 3}, []int64{3, 4})
	if fmt.Sprint(ids) != "[3 1 2 4]" || score[3] <= score[1] {
		t.Errorf("%v, %v", ids, score)
	}
	if ids, _ := rank.Fuse(nil); len(ids) != 0 {
		t.Error(ids)
	}
}

func bodies(hits []rank.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%.40q %.2f/%.2f", h.Body, h.Score, h.Cover))
	}
	return out
}

// Words of a question are letters and digits alone, whatever was typed; searching never fails for what it says.
func FuzzSearch(f *testing.F) {
	x := shelve(texts(told...)...)
	for _, s := range append(told, `" OR *`, "NEAR(a, b)", "col:x", "-x ^y", "\x00\xff", "日本語 テスト", "Ⅷ ½", "a'b\\c", "İstanbul ŉ ß") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		for _, w := range rank.Tokens(question) {
			if strings.ContainsAny(w, "\"'\\ \x00():*^-&|!<>") || w == "" {
				t.Errorf("%q has the word %q", question, w)
			}
		}
		for _, h := range find(t, x, question, 5) {
			if h.Score <= 0 || h.Cover < 0 || h.Cover > 1.0001 {
				t.Errorf("%q: %+v", question, h)
			}
		}
	})
}
