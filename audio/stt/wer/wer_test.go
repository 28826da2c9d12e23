package wer

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNormal(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Set a Timer, for TEN minutes!", "set a timer for 10 minutes"},
		{"", ""}, {"...", ""}, {"[music] (laughs) Hello <unk>", "hello"}, {"Um, well, uh okay - hmm", "well okay"},
		{"It's five o'clock; I'll go, won't I?", "it is 5 oclock i will go will not i"},
		{"Anna's house isn't John's", "annas house is not johns"}, {"I'd've gone", "i would have gone"},
		{"We’re gonna leave", "we are going to leave"}, {"cannot can't can not", "can not can not can not"},
		{"twenty-one", "21"}, {"21", "21"}, {"one hundred and five", "105"}, {"a hundred", "a hundred"}, {"two hundred", "200"},
		{"three thousand two hundred and seven", "3207"}, {"1,250 people", "1250 people"}, {"two million", "2000000"}, {"3 million", "3000000"},
		{"nineteen ninety nine", "1999"}, {"twenty twenty six", "2026"}, {"one two three", "1 2 3"}, {"twenty ten", "2010"},
		{"two point five", "2.5"}, {"2.5", "2.5"}, {"point five", "point 5"}, {"the twenty first of May", "the 21st of may"}, {"the 21st", "the 21st"},
		{"wait a second", "wait a second"}, {"first and second", "1st and second"}, {"one and two", "1 and 2"}, {"one hundred and", "100 and"},
		{"$5", "5 dollars"}, {"five dollars", "5 dollars"}, {"£1,000", "1000 pounds"}, {"80 %", "80 percent"}, {"80%", "80 percent"}, {"eighty percent", "80 percent"},
		{"Café naïve", "cafe naive"}, {"the U.S. army", "the us army"}, {"end.Begin", "end begin"}, {"007", "007"}, {"Mr. Smith", "mister smith"},
		{"seven thousand thousand", "7000 thousand"}, {"half past nine thirty", "half past 9 30"}, {"'tis", "tis"}, {"O'Brien", "obrien"},
	} {
		if got := strings.Join(Normal(tt.text), " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		n         int
	}{
		{"a b c", "a b c", 0}, {"a b c", "", 3}, {"", "a b", 2}, {"a b c", "a c", 1}, {"a b c", "a x c", 1}, {"a b c", "a b b c", 1}, {"a b c d", "b c d e", 2}, {"a b", "c d e", 3},
	} {
		if n := Errors(strings.Fields(tt.want), strings.Fields(tt.got)); n != tt.n {
			t.Errorf("%q for %q: %d errors, want %d", tt.got, tt.want, n, tt.n)
		}
	}
}

func TestRates(t *testing.T) {
	if Rate(nil) != 0 || Rate([]Score{{10, 1}, {30, 7}}) != 0.2 {
		t.Error("wrong rate")
	}
	var all []Score
	for i := range 100 {
		all = append(all, Score{10, i % 4})
	}
	low, high := Interval(all)
	if again, _ := Interval(all); again != low || !(low > 0.11 && low < 0.15 && high > 0.15 && high < 0.19) {
		t.Errorf("%v to %v", low, high)
	}
	if Percentile([]int{}, 0.5) != 0 || Percentile([]int{5, 1, 3}, 0.5) != 3 || Percentile([]int{5, 1, 3}, 0.95) != 5 || Percentile([]int{7}, 0) != 7 {
		t.Error("wrong percentile")
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"1-2-0001.flac", "1-2-0002.wav"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, tt := range map[string]struct {
		text string
		want []Case
	}{
		"JSON lines":  {"\ufeff# remark\n{\"audio\":\"a.wav\",\"text\":\"Hello.\",\"speaker\":3}\n\n{\"audio\":\"/b.wav\",\"text\":\"you\"}", []Case{{in("a.wav"), "Hello.", 2}, {"/b.wav", "you", 4}}},
		"columns":     {"a.wav\thello\nb.wav\tyou there", []Case{{in("a.wav"), "hello", 1}, {in("b.wav"), "you there", 2}}},
		"named":       {"client_id\tsentence\tpath\nx\thello\ta.mp3\n", []Case{{in("a.mp3"), "hello", 2}}},
		"LibriSpeech": {"1-2-0001 HE HOPED\n1-2-0002 THERE WOULD BE STEW\r\n", []Case{{in("1-2-0001.flac"), "HE HOPED", 1}, {in("1-2-0002.wav"), "THERE WOULD BE STEW", 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Manifest(strings.NewReader(tt.text), dir)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestBrokenManifests(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "no recording",
		"# only a remark":                     "no recording",
		"{\"audio\":\"a.wav\"}":               `line 1: it lacks "audio" or "text"`,
		"{\"audio\":\"a\",\"text\":\"x\"}\n{": "line 2: it is no JSON object",
		"{\"audio\":3,\"text\":\"x\"}":        "line 1: it is no JSON object",
		"{\"audio\":\"a\",\"text\":\"...\"}":  "line 1: the recording or its words are empty",
		"path\tsentence\na.wav":               "line 2: it is neither",
		"speaker\tpath\tsentence\na\tb.wav":   "line 2: it has 2 columns, want 3",
		"1-2-0009 HELLO":                      "line 1: there is no 1-2-0009.flac",
		"../../etc/passwd HELLO":              "line 1: there is no",
		"word":                                "line 1: it is neither",
		strings.Repeat("x", longestLine+1):    "too long",
	} {
		if _, err := Manifest(strings.NewReader(text), t.TempDir()); !errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func FuzzNormal(f *testing.F) {
	for _, s := range []string{"twenty twenty twenty one", "$1,000.50 and 5%", "o'clock's've", "one hundred and and five", "ninety ninth point point one", "\xff\u0301", "9999999999 thousand million"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range Normal(s) {
			if w == "" || strings.ContainsAny(w, " ,!?") || w != strings.ToLower(w) {
				t.Errorf("%q has %q", s, w)
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add("{\"audio\":\"a\",\"text\":\"b\"}\n")
	f.Add("a\tb\n")
	f.Add("path\ttext\n\t\n")
	f.Fuzz(func(t *testing.T, s string) {
		cases, err := Manifest(strings.NewReader(s), "x")
		if (err == nil) != (len(cases) > 0) {
			t.Errorf("%d cases, %v", len(cases), err)
		}
	})
}
