package document

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// kindOf tells a document's kind by its first bytes, and where those are plain text by its name's ending. "zip" is a
// package whose content tells, "encrypted" an Office file behind a password, "" none that can be read.
func kindOf(name string, data []byte) string {
	start := data[:min(len(data), 1024)]
	switch {
	case bytes.Contains(start, []byte("%PDF-")):
		return "pdf"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "zip"
	case bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		if bytes.Contains(data, wide("EncryptedPackage")) {
			return "encrypted"
		}
		return ""
	case binary(data):
		return ""
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return "html"
	case ".md", ".markdown":
		return "markdown"
	case ".pdf", ".docx", ".odt", ".epub":
		if len(bytes.TrimSpace(data)) == 0 {
			return "text" // an empty one is empty whatever its name
		}
		return ""
	}
	head := bytes.ToLower(bytes.TrimLeft(start, "\ufeff \t\r\n"))
	if bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) {
		return "html"
	}
	return "text"
}

// wide is text as UTF-16, the way Office writes names.
func wide(s string) []byte {
	var b []byte
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return b
}

// binary tells whether bytes are no text: control characters are rare in every encoding of text.
func binary(data []byte) bool {
	if _, ok := marked(data); ok || unmarked16(data) != "" {
		return false
	}
	start := data[:min(len(data), 64<<10)]
	if utf8.Valid(start) && bytes.IndexByte(start, 0) < 0 {
		return false
	}
	odd := 0
	for _, c := range start {
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b {
			odd++
		}
	}
	return odd*100 > len(start)
}
