package sphinx

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSpell(t *testing.T) {
	for word, want := range map[string]string{
		"zorbo": "Z AO R B OW", "quixy": "K W IH K S IY", "thrip": "TH R IH P", "anna-li": "AE N AE L IY", "o'shay": "AA SH EY",
		"42": "", "naïve": "", "-": "",
	} {
		if got := strings.Join(spell(word), " "); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestPronounce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dict")
	if err := os.WriteFile(file, []byte("read R EH D\nread(2) R IY D\nready R EH D IY\nred R EH D\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, known, guessed, err := pronounce(file, []string{"42", "read", "zorbo"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"read R EH D", "read(2) R IY D", "zorbo Z AO R B OW"}; !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
	if !known["read"] || !known["zorbo"] || known["42"] || !slices.Equal(guessed, []string{"zorbo"}) {
		t.Errorf("known %v, guessed %v", known, guessed)
	}
}

func FuzzSpell(f *testing.F) {
	for _, s := range []string{"solo", "eau", "x'y", "ß", "\xff", "aaaa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, p := range spell(word) {
			if p != strings.ToUpper(p) || len(p) > 2 {
				t.Fatalf("%q has the phone %q", word, p)
			}
		}
	})
}

// tone is a voice-like sound: loud, with a gap between syllables.
func tone(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		if i%6000 < 4000 {
			out[i] = int16(i * 7919 % 8000)
		}
	}
	return out
}

func TestVoiced(t *testing.T) {
	quiet := make([]int16, 16000)
	for i := range quiet {
		quiet[i] = int16(i * 31 % 7)
	}
	sound := slices.Concat(quiet, tone(16000), quiet, quiet, tone(8000), quiet)
	spans := voiced(sound)
	if len(spans) != 2 {
		t.Fatalf("spans %v, want two", spans)
	}
	for i, want := range []span{{16000, 32000}, {64000, 72000}} {
		if s := spans[i]; s.from > want.from || s.from < want.from-6000 || s.to < want.to || s.to > want.to+8000 {
			t.Errorf("span %v, want %v and a little around it", s, want)
		}
	}
	said := cut(sound, spans)
	for _, n := range []int{0, 100, spans[0].to - spans[0].from, len(said) - 1} {
		if at := source(spans, n); sound[at] != said[n] {
			t.Errorf("sample %d of the cut is said to lie at %d", n, at)
		}
	}
	for name, pcm := range map[string][]int16{"nothing": nil, "less than a hop": make([]int16, 100), "zeros": make([]int16, 16000), "quiet": quiet} {
		if got := voiced(pcm); got != nil {
			t.Errorf("%s: voice at %v", name, got)
		}
	}
	if got := voiced(tone(16000)); len(got) != 1 || got[0].from != 0 || got[0].to != 16000 {
		t.Errorf("speech without any silence: %v, want all of it", got)
	}
}

// What the gate lets through does not depend on how the sound is cut.
func TestGate(t *testing.T) {
	sound := slices.Concat(make([]int16, 8000), tone(8000), make([]int16, 16000), tone(12000), make([]int16, 9000))
	var first []int16
	var pauses map[event]int
	for _, chunk := range []int{len(sound), 160, 37, 320, 5001} {
		var g gate
		var got []int16
		count := map[event]int{}
		for n := 0; n < len(sound); {
			n = min(n+chunk, len(sound))
			for {
				out, why := g.next(sound[:n])
				if got = append(got, out...); why == atEnd {
					break
				}
				count[why]++
			}
		}
		if count[atClose] != 2 || count[atDip] < 2 || count[atLull] < 2 {
			t.Errorf("chunks of %d: the gate saw %v, want two of each pause at least", chunk, count)
		}
		if first == nil {
			first, pauses = got, count
		}
		if !maps.Equal(count, pauses) {
			t.Errorf("chunks of %d: the gate saw %v, all at once %v", chunk, count, pauses)
		}
		if !slices.Equal(got, first) {
			t.Errorf("chunks of %d let %d samples through, all at once %d", chunk, len(got), len(first))
		}
	}
	if len(first) < 20000 || len(first) > 36000 {
		t.Errorf("%d samples came through of 20000 of voice", len(first))
	}
}

func TestTidy(t *testing.T) {
	cache := t.TempDir()
	for i := range keptModels + 3 {
		dir := filepath.Join(cache, "sphinx-"+string(rune('a'+i)))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(cache, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := tidy(cache); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(cache)
	if err != nil || len(left) != keptModels+1 {
		t.Errorf("%d folders left, %v; want %d", len(left), err, keptModels+1)
	}
}
