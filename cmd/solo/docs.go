package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/library"
)

// paths are the arguments of the verbs of documents.
type paths struct {
	Paths []string `json:"paths,omitempty"`
	Text  string   `json:"text,omitempty"`
	Most  int      `json:"most,omitempty"`
}

func (s *assistant) docVerbs() map[string]local.Verb {
	return map[string]local.Verb{
		"docs.add":    with(s.addDocs),
		"docs.list":   with(s.listDocs),
		"docs.remove": with(s.removeDocs),
		"docs.search": with(s.searchDocs),
		"docs.status": with(s.docsStatus),
	}
}

// addDocs keeps files and folders and tells what becomes of each.
func (s *assistant) addDocs(ctx context.Context, p paths, tell func(any) error) error {
	return s.bookcase.during(ctx, func(ctx context.Context) error {
		found, err := s.bookcase.Add(ctx, p.Paths...)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		return s.bookcase.Wait(ctx, found, func(i library.Item) {
			if i.State == library.Waiting || i.State == library.Busy && i.Done == 0 {
				return
			}
			if err := tell(documentLine(i)); err != nil {
				cancel(err) // who asked has left
			}
		})
	})
}

func (s *assistant) listDocs(ctx context.Context, _ paths, tell func(any) error) error {
	list, err := s.bookcase.List(ctx)
	for _, i := range list {
		if err := tell(documentLine(i)); err != nil {
			return err
		}
	}
	return err
}

func (s *assistant) removeDocs(ctx context.Context, p paths, tell func(any) error) error {
	for _, name := range p.Paths {
		gone, err := s.bookcase.Drop(ctx, name)
		if err != nil {
			return err
		}
		for _, path := range gone {
			if err := tell(cli.Document{Document: filepath.Base(path), Path: path, State: "removed"}); err != nil {
				return err
			}
		}
		if len(gone) == 0 {
			if err := tell(cli.Document{Document: name, Path: name, State: "removed"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *assistant) searchDocs(ctx context.Context, p paths, tell func(any) error) error {
	hits, err := s.bookcase.Search(ctx, p.Text, p.Most)
	if errors.Is(err, library.ErrNothing) {
		return nil
	}
	for _, h := range hits {
		if err := tell(cli.Passage{Document: h.Document, Page: h.Page, Heading: h.Heading, Text: h.Text, Score: h.Score, Path: h.Path, Begins: h.Begins, Ends: h.Ends, Same: h.Same}); err != nil {
			return err
		}
	}
	return err
}

func (s *assistant) docsStatus(ctx context.Context, _ paths, tell func(any) error) error {
	st, err := s.bookcase.Status(ctx)
	if err != nil {
		return err
	}
	line := cli.LibraryState{Documents: st.Documents, Waiting: st.Waiting, Broken: st.Broken, Passages: st.Chunks, Reading: []string{}, Folders: []cli.LibraryFolder{}, Model: st.Model, Vectors: st.Vectors}
	for _, d := range st.Reading {
		line.Reading = append(line.Reading, fmt.Sprintf("%s (%.0f %%)", d.Name, 100*d.Done))
	}
	for _, f := range st.Folders {
		line.Folders = append(line.Folders, cli.LibraryFolder(f))
	}
	return tell(line)
}

// absolute makes paths of the command line's folder known to a Solo that runs in another one.
func absolute(names []string) ([]string, error) {
	var out []string
	for _, n := range names {
		abs, err := filepath.Abs(n)
		if err != nil {
			return nil, err
		}
		out = append(out, abs)
	}
	return out, nil
}

// AddDocuments keeps files and folders searchable.
func (a *app) AddDocuments(ctx context.Context, names []string, tell cli.Tell) error {
	all, err := absolute(names)
	if err != nil {
		return err
	}
	return docsFailure(once[cli.Document](ctx, a, false, "docs.add", paths{Paths: all}, tell))
}

// ListDocuments lists the documents.
func (a *app) ListDocuments(ctx context.Context, tell cli.Tell) error {
	return once[cli.Document](ctx, a, false, "docs.list", paths{}, tell)
}

// RemoveDocuments takes documents out.
func (a *app) RemoveDocuments(ctx context.Context, names []string, tell cli.Tell) error {
	for _, n := range names {
		err := once[cli.Document](ctx, a, false, "docs.remove", paths{Paths: []string{n}}, tell)
		if err != nil && !filepath.IsAbs(n) { // it may be a path seen from here
			if abs, failed := filepath.Abs(n); failed == nil && lies(abs) {
				err = once[cli.Document](ctx, a, false, "docs.remove", paths{Paths: []string{abs}}, tell)
			}
		}
		if err != nil {
			return docsFailure(err)
		}
	}
	return nil
}

// SearchDocuments finds passages.
func (a *app) SearchDocuments(ctx context.Context, o cli.DocumentSearch, tell cli.Tell) error {
	return once[cli.Passage](ctx, a, false, "docs.search", paths{Text: o.Text, Most: o.Most}, tell)
}

// LibraryStatus tells how the library is.
func (a *app) LibraryStatus(ctx context.Context, tell cli.Tell) error {
	return once[cli.LibraryState](ctx, a, false, "docs.status", paths{}, tell)
}
