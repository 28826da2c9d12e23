// Package documents reads the user's documents for whoever asks.
//
// A document is found by its path, its name or a part of its name, only in the folders that the settings allow. A path
// elsewhere is read only where the user's own words named it. Links that lead out of the folders, hidden files, and
// files that hold keys or passwords are refused always.
package documents

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed documents.md
var page string

// Reader reads a file to text; *document.Reader is one.
type Reader interface {
	ReadFile(ctx context.Context, f *os.File, l document.Limits) (document.Document, error)
}

// Config is what the document tools stand on.
type Config struct {
	Reader    Reader  `toml:"-"`
	Library   Library `toml:"-"` // nil: documents are only read, not searched
	Workspace string  `toml:"-"` // Solo's own folder for the user, allowed too; "" for none
	// Roots gives the absolute paths that the user's own words named in this conversation; nil for none. Files there, or
	// below them, are read though they are in no folder of Folders.
	Roots func(ctx context.Context) []string `toml:"-"`

	Folders []string      `toml:"folders" doc:"folders whose documents Solo may read; empty: your documents, downloads and desktop"`
	MaxText int           `toml:"max_text" default:"40000" min:"1000" max:"1000000" doc:"bytes of a document's text that are read at once; more are left out"`
	Limit   time.Duration `toml:"limit" default:"60s" min:"1s" max:"10m" doc:"how long reading a document may take"`
	document.Limits
}

type documents struct{ Config }

// Tools makes documents.read.
func Tools(c Config) []tool.Tool {
	if c.MaxText <= 0 {
		c.MaxText = 40000
	}
	if c.Limit <= 0 {
		c.Limit = time.Minute
	}
	d := documents{c}
	read := tool.Of("documents.read", tool.About(page, "documents.read"), models.Read, d.read)
	all := []tool.Tool{tool.Patient(tool.Foreign(read), c.Limit)}
	if c.Library != nil {
		all = append(all,
			tool.Foreign(tool.Of("documents.search", tool.About(page, "documents.search"), models.Read, d.search)),
			tool.Foreign(tool.Of("documents.list", tool.About(page, "documents.list"), models.Read, d.list)))
	}
	return all
}

type readArgs struct {
	Path  string `json:"path" jsonschema:"path, name or part of the name of the document" limits:"1..1000"`
	Pages string `json:"pages,omitempty" jsonschema:"pages to read, such as 3 or 2-5,9; all if left out" limits:"0..100"`
}

func (d documents) read(ctx context.Context, a readArgs) (models.Result, error) {
	wanted, err := pagesOf(a.Pages)
	if err != nil {
		return tool.Said("I don't understand which pages you mean."), nil
	}
	got, err := d.find(ctx, a.Path)
	if err != nil {
		return excused(err)
	}
	f, err := got.open()
	if err != nil {
		return excused(err)
	}
	defer f.Close()
	doc, err := d.Reader.ReadFile(ctx, f, d.Limits)
	if err == nil && holdsKey(doc) {
		err = errSecret
	}
	if err != nil {
		return excused(err)
	}
	return d.told(got, doc, wanted), nil
}

// excused words what went wrong. Only what the user cannot know is an error too.
func excused(err error) (models.Result, error) {
	var r *refusal
	switch {
	case errors.As(err, &r):
		return tool.Said("%s", r.say), nil
	case errors.Is(err, context.Canceled):
		return models.Result{}, err
	}
	for _, known := range []error{document.ErrEncrypted, document.ErrBroken, document.ErrEmpty, document.ErrScanned, document.ErrTooLarge,
		document.ErrKind, fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, known) {
			return tool.Said("%s", document.Excuse(err)), nil
		}
	}
	return tool.Said("%s", document.Excuse(err)), fmt.Errorf("reading a document: %w", err)
}

// refusal is why a file is not read, for the user.
type refusal struct{ say string }

func (r *refusal) Error() string { return r.say }

var (
	errSecret  = &refusal{"That file may hold keys or passwords, so I won't read it."}
	errHidden  = &refusal{"That is a hidden file, I don't read those."}
	errOutside = &refusal{"That file is outside the folders that I may read. Say its whole path yourself, or allow its folder in the settings."}
)

// found is a file that may be read.
type found struct {
	folder string // an existing folder without links in its path
	rel    string // within folder
	more   []string
}

func (f found) path() string { return filepath.Join(f.folder, f.rel) }

// open opens the file so that no link leads out of its folder, whatever happens to it meanwhile.
func (f found) open() (*os.File, error) {
	root, err := os.OpenRoot(f.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(f.rel)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe could wait for ever
		return nil, document.ErrKind
	}
	return root.Open(f.rel)
}
