package document_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/document"
)

// heads are a document's headings: page, level, text, and the line at which each stands.
func heads(d document.Document) string {
	var out []string
	for _, p := range d.Pages {
		for _, h := range p.Heads {
			line, _, _ := strings.Cut(p.Text[h.At:], "\n")
			out = append(out, fmt.Sprintf("%d %d %s (%s)", p.Number, h.Level, h.Text, line))
		}
	}
	return strings.Join(out, "; ")
}

func TestHeads(t *testing.T) {
	style := func(id string) string { return `<w:pPr><w:pStyle w:val="` + id + `"/></w:pPr>` }
	for name, tt := range map[string]struct {
		file string
		data []byte
		want string
	}{
		"docx": {"x.docx", docxOf(t, `<w:p>`+style("berschrift1")+`<w:r><w:t>Rent</w:t></w:r></w:p>`+w("900 euros")+`<w:p>`+style("Heading2")+`<w:r><w:t>Due </w:t></w:r><w:r><w:t>day</w:t></w:r></w:p>`+w("the third"),
			"word/styles.xml", head+`<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`), "1 1 Rent (Rent); 1 2 Due day (Due day)"},
		"odt":      {"x.odt", odtOf(t, `<text:h text:outline-level="2">The <text:span>shed</text:span></text:h><text:p>tools</text:p>`), "1 2 The shed (The shed)"},
		"epub":     {"x.epub", epubOf(t, []string{"<h2>End</h2><p>Home.</p>", "<h1>Start</h1><p>Out.</p>"}), "1 1 Start (Start); 2 2 End (End)"},
		"html":     {"x.html", []byte("<html><body><h1>Soup &amp; <i>bread</i></h1><p>Boil.</p><h2></h2><h2>Salt</h2>x"), "1 1 Soup & bread (Soup & bread); 1 2 Salt (Salt)"},
		"markdown": {"x.md", []byte("# Plan #\n\ntext\n\nUnder\n-----\n\n```\n# no\n```\n\n### Deep *one*\ntext"), "1 1 Plan (# Plan #); 1 2 Under (Under); 1 3 Deep *one* (### Deep *one*)"},
		"text":     {"x.txt", []byte("THE LEASE\n\nWords.\n\n2.1 Notice period\n\nMore words.\n\nChapter 4\nThe end\n\nNot a heading.\n\n1. buy milk"), "1 1 THE LEASE (THE LEASE); 1 2 2.1 Notice period (2.1 Notice period); 1 1 Chapter 4 (Chapter 4)"},
		"pdf":      {"x.pdf", pdfOf("x", "", "1 Introduction\nBees make honey.", "2.3 Results of it\nThey did."), "1 1 1 Introduction (1 Introduction); 2 2 2.3 Results of it (2.3 Results of it)"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := reader.ReadBytes(t.Context(), tt.file, tt.data, document.Limits{})
			if got := heads(d); err != nil || got != tt.want {
				t.Errorf("\n got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

// Headings that are not where they say, and pages made of their words, take no long time.
func TestHostileHeads(t *testing.T) {
	began := time.Now()
	many := strings.Repeat("<h1>a</h1>", 20_000) + "<p>" + strings.Repeat("a ", 500_000)
	if _, err := reader.ReadBytes(t.Context(), "x.html", []byte("<html><body>"+many), document.Limits{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestHowFarReadingIs(t *testing.T) {
	var told []string
	l := document.Limits{Told: func(page, pages int) { told = append(told, fmt.Sprintf("%d/%d", page, pages)) }}
	if _, err := reader.ReadBytes(t.Context(), "x.pdf", pdfOf("x", "", "one", "two", "three"), l); err != nil || strings.Join(told, " ") != "1/3 2/3 3/3" {
		t.Errorf("told %v, %v", told, err)
	}
}
