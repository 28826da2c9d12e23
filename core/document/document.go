// Package document reads documents to text: PDF, Word, OpenDocument, EPUB, HTML, Markdown and plain text.
//
// What a document holds was written by strangers. It is taken apart within bounds of size, pages, unpacked bytes and
// text; nothing in it is run, fetched or expanded. PDFs are read by PDFium inside a WebAssembly sandbox without
// files, clock or network. Its engine is made at the first PDF, which takes about two seconds, and freed when none
// was read for a while.
//
// A Reader is safe for use by several goroutines; one PDF is read at a time.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Document is the text of a file.
type Document struct {
	Title string // as the document says, else its file's name without ending
	Kind  string // "pdf", "docx", "odt", "epub", "html", "markdown" or "text"
	Pages []Page // that hold text, in their order
	Bytes int64  // of the file
	Total int    // pages of the document, those without text and those left out counted
	Cut   bool   // text was left out, because there is more than Limits allow
}

// Page is a page, or a chapter of an EPUB. What has no pages is one.
type Page struct {
	Number int // from 1
	Text   string
	Heads  []Head // its headings, in their order
}

// Text is all pages, an empty line between them.
func (d Document) Text() string {
	var all strings.Builder
	for i, p := range d.Pages {
		if i > 0 {
			all.WriteString("\n\n")
		}
		all.WriteString(p.Text)
	}
	return all.String()
}

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Bytes    int64 `toml:"bytes" default:"67108864" min:"1024" max:"1073741824" doc:"largest file that is read, in bytes"`
	Unpacked int64 `toml:"unpacked" default:"67108864" min:"1024" max:"1073741824" doc:"bytes that the text of a packed document may unpack to"`
	Pages    int   `toml:"pages" default:"2000" min:"1" max:"100000" doc:"pages that are read of a document; more are left out"`
	Text     int   `toml:"text" default:"8388608" min:"1024" max:"268435456" doc:"bytes of text that are read of a document; more are left out"`

	// Told is called after each page of a document whose pages are known beforehand, from the goroutine that reads; nil
	// for nobody.
	Told func(page, pages int) `toml:"-"`
}

func (l Limits) whole() Limits {
	set := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Bytes, 64<<20)
	set(&l.Unpacked, 64<<20)
	if l.Pages <= 0 {
		l.Pages = 2000
	}
	if l.Text <= 0 {
		l.Text = 8 << 20
	}
	return l
}

// Reader reads documents. The zero Reader is ready.
type Reader struct {
	// Cache is the user's own folder for the PDF engine made ready for this machine, which spares the two seconds at
	// the first PDF after each start; "" for none. It is set before the first Read.
	Cache string
	pdf   engine
}

// Close frees what the Reader keeps for the next PDF. The Reader can be used again.
func (r *Reader) Close() error { return r.pdf.close() }

// shared reads for the function Read.
var shared Reader

// Read reads a file with a Reader that all callers share.
func Read(ctx context.Context, path string, l Limits) (Document, error) {
	return shared.Read(ctx, path, l)
}

// Read reads a file. Errors wrap ErrEncrypted, ErrBroken, ErrEmpty, ErrScanned, ErrTooLarge, ErrKind, those of os, or the
// cause of ctx's end.
func (r *Reader) Read(ctx context.Context, path string, l Limits) (Document, error) {
	// A pipe or a device may wait for ever when it is opened.
	if info, err := os.Stat(path); err != nil {
		return Document{}, fmt.Errorf("reading a document: %w", err)
	} else if !info.Mode().IsRegular() {
		return Document{}, fmt.Errorf("reading %s: %w: no regular file", path, ErrKind)
	}
	f, err := os.Open(path)
	if err != nil {
		return Document{}, fmt.Errorf("reading a document: %w", err)
	}
	defer f.Close()
	return r.ReadFile(ctx, f, l)
}

// ReadFile reads an open file from its start.
func (r *Reader) ReadFile(ctx context.Context, f *os.File, l Limits) (Document, error) {
	l = l.whole()
	name := filepath.Base(f.Name())
	info, err := f.Stat()
	switch {
	case err != nil:
		return Document{}, fmt.Errorf("reading %s: %w", name, err)
	case !info.Mode().IsRegular():
		return Document{}, fmt.Errorf("reading %s: %w: no regular file", name, ErrKind)
	case info.Size() > l.Bytes:
		return Document{}, fmt.Errorf("reading %s: %w: %d bytes, at most %d are read", name, ErrTooLarge, info.Size(), l.Bytes)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, l.Bytes+1)) // it may grow meanwhile
	if err != nil {
		return Document{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return r.ReadBytes(ctx, name, data, l)
}

// ReadBytes reads a document that is in memory. name tells its kind where the bytes do not.
func (r *Reader) ReadBytes(ctx context.Context, name string, data []byte, l Limits) (Document, error) {
	l = l.whole()
	d := Document{Kind: kindOf(name, data), Bytes: int64(len(data))}
	b := &book{Document: &d, limits: l}
	err := r.read(ctx, b, data)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = b.close()
	}
	if err != nil {
		return Document{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if d.Title = line(d.Title); d.Title == "" {
		d.Title = line(strings.TrimSuffix(name, filepath.Ext(name)))
	}
	return d, nil
}

func (r *Reader) read(ctx context.Context, b *book, data []byte) error {
	switch {
	case int64(len(data)) > b.limits.Bytes:
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.limits.Bytes)
	case len(bytes.TrimSpace(data)) == 0:
		return ErrEmpty
	}
	switch b.Kind {
	case "pdf":
		return r.pdf.read(ctx, r.Cache, b, data)
	case "zip":
		return packed(ctx, b, data)
	case "html":
		return page(b, data)
	case "markdown", "text":
		return plain(b, data)
	case "encrypted":
		return ErrEncrypted
	}
	return ErrKind
}

// errEnough ends reading when the limits are reached.
var errEnough = errors.New("enough was read")

// book gathers pages within the limits.
type book struct {
	*Document
	limits Limits
	now    strings.Builder // the page being written
	number int             // of pages ended
	bytes  int             // of text gathered
	heads  []heading       // of the page being written
}

// write adds to the page. It returns errEnough when there is no room for all of it.
func (b *book) write(text string) error {
	if b.number >= b.limits.Pages {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		b.Cut = true
		return errEnough
	}
	room := b.limits.Text - b.bytes
	if len(text) > room {
		text, b.Cut = whole(text[:max(0, room)]), true
	}
	b.bytes += len(text)
	b.now.WriteString(text)
	if b.Cut {
		return errEnough
	}
	return nil
}

// turn ends the page.
func (b *book) turn() {
	heads := b.heads
	b.heads = nil
	if b.number++; b.number > b.limits.Pages {
		return
	}
	if text := tidy(b.now.String()); text != "" {
		switch {
		case b.Kind == "markdown":
			heads = markedHeads(text)
		case b.Kind == "text":
			heads = plainHeads(text, true)
		case b.Kind == "pdf" && len(heads) == 0:
			heads = plainHeads(text, false)
		}
		b.Pages = append(b.Pages, Page{b.number, text, placed(heads, text)})
	}
	b.now.Reset()
	if b.limits.Told != nil && b.Total > 0 {
		b.limits.Told(b.number, b.Total)
	}
}

// close ends the book.
func (b *book) close() error {
	if b.now.Len() > 0 {
		b.turn()
	}
	b.Total = max(b.Total, b.number)
	if len(b.Pages) > 0 {
		return nil
	}
	if b.Kind == "pdf" && b.Total > 0 {
		return ErrScanned
	}
	return ErrEmpty
}
