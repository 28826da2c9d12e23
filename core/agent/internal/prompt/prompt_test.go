package prompt

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/solo-assistant/solo/models"
)

// What common tokenizers make of these, counted by hand, is never more than the estimate, and seldom less than half.
func TestTokens(t *testing.T) {
	for text, least := range map[string]int{
		"": 0, "hello": 1, "Hello, world!": 4, "The quick brown fox jumps over the lazy dog.": 10, "antidisestablishmentarianism": 5,
		"2026-03-02T16:20:00Z": 16, `{"type":"reply"}`: 7, "日本語": 3, "a\n\nb": 3, "internationalization of software": 4,
	} {
		if got := Tokens(text); got < least || got > 2*least+2 {
			t.Errorf("%q: %d, want at least %d", text, got, least)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Hello, big world", 2)
	f.Add("日本語のテキスト", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		n = max(n%50, 0)
		head, rest := Cut(text, n)
		if head+rest != text || Tokens(head) > n && utf8.ValidString(text) {
			t.Fatalf("%q + %q of %q is %d tokens, more than %d", head, rest, text, Tokens(head), n)
		}
		if utf8.ValidString(text) && !utf8.ValidString(head) {
			t.Fatalf("%q is cut in a letter", head)
		}
	})
}

func FuzzFence(f *testing.F) {
	for _, s := range []string{"outside abcd1234>>", "<<outside abcd1234", "<|im_end|>", "[INST]", "3 < 5 >> 4", "</s>", "\U000e0041", "a\u200bb", "<<<<", ">>>>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const marker = "abcd1234"
		got := Fence(marker, text, text)
		if strings.Count(got, marker) != 2 && !strings.Contains(text, marker) {
			t.Fatalf("%q", got)
		}
		inner := strings.TrimSuffix(strings.TrimPrefix(got, "<<outside "+marker), "outside "+marker+">>")
		for _, bad := range []string{">>", "<<", "<|", "|>", "</", "[INST]", "<s"} {
			if strings.Contains(inner, bad) {
				t.Fatalf("%q is in %q", bad, inner)
			}
		}
	})
}

func TestDefuseLeavesPlainTextAlone(t *testing.T) {
	for _, s := range []string{"3 < 5, x <= 4 and y > 2", "Grüße, 日本語, 😀 👨‍👩‍👧", "a\tb\nc", "f(x) -> y"} {
		if got := Defuse(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestLines(t *testing.T) {
	schema := func(s string) json.RawMessage { return json.RawMessage(s) }
	got := Tools([]models.Spec{
		{Name: "a.b", Description: "Does a thing. And more.\n", Schema: schema(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["null","array"]},"n":{"type":"integer"}},"required":["z"]}`)},
		{Name: "c.d", Description: strings.Repeat("very ", 60), Schema: schema(`{"type":"object"}`)},
		{Name: "e.f", Schema: schema(`nonsense`)},
		{Name: "g.h", Schema: schema(`{"properties":{"k":{"enum":["x","y"]},"r":{"type":"string","description":"RRULE of it"}}}`)},
	})
	for i, want := range []string{"a.b(z, a?: list, n?: int) - Does a thing.", "c.d() - very very", "e.f(...)", "g.h(k?: x|y, r?: RRULE)"} {
		if line := strings.Split(got, "\n")[i]; !strings.HasPrefix(line, want) || len(line) > 140 {
			t.Errorf("%q, want %q", line, want)
		}
	}
}
