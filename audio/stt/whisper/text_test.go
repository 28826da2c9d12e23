package whisper

import (
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

func TestSpan(t *testing.T) {
	for seconds, want := range map[float64]int{0.1: 256, 2: 256, 5: 320, 10: 576, 28: 1472, 29: 0, 30: 0, 65: 0} {
		if got := span(int(seconds * audio.Rate)); got != want {
			t.Errorf("%v s need %d positions, want %d", seconds, got, want)
		}
		if n := span(int(seconds * audio.Rate)); n > 0 && n*step < int(seconds*audio.Rate)+margin*step/2 {
			t.Errorf("%v s do not fit into %d", seconds, n)
		}
	}
}

func TestUnmarked(t *testing.T) {
	for text, want := range map[string]string{
		"[BLANK_AUDIO]": "", "(upbeat music) Hello there": "Hello there", "♪ la la ♪": "la la", "*sighs* Well": "Well", "((x) y) z": "z", "open [": "open [", "a ] b": "a ] b",
		"It costs 5 * 3 * 2": "It costs 5 * 3 * 2", "【音楽】 hi": "hi",
	} {
		if got := unmarked(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestUnlooped(t *testing.T) {
	for text, want := range map[string]string{
		"no no no":       "no no no",
		"no no no no no": "no",
		"I think so. I think so. I think so. I think so. And": "I think so. And",
		"call Anna Anna Anna Anna now":                        "call Anna now",
		"one two three four":                                  "one two three four",
		"":                                                    "",
	} {
		words, looped := unlooped(strings.Fields(text))
		if got := strings.Join(words, " "); got != want || looped != (want != text) {
			t.Errorf("%q became %q (%v)", text, got, looped)
		}
	}
}

func TestBelief(t *testing.T) {
	c := Config{}.withDefaults()
	for name, tt := range map[string]struct {
		text               string
		sure, silent, said float64
		prompt             string
		doubted            bool
	}{
		"plain order":                {"Turn on the light.", 0.9, 0.01, 0.8, "", false},
		"unsure order":               {"Turn on the light.", 0.4, 0.1, 0.8, "", false},
		"unsure and silent":          {"Turn on the light.", 0.4, 0.8, 0.8, "", true},
		"sure although silent":       {"Turn on the light.", 0.8, 0.8, 0.8, "", false},
		"nobody spoke":               {"Turn on the light.", 0.9, 0.1, 0, "", true},
		"phantom":                    {" Thanks for watching!", 0.9, 0.3, 0.8, "", true},
		"phantom in a pause":         {"Thank you.", 0.9, 0.01, 0.1, "", true},
		"thanks, clearly":            {"Thank you.", 0.9, 0.01, 0.8, "", false},
		"only marks":                 {"...", 0.9, 0, 1, "", true},
		"echo of the prompt":         {"Anna, Paris", 0.7, 0.7, 0.5, "Set a timer, Anna, Paris.", true},
		"a word of the prompt, said": {"Paris", 0.9, 0.05, 0.5, "Set a timer, Anna, Paris.", false},
		"foreign phantom":            {"ご視聴ありがとうございました", 0.9, 0.4, 0.9, "", true},
		"untertitel":                 {"Untertitel der Amara.org-Community", 0.9, 0.4, 0.9, "", true},
	} {
		if got := c.unbelievable(segment{text: tt.text, sure: tt.sure, silent: tt.silent}, tt.said, tt.prompt); got != tt.doubted {
			t.Errorf("%s: doubted %v", name, got)
		}
	}
}

func words(text string, from, each time.Duration) (list []audio.Word) {
	for w := range strings.FieldsSeq(text) {
		list = append(list, audio.Word{Text: w, Start: from, End: from + each})
		from += each
	}
	return list
}

func TestAgreement(t *testing.T) {
	const each = 300 * time.Millisecond
	var a agreement
	for i, step := range []struct{ heard, agreed string }{
		{"set", ""},
		{"Set a", "Set"},
		{"set a time", "Set a"},
		{"set a timer", "Set a"},
		{"set a timer for", "Set a timer"},
		{"said a timer for ten", "Set a timer for"}, // agreed words are not taken back
		{"", "Set a timer for"},
		{"set a timer for ten minutes", "Set a timer for"},
		{"set a timer for ten minutes", "Set a timer for ten minutes"},
	} {
		a.hear(words(step.heard, 0, each))
		if got := textOf(a.agreed); got != step.agreed {
			t.Fatalf("step %d: %q, want %q", i, got, step.agreed)
		}
	}
	// A window that begins at the last agreed word's end goes on from there.
	end := a.end()
	for range 2 {
		a.hear(words("please now", end, each))
	}
	if got := textOf(a.agreed); got != "Set a timer for ten minutes please now" {
		t.Errorf("got %q", got)
	}
}

func TestOrdered(t *testing.T) {
	sec := time.Second
	got := ordered([]audio.Word{{Text: "a", Start: 0, End: 0}, {Text: "b", Start: 0, End: 2 * sec}, {Text: "c", Start: sec, End: 3 * sec}}, 3*sec)
	if len(got) != 3 || got[0].End != 10*time.Millisecond || got[1].Start != 10*time.Millisecond || got[2].Start != 2*sec {
		t.Errorf("got %v", got)
	}
	if got := ordered([]audio.Word{{Text: "a", Start: 0, End: 3 * sec}, {Text: "b", Start: 3 * sec, End: 3 * sec}}, 3*sec); got != nil {
		t.Errorf("what does not fit has times: %v", got)
	}
}

func TestPrompt(t *testing.T) {
	if got := promptOf([]string{" Anna. ", "anna", "buy\tmilk", "a\x00b"}); got != "Anna, buy milk, a b." {
		t.Errorf("got %q", got)
	}
	long := make([]string, 500)
	for i := range long {
		long[i] = strings.Repeat("y", i%70+1)
	}
	if got := promptOf(long); len(got) > longestPrompt {
		t.Errorf("%d bytes", len(got))
	}
	if promptOf(nil) != "" || promptOf([]string{"..."}) != "" {
		t.Error("nothing became something")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"language":"english","segments":[{"text":" Hi","start":0,"end":1e300,"avg_logprob":5,"no_speech_prob":-1,"words":[{"word":" H","start":-1,"end":0.5},{"word":"i"}]}]}`))
	f.Add([]byte(`{"error":"x"}`))
	f.Add([]byte(`{"segments":[{"text":"\ufffd","words":[{"word":"[_TT_5]"}]}]}`))
	c := Config{}.withDefaults()
	f.Fuzz(func(t *testing.T, page []byte) {
		const long = 5 * time.Second
		r, err := parse(page, long)
		if err != nil {
			return
		}
		voiced := make([]bool, 250)
		for i := range voiced {
			voiced[i] = true
		}
		at := time.Duration(0)
		for _, w := range ordered(c.believe(r, voiced, "Hi."), long) {
			if w.Start < at || w.End <= w.Start || w.End > long || w.Text == "" {
				t.Fatalf("%+v", w)
			}
			at = w.End
		}
		if s := sureness(r); !(s >= 0 && s <= 1) {
			t.Errorf("sure %v", s)
		}
	})
}

func FuzzUnlooped(f *testing.F) {
	f.Add("a a a a a b c b c b c b c")
	f.Fuzz(func(t *testing.T, text string) {
		in := strings.Fields(text)
		out, looped := unlooped(in)
		if len(out) > len(in) || looped == (len(out) == len(in)) {
			t.Errorf("%q became %q", in, out)
		}
	})
}
