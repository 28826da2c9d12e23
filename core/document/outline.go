package document

import (
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	mostMarks = 2000 // bookmarks of a PDF that are looked at
	deepMarks = 9    // levels of them
)

// outline gathers a PDF's bookmarks as headings, by the page that they lead to.
func (p *pdf) outline(doc references.FPDF_DOCUMENT) map[int][]heading {
	heads := map[int][]heading{}
	left := mostMarks
	var walk func(parent *references.FPDF_BOOKMARK, level int)
	walk = func(parent *references.FPDF_BOOKMARK, level int) {
		got, err := p.inst.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: doc, Bookmark: parent})
		if err != nil || got.Bookmark == nil {
			return
		}
		for mark := got.Bookmark; mark != nil && left > 0 && p.ctx.Err() == nil; {
			left-- // also ends bookmarks that lead in a circle
			if page, h, ok := p.mark(doc, *mark, level); ok {
				heads[page] = append(heads[page], h)
			}
			if level < deepMarks {
				walk(mark, level+1)
			}
			next, err := p.inst.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: doc, Bookmark: *mark})
			if err != nil {
				return
			}
			mark = next.Bookmark
		}
	}
	walk(nil, 1)
	return heads
}

// mark is the heading that a bookmark stands for, without its number, which the page may write in another way.
func (p *pdf) mark(doc references.FPDF_DOCUMENT, mark references.FPDF_BOOKMARK, level int) (page int, h heading, ok bool) {
	title, err := p.inst.FPDFBookmark_GetTitle(&requests.FPDFBookmark_GetTitle{Bookmark: mark})
	if err != nil {
		return 0, h, false
	}
	dest, err := p.inst.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: doc, Bookmark: mark})
	if err != nil || dest.Dest == nil {
		return 0, h, false
	}
	at, err := p.inst.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: doc, Dest: *dest.Dest})
	text := strings.TrimLeft(line(title.Title), "0123456789. ")
	return at.Index, heading{level, text}, err == nil && text != ""
}
