package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var list = []string{
	"buy milk and two loaves of bread", "call the dentist", "call Anna about the party", "pay the electricity bill",
	"water the plants on the balcony", "finish the quarterly report", "pick up the dry cleaning", "buy toothpaste",
	"renew José's passport", "book flights to Lisbon", "fix the kitchen tap", "send Marco the photos from Crete",
	"return the library books", "order 3 bags of coffee beans", "change the bicycle's tyres",
}

func TestRankFindsTheMeantTextFirst(t *testing.T) {
	for query, want := range map[string]string{
		"milk":                         "buy milk and two loaves of bread",
		"the bread":                    "buy milk and two loaves of bread",
		"Call the DENTIST!":            "call the dentist",
		"dentist":                      "call the dentist",
		"dentists":                     "call the dentist",
		"calling Anna":                 "call Anna about the party",
		"parties":                      "call Anna about the party",
		"electric bill":                "pay the electricity bill",
		"paid the electricity bill":    "pay the electricity bill",
		"watering my plants":           "water the plants on the balcony",
		"watered the plant":            "water the plants on the balcony",
		"quaterly report":              "finish the quarterly report",
		"the report task":              "finish the quarterly report",
		"drycleaning":                  "pick up the dry cleaning",
		"tooth paste":                  "buy toothpaste",
		"toothpast":                    "buy toothpaste",
		"joses pasport":                "renew José's passport",
		"jose's passport":              "renew José's passport",
		"lisbon flight":                "book flights to Lisbon",
		"fixing the tap in my kitchen": "fix the kitchen tap",
		"pictures for marco, photo":    "send Marco the photos from Crete",
		"library":                      "return the library books",
		"three bags of coffee":         "order 3 bags of coffee beans",
		"bicycel tyres":                "change the bicycle's tyres",
	} {
		got := Rank(query, list, 0.5)
		if len(got) == 0 || list[got[0].Index] != want {
			t.Errorf("%q found %s, want %q", query, tell(got), want)
		}
	}
}

func TestRankFindsNothingWhereNothingIsNear(t *testing.T) {
	for _, query := range []string{
		"", "the", "my thing", "call Bob", "buy cheese", "pay the rent", "wash the car", "42", "7 bags", "silk",
		"bell", "x", "!!!", "' OR 1=1 --", "\x00\x1b[31m", "🙂", "finish it today",
	} {
		if got := Rank(query, list, 0.55); len(got) != 0 {
			t.Errorf("%q found %s", query, tell(got))
		}
	}
}

func TestRankPrefersTheCloser(t *testing.T) {
	texts := []string{"buy oat milk for the cafe in town", "buy milk", "milk"}
	got := Rank("buy milk", texts, 0.5)
	if len(got) < 2 || got[0].Index != 1 {
		t.Errorf("found %v", got)
	}
	if got := Rank("the who", []string{"listen to the who", "The Who"}, 0.5); len(got) != 1 || got[0].Index != 1 {
		t.Errorf("words without content found %v, want only the same text", got)
	}
}

func TestStemJoinsForms(t *testing.T) {
	for _, forms := range []string{
		"party parties", "bake bakes baked baking", "shop shops shopped shopping", "call calls called calling",
		"box boxes", "class classes", "church churches", "watch watches watched", "child children", "study studies studied studying",
		"bus", "glass", "key keys", "love loves loved loving", "plan planned planning", "run running",
	} {
		f := strings.Fields(forms)
		for _, w := range f[1:] {
			if Stem(w) != Stem(f[0]) {
				t.Errorf("%s -> %s, but %s -> %s", f[0], Stem(f[0]), w, Stem(w))
			}
		}
	}
	for _, pair := range []string{"bring bed", "sing red", "bus bush", "glass gas"} {
		f := strings.Fields(pair)
		if Stem(f[0]) == Stem(f[1]) {
			t.Errorf("%s and %s became one: %s", f[0], f[1], Stem(f[0]))
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"Don't  forget Anna’s café!": "dont forget anna cafe",
		"Über-Straße, No. 7":         "uber strasse no 7",
		"two o'clock":                "2 oclock",
		"''' s's":                    "s",
		"日本語 テスト":                    "日本語 テスト",
		"\xff\xfea":                  "a",
	} {
		if got := strings.Join(Fold(text), " "); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzRank(f *testing.F) {
	for _, s := range append(list, "' OR 1=1 --", "\x00", strings.Repeat("a ", 100), "ss'ss ied ing ed") {
		f.Add(s, "milk and "+s)
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		if len(query)+len(text) > 1<<13 {
			t.Skip("longer than callers allow")
		}
		for _, m := range Rank(query, append([]string{text}, list...), 0.3) {
			if m.Cover < 0.3 || m.Cover > 1.0001 || m.Score <= 0 || m.Score > 1.0001 {
				t.Errorf("%+v is out of bounds", m)
			}
		}
		if strings.TrimSpace(text) != "" && len(Content(text)) > 0 {
			if got := Rank(text, []string{text}, 1); len(got) != 1 {
				t.Errorf("%q does not find itself: %v", text, got)
			}
		}
	})
}

func BenchmarkRank(b *testing.B) {
	var texts []string
	for i := range 1000 {
		texts = append(texts, fmt.Sprintf("%s number %d", list[i%len(list)], i))
	}
	for b.Loop() {
		if got := Rank("quarterly report", texts, 0.5); len(got) == 0 {
			b.Fatal("found nothing")
		}
	}
}

func tell(found []Match) string {
	var s []string
	for _, m := range found {
		s = append(s, fmt.Sprintf("%q (%.2f)", list[m.Index], m.Cover))
	}
	return strings.Join(slices.Concat(s, []string{fmt.Sprint(len(s))}), ", ")
}
