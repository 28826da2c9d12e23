package document

import (
	"context"
	"errors"
	"io/fs"
)

// What is wrong with a document.
var (
	ErrEncrypted = errors.New("the document is protected with a password")
	ErrBroken    = errors.New("the document is broken")
	ErrEmpty     = errors.New("the document is empty")
	ErrScanned   = errors.New("the document holds pictures of pages and no text")
	ErrTooLarge  = errors.New("the document is too large")
	ErrKind      = errors.New("this kind of document cannot be read")
)

var excuses = []struct {
	err error
	say string
}{
	{ErrEncrypted, "That document is protected with a password, so I can't read it."},
	{ErrBroken, "That document is broken, I can't read it."},
	{ErrEmpty, "That document is empty."},
	{ErrScanned, "That document holds pictures of its pages and no text, so I can't read it."},
	{ErrTooLarge, "That document is too large for me."},
	{ErrKind, "I can't read that kind of document. I can read PDF, Word, OpenDocument, EPUB, web pages, Markdown and plain text."},
	{fs.ErrNotExist, "I can't find that document."},
	{fs.ErrPermission, "I'm not allowed to open that document."},
	{context.DeadlineExceeded, "Reading that document took too long."},
}

// Excuse words an error of reading for the user, in a sentence or two.
func Excuse(err error) string {
	for _, e := range excuses {
		if errors.Is(err, e.err) {
			return e.say
		}
	}
	return "I couldn't read that document."
}
