package depot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// book is what the depot knows of its own files. It is a help, not the truth: files that it lost are found again.
type book struct {
	Version int             `json:"version"`
	Models  map[string]kept `json:"models"`
	Pins    map[string]pin  `json:"pins"` // by model and file
}

// kept is a model that is there.
type kept struct {
	At      time.Time  `json:"at"`
	Folder  string     `json:"folder,omitempty"` // of a program, in the data folder
	Files   []keptFile `json:"files"`
	Sources []source   `json:"sources"`
}

// keptFile is one file; its path has slashes and begins in the data folder.
type keptFile struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"`
	Link   string `json:"link,omitempty"` // where a symbolic link leads
}

// source is where a file of the catalogue came from.
type source struct {
	File   string `json:"file"`
	From   string `json:"from"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Known  Known  `json:"known"`
}

// pin is a hash that was taken as it came.
type pin struct {
	SHA256 string    `json:"sha256"`
	At     time.Time `json:"at"`
}

// read opens the book. A file that is no book is an error: it is not written over.
func (d *Depot) read() (*book, error) {
	b := &book{Version: 1, Models: map[string]kept{}, Pins: map[string]pin{}}
	text, err := os.ReadFile(d.book())
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what lies in the depot: %w", err)
	}
	if err := json.Unmarshal(text, b); err != nil || b.Version != 1 {
		return nil, fmt.Errorf("%s is damaged or of a later version; move it away, and the next solo models pull finds the files again", d.book())
	}
	if b.Models == nil {
		b.Models = map[string]kept{}
	}
	if b.Pins == nil {
		b.Pins = map[string]pin{}
	}
	for name, k := range b.Models {
		if err := k.check(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", d.book(), name, err)
		}
	}
	return b, nil
}

// check makes sure that what may be removed lies in the data folder.
func (k kept) check() error {
	for _, f := range k.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return fmt.Errorf("the path %q leads elsewhere", f.Path)
		}
	}
	if k.Folder != "" && !folderForm.MatchString(k.Folder) {
		return fmt.Errorf("the folder %q is not of the depot", k.Folder)
	}
	return nil
}

// change reads the book, has it changed, and writes it, while no other process does.
func (d *Depot) change(ctx context.Context, do func(*book)) error {
	unlock, err := d.lock(ctx, "book", nil)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := d.read()
	if err != nil {
		return err
	}
	do(b)
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	if err := writeWhole(d.book(), text, true); err != nil {
		return fmt.Errorf("write what lies in the depot: %w", full(err))
	}
	return nil
}

// here is whether a model is in its place, by names and sizes.
func (d *Depot) here(k kept) bool {
	for _, f := range k.Files {
		info, err := os.Lstat(d.within(f.Path))
		if err != nil || f.Link == "" && info.Size() != f.Bytes {
			return false
		}
	}
	return len(k.Files) > 0
}

// bytes are what a model takes on the disk.
func (k kept) bytes() (n int64) {
	for _, f := range k.Files {
		n += f.Bytes
	}
	return n
}
