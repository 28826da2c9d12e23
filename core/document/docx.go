package document

import (
	"encoding/xml"
	"path"
	"strconv"
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
	levels := p.styles()
	if err := p.words(part, b, levels); err != nil {
		return err
	}
	for _, notes := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if p.files[notes] != nil {
			if err := p.words(notes, b, levels); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *pack) words(part string, b *book, levels map[string]int) error {
	w := &wording{book: b, levels: levels}
	var s skipper
	leave := func(e xml.StartElement) bool {
		switch prefixed(e.Name) {
		case "mc:Fallback", "w:del", "w:moveFrom", "w:sectPr":
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
			if w.looks {
				w.look(t)
				return nil
			}
			return w.begin(t)
		case xml.EndElement:
			return w.end(prefixed(t.Name))
		case xml.CharData:
			if w.inText && !w.hidden {
				if w.level > 0 && w.head.Len() < mostHead {
					w.head.Write(t)
				}
				return b.write(string(t))
			}
		}
		return nil
	})
}

// wording writes the text of a Word file's part.
type wording struct {
	*book
	levels map[string]int // of headings, by style
	inText bool
	hidden bool
	looks  bool // in a paragraph's properties
	cells  int  // open: their paragraphs stand beside each other
	level  int  // of the heading that is open, 0 for none
	head   strings.Builder
}

// look takes what a paragraph's properties say of it.
func (w *wording) look(t xml.StartElement) {
	switch prefixed(t.Name) {
	case "w:pStyle":
		w.level = w.levels[attr(t, "val")]
	case "w:outlineLvl":
		w.level = outline(attr(t, "val"))
	}
}

func (w *wording) begin(t xml.StartElement) error {
	switch prefixed(t.Name) {
	case "w:pPr":
		w.looks = true
	case "w:p":
		w.level = 0
		w.head.Reset()
	case "w:r":
		w.hidden = false
	case "w:vanish":
		w.hidden = attr(t, "val") != "0" && attr(t, "val") != "false"
	case "w:t":
		w.inText = true
	case "w:tc":
		w.cells++
	case "w:tab":
		return w.write("\t")
	case "w:cr":
		return w.write("\n")
	case "w:br":
		if attr(t, "type") == "page" {
			w.turn()
			return nil
		}
		return w.write("\n")
	case "w:lastRenderedPageBreak":
		if strings.TrimSpace(w.now.String()) != "" { // else the break just before said so too
			w.turn()
		}
	}
	return nil
}

func (w *wording) end(name string) error {
	switch name {
	case "w:pPr":
		w.looks = false
	case "w:t":
		w.inText = false
	case "w:p":
		if w.level > 0 {
			w.book.head(w.level, w.head.String())
			w.level = 0
		}
		return w.write(lineEnd(w.cells))
	case "w:tc":
		w.cells = max(0, w.cells-1)
		return w.write("\t")
	case "w:tr":
		return w.write("\n")
	}
	return nil
}

// styles are the levels of a Word file's styles of headings. Their ids are in the language of who wrote it, their names
// are not.
func (p *pack) styles() map[string]int {
	levels := map[string]int{"Title": 1}
	for i := 1; i <= 9; i++ {
		levels["Heading"+strconv.Itoa(i)] = i
	}
	if p.files["word/styles.xml"] == nil {
		return levels
	}
	style := ""
	_ = p.scan("word/styles.xml", func(t xml.Token) error { // a file without styles has plain headings
		e, ok := t.(xml.StartElement)
		if !ok || len(levels) > 10_000 {
			return nil
		}
		switch prefixed(e.Name) {
		case "w:style":
			style = attr(e, "styleId")
		case "w:name":
			name := strings.ToLower(attr(e, "val"))
			if n, ok := strings.CutPrefix(name, "heading "); ok && len(n) == 1 && n[0] >= '1' && n[0] <= '9' {
				levels[style] = int(n[0] - '0')
			} else if name == "title" {
				levels[style] = 1
			}
		case "w:outlineLvl":
			if n := outline(attr(e, "val")); n > 0 && style != "" {
				levels[style] = n
			}
		}
		return nil
	})
	return levels
}

// outline reads Word's level, which counts from 0; 9 is no heading.
func outline(val string) int {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 || n > 8 {
		return 0
	}
	return n + 1
}

// lineEnd is what ends a paragraph: within a table's cell it does not break the row.
func lineEnd(cells int) string {
	if cells > 0 {
		return " "
	}
	return "\n"
}
