package document

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// readEPUB reads an EPUB; its pages are the files in reading order, mostly chapters.
func readEPUB(p *pack, b *book) error {
	b.Kind = "epub"
	if err := p.locked(); err != nil {
		return err
	}
	root := ""
	err := p.scan("META-INF/container.xml", func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "rootfile" {
			root = strings.TrimPrefix(path.Clean("/"+attr(e, "full-path")), "/")
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	chapters, err := p.spine(root, b)
	if err != nil {
		return err
	}
	b.Total = len(chapters)
	for _, name := range chapters {
		if err := p.chapter(name, b); err != nil {
			return err
		}
		b.turn()
	}
	return nil
}

// locked tells whether the text is encrypted. Fonts often are, which does not matter.
func (p *pack) locked() error {
	if p.files["META-INF/encryption.xml"] == nil {
		return nil
	}
	return p.scan("META-INF/encryption.xml", func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if ok && e.Name.Local == "CipherReference" {
			switch strings.ToLower(path.Ext(attr(e, "URI"))) {
			case ".xhtml", ".html", ".htm", ".xml":
				return ErrEncrypted
			}
		}
		return nil
	})
}

// spine is the files of a book in reading order. It also finds the title.
func (p *pack) spine(root string, b *book) ([]string, error) {
	files := map[string]string{} // by id
	var order []string
	var title strings.Builder
	inTitle := false
	err := p.scan(root, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "title":
				inTitle = title.Len() == 0
			case "item":
				if href, err := url.PathUnescape(attr(t, "href")); err == nil && strings.Contains(attr(t, "media-type"), "html") {
					files[attr(t, "id")] = strings.TrimPrefix(path.Join("/", path.Dir(root), href), "/")
				}
			case "itemref":
				order = append(order, attr(t, "idref"))
			}
		case xml.EndElement:
			inTitle = inTitle && t.Name.Local != "title"
		case xml.CharData:
			if inTitle && title.Len() < 1000 {
				title.Write(t)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.Title = title.String()
	var chapters []string
	seen := map[string]bool{}
	for _, id := range order {
		if name := files[id]; name != "" && !seen[name] {
			seen[name] = true
			chapters = append(chapters, name)
		}
	}
	if len(chapters) == 0 {
		return nil, fmt.Errorf("%w: it names no chapters", ErrBroken)
	}
	return chapters, nil
}

func (p *pack) chapter(name string, b *book) error {
	r, err := p.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	return (&markup{book: b, xml: true}).read(r)
}
