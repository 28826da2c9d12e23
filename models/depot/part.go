package depot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sink is what a part is written to.
type sink interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Seek(offset int64, whence int) (int64, error)
	Close() error
}

func openSink(path string) (sink, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// part is a file that is not whole yet, and beside it what is known of where it comes from.
type part struct {
	path string // of the part; its notes are beside it
	notes
}

// notes are what must be known to go on with a part.
type notes struct {
	URL      string `json:"url"`                // that was asked
	ETag     string `json:"etag,omitempty"`     // strong ones only
	Modified string `json:"modified,omitempty"` // Last-Modified
	Total    int64  `json:"total,omitempty"`    // as the server told, 0 for unknown
	Stated   string `json:"stated,omitempty"`   // SHA-256 that the server named
	Synced   int64  `json:"synced,omitempty"`   // bytes that are surely on the disk
}

// openPart finds the part of a model's file, with what is known of it.
func (d *Depot) openPart(m Model, f File) (*part, error) {
	if err := os.MkdirAll(d.parts(), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for parts: %w", err)
	}
	p := &part{path: filepath.Join(d.parts(), strings.ReplaceAll(m.id(f), "/", "--")+".part")}
	text, err := os.ReadFile(p.noted())
	if err == nil && json.Unmarshal(text, &p.notes) != nil {
		p.notes = notes{} // a torn note is none
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what is known of a part: %w", err)
	}
	return p, nil
}

func (p *part) noted() string { return p.path + ".json" }

// size is how many bytes are there.
func (p *part) size() int64 {
	info, err := os.Stat(p.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// note keeps what is known, whole or not at all.
func (p *part) note() error {
	text, err := json.Marshal(p.notes)
	if err != nil {
		return err
	}
	return writeWhole(p.noted(), text, false) // a note that a power failure tears is none, and costs a download at most
}

// validator is what the server is shown to make sure that the file is still the same, "" for nothing.
func (n notes) validator() string {
	if n.ETag != "" {
		return n.ETag
	}
	return n.Modified
}

// drop forgets the part.
func (p *part) drop() error {
	p.notes = notes{}
	return errors.Join(remove(p.path), remove(p.noted()))
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeWhole replaces a file by a new one, so that at every moment one of the two is there; with lasting also after the
// power failed.
func writeWhole(path string, text []byte, lasting bool) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone after the rename
	_, err = f.Write(text)
	if lasting {
		err = errors.Join(err, f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil || !lasting {
		return err
	}
	return syncDir(filepath.Dir(path))
}
