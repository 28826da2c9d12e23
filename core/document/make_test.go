package document_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

var escape = strings.NewReplacer("(", `\(`, ")", `\)`)

// pdfOf writes a PDF with a page for each text; its lines are set under each other. more goes into the trailer.
func pdfOf(title, more string, pages ...string) []byte {
	var out bytes.Buffer
	var at []int
	object := func(body string) int {
		at = append(at, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(at), body)
		return len(at)
	}
	out.WriteString("%PDF-1.4\n")
	font := object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	info := object(fmt.Sprintf("<< /Title (%s) >>", title))
	tree := info + 1 + 2*len(pages)
	var kids []string
	for _, text := range pages {
		var body strings.Builder
		if text != "" {
			body.WriteString("BT /F1 12 Tf 14 TL 72 720 Td\n")
			for l := range strings.SplitSeq(text, "\n") {
				fmt.Fprintf(&body, "(%s) Tj T*\n", escape.Replace(l))
			}
			body.WriteString("ET")
		} else {
			body.WriteString("0.5 g 72 72 400 600 re f") // a picture of a page
		}
		content := object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", body.Len(), body.String()))
		kids = append(kids, fmt.Sprintf("%d 0 R", object(fmt.Sprintf(
			"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 %d 0 R >> >> >>", tree, content, font))))
	}
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages)))
	root := object(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", tree))
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, a := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", a)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, root, info, more, start)
	return out.Bytes()
}

// protected is what the trailer of a PDF says that needs a password.
const protected = "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 " +
	"/O <0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20> /U <2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40> >>"

// zipOf packs files: name, content, name, content.
func zipOf(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		h := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if pairs[i] == "mimetype" {
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const head = `<?xml version="1.0" encoding="UTF-8"?>`

func docxOf(t testing.TB, body string, more ...string) []byte {
	return zipOf(t, append([]string{
		"[Content_Types].xml", head + `<Types/>`,
		"_rels/.rels", head + `<Relationships><Relationship Id="1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"docProps/core.xml", head + `<cp:coreProperties><dc:title>Notes on <![CDATA[bees]]></dc:title></cp:coreProperties>`,
		"word/document.xml", head + `<w:document xmlns:w="x"><w:body>` + body + `</w:body></w:document>`,
	}, more...)...)
}

func odtOf(t testing.TB, body string, more ...string) []byte {
	return zipOf(t, append([]string{
		"mimetype", "application/vnd.oasis.opendocument.text",
		"meta.xml", head + `<office:document-meta><office:meta><dc:title>The garden</dc:title></office:meta></office:document-meta>`,
		"content.xml", head + `<office:document-content><office:automatic-styles><style:x>none</style:x></office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`,
	}, more...)...)
}

func epubOf(t testing.TB, chapters []string, more ...string) []byte {
	var items, spine string
	for i := range chapters {
		items += fmt.Sprintf(`<item id="c%d" href="text/ch%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		spine = fmt.Sprintf(`<itemref idref="c%d"/>`, i) + spine // backwards, to see that the order is the spine's
	}
	pairs := []string{
		"mimetype", "application/epub+zip",
		"META-INF/container.xml", head + `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf", head + `<package><metadata><dc:title>A long walk</dc:title></metadata><manifest>` + items +
			`<item id="css" href="style.css" media-type="text/css"/></manifest><spine><itemref idref="css"/>` + spine + `</spine></package>`,
	}
	for i, c := range chapters {
		pairs = append(pairs, fmt.Sprintf("OEBPS/text/ch %d.xhtml", i), head+`<html><head><title/><script src="x.js"/></head><body>`+c+`</body></html>`)
	}
	return zipOf(t, append(pairs, more...)...)
}
