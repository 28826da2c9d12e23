package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Item is a model with what is there of it.
type Item struct {
	Model
	Here  bool
	Known Known     // the weakest way in which one of its files is known; "" where it is not here
	Bytes int64     // on the disk
	Part  int64     // bytes of a download that broke off
	At    time.Time // when it came
	Gone  bool      // the catalogue does not have it any longer
	Hurt  bool      // the book has it, but not all of it is there
}

// Items are all models of the catalogue for this platform and all that lies in the depot, the catalogue's order first.
func (d *Depot) Items() ([]Item, error) {
	b, err := d.read()
	if err != nil {
		return nil, err
	}
	var all []Item
	known := map[string]bool{}
	for _, m := range d.Models() {
		known[m.Name] = true
		item := d.item(b, m)
		for _, f := range m.Files {
			if p, err := d.openPart(m, f); err == nil {
				item.Part += p.size()
			}
		}
		all = append(all, item)
	}
	for _, name := range sorted(b.Models) {
		if !known[name] {
			item := d.item(b, Model{Name: name})
			item.Gone = true
			all = append(all, item)
		}
	}
	return all, nil
}

func (d *Depot) item(b *book, m Model) Item {
	k, ok := b.Models[m.Name]
	if !ok {
		return Item{Model: m}
	}
	item := Item{Model: m, Bytes: k.bytes(), At: k.At, Known: Verified, Here: d.here(k)}
	item.Hurt = !item.Here
	for _, s := range k.Sources {
		if s.Known == Pinned || s.Known == Stated && item.Known == Verified {
			item.Known = s.Known
		}
	}
	return item
}

// Path is where a file of a model lies, for the engine that wants it. file is its name without folders; "" is the
// model's only file, or a program's folder. The error wraps ErrAbsent where it is not there.
func (d *Depot) Path(name, file string) (string, error) {
	b, err := d.read()
	if err != nil {
		return "", err
	}
	k, ok := b.Models[name]
	if !ok || !d.here(k) {
		return "", fmt.Errorf("%s is %w; get it with: solo models pull %s", name, ErrAbsent, name)
	}
	if file == "" && k.Folder != "" {
		return d.within(k.Folder), nil
	}
	for _, f := range k.Files {
		if base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]; base == file || file == "" && len(k.Files) == 1 {
			return d.within(f.Path), nil
		}
	}
	return "", fmt.Errorf("%s has no file %q: %w", name, file, ErrAbsent)
}

// Finding is what Verify says of one file.
type Finding struct {
	Model   string
	Path    string // full
	Known   Known  // how its hash is known
	Trouble string // "" for none
}

// Verify computes the hashes of models again and tells each of their files; no names are all that are there.
func (d *Depot) Verify(ctx context.Context, names []string, tell func(Finding)) error {
	b, err := d.read()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = sorted(b.Models)
	}
	for _, name := range names {
		k, ok := b.Models[name]
		if !ok {
			return fmt.Errorf("%s is %w", name, ErrAbsent)
		}
		known := d.item(b, Model{Name: name}).Known
		for _, f := range k.Files {
			trouble, err := d.trouble(ctx, f)
			if err != nil {
				return err
			}
			tell(Finding{name, d.within(f.Path), known, trouble})
		}
	}
	return nil
}

// trouble says what is wrong with a file; the error is the context's.
func (d *Depot) trouble(ctx context.Context, f keptFile) (string, error) {
	path := d.within(f.Path)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there", nil
	case err != nil:
		return err.Error(), nil
	case f.Link != "":
		if to, err := os.Readlink(path); err == nil && to == f.Link || info.Mode().IsRegular() {
			return "", nil
		}
		return "the link leads elsewhere", nil
	case info.Size() != f.Bytes:
		return fmt.Sprintf("it has %d bytes, not %d", info.Size(), f.Bytes), nil
	}
	sum, err := sumFile(ctx, path)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return err.Error(), nil
	}
	if sum != f.SHA256 {
		return "its SHA-256 is " + sum + ", not " + f.SHA256, nil
	}
	return "", nil
}

