package document

import (
	"encoding/xml"
	"path"
	"strings"
)

// mainPart is where a Word file's text is, "" where it is none.
func (p *pack) mainPart() string {
	part := ""
	_ = p.scan("_rels/.rels", func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "Relationship" && strings.HasSuffix(attr(e, "Type"), "/officeDocument") {
			part = strings.TrimPrefix(path.Clean("/"+attr(e, "Target")), "/")
			return errEnough
		}
		return nil
	})
	if !strings.HasPrefix(part, "word/") || p.files[part] == nil {
		return ""
	}
	return part
}

// readDOCX reads Word's .docx. Deleted text, instructions of fields and the second wording of what older programs
// cannot show are left out; footnotes stand at the end.
func readDOCX(p *pack, b *book) error {
	b.Kind = "docx"
	b.Title = p.element("docProps/core.xml", "dc:title")
	part := p.mainPart()
	if part == "" {
		part = "word/document.xml"
	}
	if err := p.words(part, b); err != nil {
		return err
	}
	for _, notes := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if p.files[notes] != nil {
			if err := p.words(notes, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *pack) words(part string, b *book) error {
	var s skipper
	inText, hidden := false, false
	cells := 0 // open: their paragraphs stand beside each other
	leave := func(e xml.StartElement) bool {
		switch prefixed(e.Name) {
		case "mc:Fallback", "w:del", "w:moveFrom", "w:sectPr", "w:pPr":
			return true
		}
		return false
	}
	return p.scan(part, func(t xml.Token) error {
		if s.skips(t, leave) {
			return nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch prefixed(t.Name) {
			case "w:r":
				hidden = false
			case "w:vanish":
				hidden = attr(t, "val") != "0" && attr(t, "val") != "false"
			case "w:t":
				inText = true
			case "w:tc":
				cells++
			case "w:tab":
				return b.write("\t")
			case "w:cr":
				return b.write("\n")
			case "w:br":
				if attr(t, "type") == "page" {
					b.turn()
					return nil
				}
				return b.write("\n")
			case "w:lastRenderedPageBreak":
				if strings.TrimSpace(b.now.String()) != "" { // else the break just before said so too
					b.turn()
				}
			}
		case xml.EndElement:
			switch prefixed(t.Name) {
			case "w:t":
				inText = false
			case "w:p":
				return b.write(lineEnd(cells))
			case "w:tc":
				cells = max(0, cells-1)
				return b.write("\t")
			case "w:tr":
				return b.write("\n")
			}
		case xml.CharData:
			if inText && !hidden {
				return b.write(string(t))
			}
		}
		return nil
	})
}

// lineEnd is what ends a paragraph: within a table's cell it does not break the row.
func lineEnd(cells int) string {
	if cells > 0 {
		return " "
	}
	return "\n"
}
