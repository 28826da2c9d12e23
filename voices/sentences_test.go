package voices

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"two":           {"It rains. Take a coat!", []string{"It rains.", "Take a coat!"}},
		"title":         {"Dr. Who came. He left.", []string{"Dr. Who came.", "He left."}},
		"initials":      {"J. R. Smith wrote it. Really.", []string{"J. R. Smith wrote it.", "Really."}},
		"decimal":       {"Pi is 3.14 or so. Yes.", []string{"Pi is 3.14 or so.", "Yes."}},
		"address":       {"See https://example.com/a.b?c=1. Then go on.", []string{"See https://example.com/a.b?c=1.", "Then go on."}},
		"e.g.":          {"Buy fruit, e.g. apples. Or bread.", []string{"Buy fruit, e.g. apples.", "Or bread."}},
		"p.m. inside":   {"At 5 p.m. today we meet. Come.", []string{"At 5 p.m. today we meet.", "Come."}},
		"p.m. at end":   {"We meet at 5 p.m. Bring cake.", []string{"We meet at 5 p.m.", "Bring cake."}},
		"quote":         {`He said "stop." Then he went.`, []string{`He said "stop."`, "Then he went."}},
		"dots":          {"Well... I see. Fine", []string{"Well...", "I see.", "Fine"}},
		"list":          {"You have:\n- milk\n- bread\n- two eggs", []string{"You have:", "- milk", "- bread", "- two eggs"}},
		"numbered list": {"1. First this.\n2. Then that.", []string{"1. First this.", "2. Then that."}},
		"wrapped line":  {"This is one\nsentence. Two.", []string{"This is one\nsentence.", "Two."}},
		"paragraph":     {"A heading\n\nText follows", []string{"A heading", "Text follows"}},
		"question":      {"Right? Or not?", []string{"Right?", "Or not?"}},
		"no stop":       {"no stop at all", []string{"no stop at all"}},
		"empty":         {" \n ", nil},
		"I":             {"It was I. You were out.", []string{"It was I.", "You were out."}},
		"number ends":   {"There were 12. Then 13.", []string{"There were 12.", "Then 13."}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Split(tt.text); !slices.Equal(got, tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A model gives its text in crumbs; the sentences must not depend on how it crumbled.
func TestSentencesDoNotDependOnPieces(t *testing.T) {
	const text = "Dr. Grey paid 3.50 at 5 p.m. today. \"Good.\" she said:\n- one\n- two. Done! See a.b.c now"
	want := Split(text)
	for size := 1; size < 9; size++ {
		pieces := func(yield func(string, error) bool) {
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				if !yield(rest[:n], nil) {
					return
				}
				rest = rest[n:]
			}
		}
		var got []string
		for s := range Sentences(pieces) {
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pieces of %d: got %q, want %q", size, got, want)
		}
	}
}

func TestSentencesLeaveEarly(t *testing.T) {
	asked := 0
	pieces := func(yield func(string, error) bool) {
		for _, p := range []string{"One. ", "Two. ", "Three. "} {
			asked++
			if !yield(p, nil) {
				return
			}
		}
	}
	for range Sentences(pieces) {
		break
	}
	if asked > 2 {
		t.Fatalf("%d pieces were asked for after the listener had left", asked)
	}
}

func TestSentencesCarryErrors(t *testing.T) {
	broke := errors.New("model broke")
	pieces := func(yield func(string, error) bool) {
		_ = yield("It is half", nil) && yield("", broke)
	}
	var got []string
	var last error
	for s, err := range Sentences(pieces) {
		if err != nil {
			last = err
			continue
		}
		got = append(got, s)
	}
	if !slices.Equal(got, []string{"It is half"}) || !errors.Is(last, broke) {
		t.Fatalf("got %q and %v", got, last)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("Dr. Who came. He left.")
	f.Add("1. a\n2. b\n\n…\"?!")
	f.Fuzz(func(t *testing.T, text string) {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := squeeze(strings.Join(Split(text), " ")); got != squeeze(text) {
			t.Fatalf("%q lost or gained text: %q", text, got)
		}
	})
}

// The first clause of an answer that is still written is given early; later ones, and those of a text that comes at
// once, are not cut.
func TestFirstClause(t *testing.T) {
	for name, tt := range map[string]struct{ pieces, want []string }{
		"streamed":     {[]string{"The sky is blue, ", "because air scatters", " light, and so on. ", "That is why, you see."}, []string{"The sky is blue,", "because air scatters light, and so on.", "That is why, you see."}},
		"at once":      {[]string{"The sky is blue, because air scatters light."}, []string{"The sky is blue, because air scatters light."}},
		"too short":    {[]string{"Well, ", "no, ", "not today."}, []string{"Well, no, not today."}},
		"a number":     {[]string{"It has about 12", ",", "500 people in all."}, []string{"It has about 12,500 people in all."}},
		"whole first":  {[]string{"Yes. ", "The sky is blue, ", "I think."}, []string{"Yes.", "The sky is blue, I think."}},
		"clock":        {[]string{"It is now about ", "4:20", " in the afternoon"}, []string{"It is now about 4:20 in the afternoon"}},
		"colon, dash":  {[]string{"There are two ways — ", "by land and by sea."}, []string{"There are two ways —", "by land and by sea."}},
		"comma at end": {[]string{"The sky is blue", ","}, []string{"The sky is blue,"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for s, err := range Sentences(func(yield func(string, error) bool) {
				for _, p := range tt.pieces {
					if !yield(p, nil) {
						return
					}
				}
			}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, s)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