// Remove takes a model away and tells how many bytes are free by it. Its pin stays. The error wraps ErrAbsent.
func (d *Depot) Remove(ctx context.Context, name string) (freed int64, err error) {
	unlock, err := d.lock(ctx, cleanName(name), nil)
	if err != nil {
		return 0, err
	}
	defer unlock()
	b, err := d.read()
	if err != nil {
		return 0, err
	}
	k, ok := b.Models[name]
	if !ok {
		return 0, fmt.Errorf("%s is %w", name, ErrAbsent)
	}
	for _, f := range k.Files {
		info, err := os.Lstat(d.within(f.Path))
		if err != nil {
			continue
		}
		if err := remove(d.within(f.Path)); err != nil {
			return freed, fmt.Errorf("remove %s (is it in use?): %w", f.Path, err)
		}
		freed += info.Size()
		d.prunePath(f.Path)
	}
	return freed, d.change(ctx, func(b *book) { delete(b.Models, name) })
}

// cleanName is a name that can be that of a lock; any other is of no model.
func cleanName(name string) string {
	if !nameForm.MatchString(name) {
		return "unknown"
	}
	return name
}

// prunePath removes the folders around a path that are empty, up to the data folder and its models.
func (d *Depot) prunePath(path string) {
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if path[:i] == "models" || os.Remove(d.within(path[:i])) != nil {
			return
		}
	}
}

// Litter is something that nobody needs.
type Litter struct {
	What  string // "part", "leftover" or "model"
	Name  string
	Bytes int64
}

// Litter lists parts of downloads, what a killed unpacking left, and models that the catalogue has no longer.
func (d *Depot) Litter() ([]Litter, error) {
	items, err := d.Items()
	if err != nil {
		return nil, err
	}
	var all []Litter
	for _, i := range items {
		if i.Gone {
			all = append(all, Litter{"model", i.Name, i.Bytes})
		}
	}
	parts, _ := filepath.Glob(filepath.Join(literal(d.parts()), "*.part"))
	for _, p := range parts {
		if info, err := os.Stat(p); err == nil {
			all = append(all, Litter{"part", filepath.Base(p), info.Size()})
		}
	}
	left, _ := filepath.Glob(filepath.Join(literal(d.conf.Data), ".depot-*"))
	for _, p := range left {
		all = append(all, Litter{"leftover", filepath.Base(p), sizeOf(p)})
	}
	return all, nil
}

// Prune removes litter that Litter told of; what another Solo works on stays.
func (d *Depot) Prune(ctx context.Context, l Litter) (freed int64, err error) {
	if l.What == "model" {
		return d.Remove(ctx, l.Name)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(l.Name, ".depot-"), "--")
	unlock, busy, err := d.lockNow(cleanName(name))
	if err != nil || busy {
		return 0, err
	}
	defer unlock()
	path := filepath.Join(d.conf.Data, filepath.Base(l.Name))
	if l.What == "part" {
		path = filepath.Join(d.parts(), filepath.Base(l.Name))
		err = remove(path + ".json")
	}
	if err = errors.Join(err, clear(path)); err != nil {
		return 0, err
	}
	return l.Bytes, nil
}

// lockNow does not wait.
func (d *Depot) lockNow(name string) (unlock func(), busy bool, err error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	unlock, err = d.lock(ctx, name, func() { busy = true; cancel(nil) })
	if busy {
		err = nil
	}
	return unlock, busy, err
}

func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil // what cannot be read is not counted
	})
	return n
}

// literal makes a folder's name mean itself in a pattern.
func literal(dir string) string {
	if filepath.Separator == '\\' {
		return dir // its patterns know no escape, its names no *
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func sorted[T any](m map[string]T) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
