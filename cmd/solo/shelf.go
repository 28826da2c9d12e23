package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/tool/documents"
)

// shelf is the folder for documents that were handed to Solo. What lies there may be read by its tools.
type shelf struct{ dir string }

// handed are the documents that were handed to this Solo.
func (s *assistant) handed() shelf {
	return shelf{filepath.Join(s.app.settings.Workspace, "documents")}
}

// errName says that a file's name is of no use.
var errName = errors.New("a document's name begins with a letter or digit and holds no / or \\")

func (s shelf) root() (*os.Root, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for documents: %w", err)
	}
	return os.OpenRoot(s.dir)
}

// Documents lists them, what came last first.
func (s shelf) Documents(context.Context) ([]web.DocumentView, error) {
	list, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []web.DocumentView
	for _, e := range list {
		f, err := e.Info()
		if err != nil || !f.Mode().IsRegular() || strings.HasPrefix(f.Name(), ".") {
			continue // gone meanwhile, or no document
		}
		out = append(out, web.DocumentView{Name: f.Name(), Bytes: f.Size(), Changed: f.ModTime()})
	}
	slices.SortFunc(out, func(a, b web.DocumentView) int { return b.Changed.Compare(a.Changed) })
	return out, err
}

// Add keeps a document of a kind that can be read; it is there whole or not at all.
func (s shelf) Add(_ context.Context, name string, text io.Reader) (web.DocumentView, error) {
	if err := good(name); err != nil {
		return web.DocumentView{}, fmt.Errorf("%w: %w", web.ErrRefused, err)
	}
	root, err := s.root()
	if err != nil {
		return web.DocumentView{}, err
	}
	defer root.Close()
	if _, err := root.Lstat(name); err == nil {
		return web.DocumentView{}, web.ErrTaken
	}
	part := "." + name + ".part"
	f, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return web.DocumentView{}, fmt.Errorf("keep the document: %w", err)
	}
	n, err := io.Copy(f, text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return web.DocumentView{}, errors.Join(fmt.Errorf("keep the document: %w", err), root.Remove(part))
	}
	info, err := root.Stat(name)
	if err != nil {
		return web.DocumentView{}, fmt.Errorf("keep the document: %w", err)
	}
	return web.DocumentView{Name: name, Bytes: n, Changed: info.ModTime()}, nil
}

// good refuses names that could lead elsewhere, and kinds that nobody reads.
func good(name string) error {
	if name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || strings.TrimSpace(name) == "" || len(name) > 200 {
		return errName
	}
	if !documents.Readable(name) {
		return document.ErrKind
	}
	return nil
}

// Remove takes a document away.
func (s shelf) Remove(_ context.Context, name string) error {
	if good(name) != nil {
		return web.ErrGone
	}
	root, err := s.root()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(name); errors.Is(err, fs.ErrNotExist) {
		return web.ErrGone
	} else if err != nil {
		return fmt.Errorf("take the document away: %w", err)
	}
	return nil
}
