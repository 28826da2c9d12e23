package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/tool/documents"
)

// shelf is the library as the web door shows it. What is handed over lies in a folder of Solo's own.
type shelf struct{ *bookcase }

// errName says that a file's name is of no use.
var errName = errors.New("a document's name has at most 200 bytes, does not begin with a dot and holds none of / \\ : and no control characters")

// Documents lists them by their names.
func (s shelf) Documents(ctx context.Context) ([]web.DocumentView, error) {
	list, err := s.List(ctx)
	var out []web.DocumentView
	for _, i := range list {
		out = append(out, s.view(i))
	}
	return out, err
}

func (s shelf) view(i library.Item) web.DocumentView {
	_, own := s.handed(i.Path)
	v := web.DocumentView{Name: i.Name, Bytes: i.Bytes, Changed: i.Modified, State: string(i.State), Progress: i.Done, Title: i.Title, Kind: i.Kind,
		Pages: i.Pages, Passages: i.Chunks, Same: i.Same, Handed: own}
	if i.State == library.Broken {
		v.Why = i.Why
	}
	return v
}

// handed tells whether a file was handed to Solo, and its name then.
func (s shelf) handed(path string) (string, bool) {
	rel, err := filepath.Rel(s.own, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Add keeps a document of a kind that can be read, and has it read at once; it is there whole or not at all.
func (s shelf) Add(ctx context.Context, name string, text io.Reader) (web.DocumentView, error) {
	if err := good(name); err != nil {
		return web.DocumentView{}, fmt.Errorf("%w: %w", web.ErrRefused, err)
	}
	if err := os.MkdirAll(s.own, 0o700); err != nil {
		return web.DocumentView{}, fmt.Errorf("make the folder for documents: %w", err)
	}
	root, err := os.OpenRoot(s.own)
	if err != nil {
		return web.DocumentView{}, fmt.Errorf("open the folder for documents: %w", err)
	}
	defer root.Close()
	if _, err := root.Lstat(name); err == nil {
		return web.DocumentView{}, web.ErrTaken
	}
	if err := write(root, name, text); err != nil {
		return web.DocumentView{}, err
	}
	path := filepath.Join(s.own, name)
	if err := s.Changed(ctx, path); err != nil {
		return web.DocumentView{}, err
	}
	i, err := s.Find(ctx, path)
	return s.view(i), err
}

// write makes a file that is there whole or not at all.
func write(root *os.Root, name string, text io.Reader) error {
	part := "." + name + ".part"
	f, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep the document: %w", err)
	}
	_, err = io.Copy(f, text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep the document: %w", err), root.Remove(part))
	}
	return nil
}

// good refuses names that could lead elsewhere, and kinds that nobody reads.
func good(name string) error {
	odd := func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`/\:`, r) }
	if name != filepath.Base(name) || strings.ContainsFunc(name, odd) || strings.HasPrefix(name, ".") || strings.TrimSpace(name) == "" || len(name) > 200 {
		return errName
	}
	if documents.Secret(name) {
		return errKey
	}
	if !documents.Readable(name) || library.Left(name) {
		return document.ErrKind
	}
	return nil
}

// Remove takes a document out, and its file where it was handed to Solo.
func (s shelf) Remove(ctx context.Context, name string) error {
	_, err := s.Drop(ctx, name)
	if errors.Is(err, library.ErrUnknown) || errors.Is(err, fs.ErrNotExist) {
		return web.ErrGone
	}
	return err
}

// lies tells whether something is at a path.
func lies(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// docsFailure tells the exit of a command what went wrong in the library. What the running Solo says comes as words alone.
func docsFailure(err error) error {
	if err == nil {
		return nil
	}
	for _, k := range []struct {
		err        error
		code, hint string
	}{
		{library.ErrUnknown, "unknown", "solo docs list tells the names"},
		{library.ErrPlace, "absent", "give the path of a file or a folder"},
		{library.ErrUnfit, "kind", "PDF, Word, OpenDocument, EPUB, web pages, Markdown and plain text are read, hidden and temporary files are not"},
	} {
		if errors.Is(err, k.err) || strings.Contains(err.Error(), k.err.Error()) {
			return cliFailure(k.code, k.hint, err)
		}
	}
	return err
}
