package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// mostEntries is how many files a packed document may hold.
const mostEntries = 20000

// pack is a document that is a ZIP archive of files.
type pack struct {
	ctx   context.Context // of the one Read that the pack lives for
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

// packed reads a ZIP archive that is a document.
func packed(ctx context.Context, b *book, data []byte) error {
	if bytes.Count(data, []byte("PK\x01\x02")) > mostEntries {
		return fmt.Errorf("%w: more than %d files in it", ErrTooLarge, mostEntries)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	p := &pack{ctx: ctx, files: map[string]*zip.File{}, left: b.limits.Unpacked}
	for _, f := range z.File {
		if f.Flags&1 != 0 {
			return ErrEncrypted
		}
		p.files[strings.TrimPrefix(path.Clean("/"+f.Name), "/")] = f
	}
	read := p.kind()
	if read == nil {
		b.Kind = ""
		return ErrKind
	}
	if err = read(p, b); errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// kind tells how to read the document, nil where it is none.
func (p *pack) kind() func(*pack, *book) error {
	mime, _ := p.text("mimetype", 100)
	switch mime = strings.TrimSpace(mime); {
	case mime == "application/epub+zip" || p.files["META-INF/container.xml"] != nil && p.files["content.xml"] == nil:
		return readEPUB
	case strings.HasPrefix(mime, "application/vnd.oasis.opendocument.text"):
		return readODT
	case p.files["word/document.xml"] != nil || p.files["_rels/.rels"] != nil && p.mainPart() != "":
		return readDOCX
	}
	return nil
}

// open unpacks a file, within what may still be unpacked of the document.
func (p *pack) open(name string) (io.ReadCloser, error) {
	f := p.files[name]
	if f == nil {
		return nil, fmt.Errorf("%w: %s is missing", ErrBroken, name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrBroken, name, err)
	}
	return &unpacking{p, r}, nil
}

type unpacking struct {
	p *pack
	io.ReadCloser
}

func (u *unpacking) Read(b []byte) (int, error) {
	if u.p.ctx.Err() != nil {
		return 0, context.Cause(u.p.ctx)
	}
	if u.p.left <= 0 {
		return 0, fmt.Errorf("%w: it unpacks to more than is allowed", ErrTooLarge)
	}
	n, err := u.ReadCloser.Read(b[:min(int64(len(b)), u.p.left)])
	u.p.left -= int64(n)
	return n, err
}

// text is the start of a file.
func (p *pack) text(name string, most int64) (string, error) {
	r, err := p.open(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, most))
	return string(data), err
}

// scan hands each piece of an XML file to see, until that returns an error. No entity but the five of XML is known, so
// that none can grow.
func (p *pack) scan(name string, see func(xml.Token) error) error {
	r, err := p.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if errors.Is(err, ErrTooLarge) || p.ctx.Err() != nil {
				return err
			}
			return fmt.Errorf("%w: %s: %w", ErrBroken, name, err)
		}
		if err := see(t); err != nil {
			return err
		}
	}
}

// prefixed is the name of an element or attribute as written: "w:t".
func prefixed(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// attr is the value of an attribute, whatever its prefix.
func attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// skipper leaves out elements and all that is in them. It counts only elements of the same name.
type skipper struct {
	name  string
	depth int
}

// skips tells whether a token is within a left out element; leave says which elements are.
func (s *skipper) skips(t xml.Token, leave func(xml.StartElement) bool) bool {
	switch t := t.(type) {
	case xml.StartElement:
		switch name := prefixed(t.Name); {
		case s.depth > 0 && name == s.name:
			s.depth++
		case s.depth == 0 && leave(t):
			s.name, s.depth = name, 1
		}
	case xml.EndElement:
		if s.depth > 0 && prefixed(t.Name) == s.name {
			s.depth--
			return true
		}
	}
	return s.depth > 0
}

// element is the text of the first element of a name in an XML file, "" where there is none.
func (p *pack) element(file, name string) string {
	if p.files[file] == nil {
		return ""
	}
	var text strings.Builder
	in := false
	_ = p.scan(file, func(t xml.Token) error { // a document without a title has none
		switch t := t.(type) {
		case xml.StartElement:
			in = in || prefixed(t.Name) == name
		case xml.CharData:
			if in && text.Len() < 1000 {
				text.Write(t)
			}
		case xml.EndElement:
			if in && prefixed(t.Name) == name {
				return errEnough
			}
		}
		return nil
	})
	return text.String()
}
