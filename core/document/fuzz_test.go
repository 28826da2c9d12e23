package document_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/document"
)

// FuzzRead: whatever the bytes, reading ends soon, within the limits, with text that can be shown or a known error.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"x.txt", "x.html", "x.md", "x"} {
		f.Add(name, []byte("<html><title>T</title><p hidden>x<p>hello <b>you</b></html>"))
		f.Add(name, wide(true, 1, "Grüße\ufb01\u200b\x00"))
		f.Add(name, []byte("\xff\xfe\x00"))
		f.Add(name, []byte("%PDF"))
	}
	f.Add("x.docx", docxOf(f, w("one", "two")+`<w:tbl><w:tr><w:tc>`+w("a")+`</w:tc></w:tr></w:tbl><w:br w:type="page"/>`))
	f.Add("x.odt", odtOf(f, "<text:p>one<text:s text:c='99999999'/></text:p></text:p><text:soft-page-break/>"))
	f.Add("x.epub", epubOf(f, []string{"<p>one", "<script/>two"}))
	limits := document.Limits{Bytes: 1 << 20, Unpacked: 1 << 20, Pages: 50, Text: 1 << 16}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if strings.Contains(string(data[:min(len(data), 1024)]), "%PDF-") {
			t.Skip("PDFium has fuzzers of its own")
		}
		check(t, name, data, limits)
	})
}

// FuzzPDF sees that what PDFium makes of broken files, crashes in its sandbox included, is an error like any other.
func FuzzPDF(f *testing.F) {
	whole := pdfOf("Bees", "", "Bees make honey.", "Page two.")
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(pdfOf("", protected, "x"))
	f.Add(pdfOf("", "/Root 1 0 R", ""))
	limits := document.Limits{Bytes: 1 << 20, Pages: 50, Text: 1 << 16}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, "x.pdf", append([]byte("%PDF-1.4\n"), data...), limits) })
}

// FuzzMarkup lets the readers of XML and HTML see what is packed, past the archive's checksums.
func FuzzMarkup(f *testing.F) {
	f.Add(uint8(0), w("one")+"<w:del><w:p/></w:del><mc:Fallback>")
	f.Add(uint8(1), "<text:p>one<text:note>x</text:note></text:p><office:annotation>")
	f.Add(uint8(2), "<p>one<pre> two</pre><div hidden><div></div>")
	f.Add(uint8(3), "<!doctype html><title>x<!-- --><svg/><textarea></title>")
	limits := document.Limits{Bytes: 1 << 20, Unpacked: 1 << 20, Pages: 50, Text: 1 << 16}
	f.Fuzz(func(t *testing.T, kind uint8, body string) {
		switch kind % 4 {
		case 0:
			check(t, "x.docx", docxOf(t, body), limits)
		case 1:
			check(t, "x.odt", odtOf(t, body), limits)
		case 2:
			check(t, "x.epub", epubOf(t, []string{body, body}), limits)
		case 3:
			check(t, "x.html", []byte(body), limits)
		}
	})
}

func check(t *testing.T, name string, data []byte, l document.Limits) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	d, err := reader.ReadBytes(ctx, name, data, l)
	if err != nil {
		for _, known := range []error{document.ErrEncrypted, document.ErrBroken, document.ErrEmpty, document.ErrScanned, document.ErrTooLarge, document.ErrKind} {
			if errors.Is(err, known) {
				return
			}
		}
		t.Fatalf("unknown error: %v", err)
	}
	text := d.Text()
	if len(d.Pages) == 0 || len(d.Pages) > l.Pages || d.Total < d.Pages[len(d.Pages)-1].Number || d.Kind == "" {
		t.Errorf("%d of %d pages of %s", len(d.Pages), d.Total, d.Kind)
	}
	if len(text) > l.Text+2*len(d.Pages) || !utf8.ValidString(text) || !utf8.ValidString(d.Title) || strings.ContainsAny(text, "\x00\u200b\u202e\r") {
		t.Errorf("unfit text: %d bytes, %.100q", len(text), text)
	}
}
