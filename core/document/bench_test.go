package document_test

import (
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/document"
)

// BenchmarkRead reads about 100 kB of text, of 20 pages where there are pages.
func BenchmarkRead(b *testing.B) {
	lines := strings.Repeat("The bees had been restless since the early morning.\n", 95)
	pages := strings.Split(strings.Repeat(lines+"\f", 20), "\f")[:20]
	paragraphs := strings.Split(strings.Repeat(lines, 20), "\n")
	for name, data := range map[string][]byte{
		"x.pdf": pdfOf("Bees", "", pages...), "x.docx": docxOf(b, w(paragraphs...)), "x.epub": epubOf(b, pages),
		"x.html": []byte("<html><p>" + strings.Join(paragraphs, "<p>")), "x.txt": []byte(strings.Join(pages, "\f")),
	} {
		b.Run(name, func(b *testing.B) {
			if _, err := reader.ReadBytes(b.Context(), name, data, document.Limits{}); err != nil { // makes the PDF engine
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := reader.ReadBytes(b.Context(), name, data, document.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFirstPDF is the first PDF after a start: with the engine kept in a folder, and made anew.
func BenchmarkFirstPDF(b *testing.B) {
	for name, cache := range map[string]string{"kept": b.TempDir(), "anew": ""} {
		b.Run(name, func(b *testing.B) {
			first := func() {
				r := document.Reader{Cache: cache}
				if _, err := r.ReadBytes(b.Context(), "x.pdf", pdfOf("", "", "x"), document.Limits{}); err != nil {
					b.Fatal(err)
				}
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
			first() // fills the folder
			for b.Loop() {
				first()
			}
		})
	}
}
