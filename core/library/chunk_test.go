package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/library"
)

func cut(text string, heads ...library.Head) []library.Chunk {
	return library.Cut(library.Paper{Title: "t", Pages: []library.Page{{Number: 3, Text: text, Heads: heads}}})
}

func TestPassagesStandUnderTheirHeadings(t *testing.T) {
	filler := strings.Repeat("Some words that fill a section. ", 4)
	text := "Start. " + filler + "\nRent\n" + filler + "\nDue day\n" + filler + "\nNotice\n" + filler
	at := func(h string) int { return strings.Index(text, "\n"+h+"\n") + 1 }
	var got []string
	for _, c := range cut(text, library.Head{Level: 1, Text: "Rent", At: at("Rent")}, library.Head{Level: 2, Text: "Due day", At: at("Due day")}, library.Head{Level: 1, Text: "Notice", At: at("Notice")}) {
		first, _, _ := strings.Cut(c.Text, "\n")
		got = append(got, c.Heading+"|"+strings.TrimSuffix(first, strings.TrimSpace(filler)))
		if c.Page != 3 || c.Title != "t" {
			t.Errorf("%+v", c)
		}
	}
	if want := []string{"|Start. ", "Rent|Rent", "Rent > Due day|Due day", "Notice|Notice"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Headings reach over pages, and a short section stands with the next one.
func TestHeadingsReachOverPages(t *testing.T) {
	chunks := library.Cut(library.Paper{Pages: []library.Page{
		{Number: 1, Text: "One\nTwo\nThe words of the second section go on and on until the page ends here", Heads: []library.Head{{Level: 1, Text: "One", At: 0}, {Level: 2, Text: "Two", At: 4}}},
		{Number: 2, Text: "and they end on the next one."},
	}})
	if len(chunks) != 2 || chunks[0].Heading != "One > Two" || chunks[1].Heading != "One > Two" || chunks[1].Page != 2 || !strings.HasPrefix(chunks[0].Text, "One\nTwo") {
		t.Errorf("%+v", chunks)
	}
}

// A long section is cut at ends of sentences into parts of about one size, each beginning with the end of the one before.
func TestLongSectionsAreCutAtSentences(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		text.WriteString("Dr. A. Miller saw 3.5 herons, i.e. birds, at no. " + string(rune('a'+i%26)) + " near the brook. ")
	}
	chunks := cut(text.String())
	if len(chunks) < 8 {
		t.Fatalf("%d passages", len(chunks))
	}
	for i, c := range chunks {
		if !strings.HasSuffix(c.Text, "brook.") || !strings.HasPrefix(c.Text, "Dr. A.") || len(c.Text) > 2300 || len(c.Text) < 800 {
			t.Errorf("passage %d of %d bytes: %.30q ... %.30q", i, len(c.Text), c.Text, c.Text[max(0, len(c.Text)-30):])
		}
		if i > 0 && c.Begins >= chunks[i-1].Ends {
			t.Errorf("passage %d begins at %d, the one before ends at %d", i, c.Begins, chunks[i-1].Ends)
		}
	}
}

// Whatever the text is, all of it is in passages that are not too long and say where they stand.
func FuzzCut(f *testing.F) {
	for _, s := range []string{"", "a", "One. Two! Three?", strings.Repeat("word ", 3000), strings.Repeat("x", 9000), strings.Repeat("é。", 3000), "a\n\n\n- b\n- c\n\n", "\xff\xfe bad",
		strings.Repeat("(Fig. 1) e.g. 3.5 \"ok.\" ", 300)} {
		f.Add(s, 10, 500)
	}
	f.Fuzz(func(t *testing.T, text string, at, other int) {
		text = strings.ToValidUTF8(text, "?")
		var heads []library.Head
		for i, a := range []int{at, other} {
			if a >= 0 && a <= len(text) && (a == len(text) || utf8.RuneStart(text[a])) {
				heads = append(heads, library.Head{Level: i + 1, Text: "head", At: a})
			}
		}
		runes := []rune(text)
		covered := make([]bool, len(runes))
		for _, c := range cut(text, heads...) {
			if c.Begins < 0 || c.Ends > len(runes) || c.Begins >= c.Ends || string(runes[c.Begins:c.Ends]) != c.Text {
				t.Fatalf("%d to %d is not %q", c.Begins, c.Ends, c.Text)
			}
			if len(c.Text) > 2700 {
				t.Fatalf("a passage of %d bytes", len(c.Text))
			}
			for i := c.Begins; i < c.Ends; i++ {
				covered[i] = true
			}
		}
		for i, r := range runes {
			if !covered[i] && strings.TrimSpace(string(r)) != "" {
				t.Fatalf("%q at %d is in no passage", r, i)
			}
		}
	})
}

func TestGist(t *testing.T) {
	h := library.Hit{Heading: "Lease > Notice", Text: "Notice\nThe flat has two rooms. The tenant may end the lease with a notice period of three months. It must be in writing. The cellar is damp."}
	if got := h.Gist("how long is the notice period", 95); got != "The tenant may end the lease with a notice period of three months. It must be in writing." {
		t.Errorf("got %q", got)
	}
	if got := (library.Hit{}).Gist("x", 10); got != "" {
		t.Errorf("nothing gives %q", got)
	}
}

// No text takes long: the time grows with its length alone.
func TestCuttingIsQuick(t *testing.T) {
	for _, piece := range []string{".", ". ", "\n", ".\"", "a.b", "x", " ", "A. ", "e.g. ", "。", "- \n", "a.\n\n", ".)"} {
		text := strings.Repeat(piece, (1<<18)/len(piece))
		began := time.Now()
		cut(text)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q took %v", piece, took)
		} else {
			t.Logf("%q: %v", piece, took)
		}
	}
}
