package voices

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"It's 4:20 PM.":                       "It's four twenty P M",
		"at 16:05":                            "at sixteen oh five",
		"at 9:00":                             "at nine o'clock",
		"at 7 AM.":                            "at seven A M",
		"5 km and 1 km":                       "five kilometers and one kilometer",
		"$3.50 or £1 or 20 €":                 "three dollars and fifty cents or one pound or twenty euros",
		"$2.5 million":                        "two point five million dollars",
		"1,234,567 people":                    "one million two hundred and thirty four thousand five hundred and sixty seven people",
		"20% of 3.14":                         "twenty percent of three point one four",
		"-5 °C outside":                       "minus five degrees Celsius outside",
		"the 21st of May":                     "the twenty first of May",
		"2026-11-21":                          "November twenty first, twenty twenty six",
		"on November 3, 2007":                 "on November third, two thousand and seven",
		"**Bold** and _soft_ and `code`":      "Bold and soft and code",
		"# Title\n- milk\n- bread":            "Title. milk bread",
		"see [the docs](https://x.org/a?b=c)": "see the docs",
		"go to https://www.example.com/a/b.":  "go to example dot com.",
		"```go\nfmt.Println()\n``` done":      "Here is some code. done",
		"3-5 eggs":                            "three to five eggs",
		"12 + 7 = 19":                         "twelve plus seven equals nineteen",
		"salt & pepper, e.g. sea salt":        "salt and pepper, for example sea salt",
		"agent 007":                           "agent zero zero seven",
		"Nice 🎉 work → done":                  "Nice work done",
		"snake_case_name":                     "snakecasename",
		"since 1984":                          "since nineteen eighty four",
		"0:30":                                "zero thirty",
		"1 hour and 30 minutes":               "one hour and thirty minutes",
		"":                                    "",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is said %q, want %q", text, got, want)
		}
	}
}

func TestOrdinalAndYear(t *testing.T) {
	for n, want := range map[uint64]string{1: "first", 2: "second", 12: "twelfth", 20: "twentieth", 30: "thirtieth", 101: "one hundred and first"} {
		if got := Ordinal(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[uint64]string{1900: "nineteen hundred", 1905: "nineteen oh five", 2000: "two thousand", 2024: "twenty twenty four", 800: "eight hundred"} {
		if got := Year(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("# x\n1. $5.20 at 99:99 **a**")
	f.Add("9999999999999999999999999 km 2026-99-99T10:10")
	f.Fuzz(func(t *testing.T, text string) {
		got := Plain(text)
		if strings.ContainsAny(got, "*`|<>#\n$%") {
			t.Fatalf("%q leaves markup: %q", text, got)
		}
	})
}
