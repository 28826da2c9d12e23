package document

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// readODT reads OpenDocument text. Comments and what was changed away are left out.
func readODT(p *pack, b *book) error {
	b.Kind = "odt"
	if manifest, _ := p.text("META-INF/manifest.xml", 1<<20); strings.Contains(manifest, "encryption-data") {
		return ErrEncrypted
	}
	b.Title = p.element("meta.xml", "dc:title")
	var s skipper
	var head strings.Builder
	level := 0           // of the heading that is open
	depth, cells := 0, 0 // of paragraphs, for only in them is text, and of a table's cells
	leave := func(e xml.StartElement) bool {
		switch prefixed(e.Name) {
		case "text:tracked-changes", "office:annotation", "office:scripts", "office:automatic-styles", "text:note-citation":
			return true
		}
		return false
	}
	return p.scan("content.xml", func(t xml.Token) error {
		if s.skips(t, leave) {
			return nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch prefixed(t.Name) {
			case "text:h":
				depth++
				level, _ = strconv.Atoi(attr(t, "outline-level"))
				level = max(level, 1)
				head.Reset()
			case "text:p":
				depth++
			case "table:table-cell":
				cells++
			case "text:s":
				n, _ := strconv.Atoi(attr(t, "c"))
				return b.write(strings.Repeat(" ", min(max(n, 1), 100)))
			case "text:tab":
				return b.write("\t")
			case "text:line-break":
				return b.write("\n")
			case "text:soft-page-break":
				b.turn()
			case "text:note":
				return b.write(" (")
			case "text:list-item":
				return b.write("- ")
			}
		case xml.EndElement:
			switch prefixed(t.Name) {
			case "text:p", "text:h":
				depth = max(0, depth-1)
				if level > 0 && t.Name.Local == "h" {
					b.head(level, head.String())
					level = 0
				}
				if depth == 0 {
					return b.write(lineEnd(cells))
				}
			case "text:note":
				return b.write(")")
			case "table:table-cell":
				cells = max(0, cells-1)
				return b.write("\t")
			case "table:table-row":
				return b.write("\n")
			}
		case xml.CharData:
			if depth > 0 {
				if level > 0 && head.Len() < mostHead {
					head.WriteString(spaces(string(t)))
				}
				return b.write(spaces(string(t)))
			}
		}
		return nil
	})
}
