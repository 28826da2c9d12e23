package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shelf is a folder that is watched, or one file.
type shelf struct {
	path  string // without links
	given bool   // by the user's word, not by the settings
}

// shelve puts the folders of the settings and those that the user gave together. A folder of the settings that is not
// there yet is known under the name that it will have.
func (l *Library) shelve(given []string) []shelf {
	var all []shelf
	add := func(path string, byWord bool) {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if filepath.IsAbs(path) && !slices.ContainsFunc(all, func(s shelf) bool { return s.path == path }) {
			all = append(all, shelf{path, byWord})
		}
	}
	for _, path := range append([]string{l.c.Own}, l.c.Folders...) {
		add(atHome(path), false)
	}
	for _, path := range given {
		add(path, true)
	}
	return all
}

// atHome puts the user's folder in the place of ~.
func atHome(path string) string {
	rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(home, filepath.FromSlash(rest))
}

// within is path seen from folder, false where it is not in it.
func within(folder, path string) (string, bool) {
	rel, err := filepath.Rel(folder, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// shelfOf is the shelf that a path stands on, the nearest one. l.mu must be held.
func (l *Library) shelfOf(path string) (shelf, bool) {
	var best shelf
	for _, s := range l.shelves {
		if _, ok := within(s.path, path); ok && len(s.path) > len(best.path) {
			best = s
		}
	}
	return best, best.path != ""
}

// nameOf is what a document is called: its path seen from its shelf, or the name of a file that is a shelf of its own.
// l.mu must be held.
func (l *Library) nameOf(path string) string {
	s, ok := l.shelfOf(path)
	rel, inside := within(s.path, path)
	if !ok || !inside || rel == "." {
		return filepath.Base(path)
	}
	return filepath.ToSlash(rel)
}

// fits tells whether a file of a shelf is one to read: neither hidden nor temporary, and of a kind that is read.
func (l *Library) fits(rel string) bool {
	return !left(rel) && l.c.Reader.Fits(rel)
}

// Left tells by its name whether a file is left alone because it is hidden or temporary.
func Left(name string) bool { return left(name) }

// left tells by its name whether a file or folder is left alone.
func left(rel string) bool {
	if !utf8.ValidString(rel) || strings.ContainsFunc(rel, unicode.IsControl) {
		return true // such a name could not be kept, or shown
	}
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		low := strings.ToLower(part)
		switch {
		case part == "." || part == "..":
		case strings.HasPrefix(part, "."), strings.HasPrefix(part, "~$"), strings.HasPrefix(part, "#") && strings.HasSuffix(part, "#"):
			return true
		case strings.HasSuffix(part, "~"), low == "lost+found", low == "node_modules", low == "__pycache__":
			return true
		}
		for _, end := range []string{".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".swp", ".swx", ".lock", ".bak"} {
			if strings.HasSuffix(low, end) {
				return true
			}
		}
	}
	return false
}

// Add keeps files and folders by the user's word: folders are watched from now on. What the user had left out there is
// taken in again. It tells the documents that it found, which are read in the background. Errors: ErrPlace, ErrUnfit.
func (l *Library) Add(ctx context.Context, paths ...string) ([]string, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	var real []string
	for _, path := range paths {
		p, err := l.place(path)
		if err != nil {
			return nil, err
		}
		real = append(real, p)
	}
	var found []string
	for _, p := range real {
		if err := l.give(ctx, p); err != nil {
			return nil, err
		}
		if err := l.look(ctx, p); err != nil {
			return nil, err
		}
		select { // a folder is watched from now on
		case l.looks <- p:
		default: // the next look at everything finds it
		}
		found = append(found, l.under(p)...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// place finds a file or folder that may be a shelf.
func (l *Library) place(path string) (string, error) {
	abs, err := filepath.Abs(atHome(path))
	if err != nil {
		return "", fmt.Errorf("adding %s: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("adding %s: %w", path, ErrPlace)
	}
	if err != nil {
		return "", fmt.Errorf("adding %s: %w", path, err)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", fmt.Errorf("adding %s: %w", path, err)
	case info.IsDir():
		return real, nil
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("adding %s: %w", path, ErrPlace)
	case !l.fits(filepath.Base(real)):
		return "", fmt.Errorf("adding %s: %w", path, ErrUnfit)
	}
	return real, nil
}

// give makes a path a shelf, unless it stands on one, and takes back that things there are left out.
func (l *Library) give(ctx context.Context, path string) error {
	l.mu.Lock()
	_, on := l.shelfOf(path)
	var back []Document
	for p, e := range l.entries {
		if _, ok := within(path, p); ok && e.Away {
			d := e.Document
			d.Away, d.Modified = false, d.Modified.Add(-1) // which makes it look changed
			back = append(back, d)
		}
	}
	l.mu.Unlock()
	if len(back) > 0 {
		if err := l.put(ctx, back...); err != nil {
			return err
		}
	}
	if on {
		return nil
	}
	if err := l.c.Rows.AddShelf(ctx, path, l.c.Now()); err != nil {
		return fmt.Errorf("adding %s: %w", path, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shelves = append(l.shelves, shelf{path, true})
	return nil
}

// Places are the folders whose documents are kept.
func (l *Library) Places(ctx context.Context) []string {
	if l.ready(ctx) != nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, s := range l.shelves {
		if info, err := os.Stat(s.path); err == nil && info.IsDir() {
			out = append(out, s.path)
		}
	}
	return out
}

// under lists the documents at or below a path that are not left out.
func (l *Library) under(path string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for p, e := range l.entries {
		if _, ok := within(path, p); ok && !e.Away {
			out = append(out, p)
		}
	}
	return out
}

// Remove takes documents, or a folder with all that is in it, out of the library: by the name that List gives, or by path.
// Their files stay where they are; what lies in a folder that is still watched is left out from now on. It gives what was
// taken out. Errors: ErrUnknown.
func (l *Library) Remove(ctx context.Context, name string) ([]string, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	path, ok := l.resolve(name)
	if !ok {
		return nil, fmt.Errorf("removing %s: %w", name, ErrUnknown)
	}
	gone := l.under(path)
	l.mu.Lock()
	var shelves []string
	for _, s := range l.shelves {
		if _, ok := within(path, s.path); ok && s.given {
			shelves = append(shelves, s.path)
		}
	}
	l.mu.Unlock()
	for _, s := range shelves {
		if err := l.c.Rows.RemoveShelf(ctx, s); err != nil {
			return nil, fmt.Errorf("removing %s: %w", name, err)
		}
	}
	l.mu.Lock()
	l.shelves = slices.DeleteFunc(l.shelves, func(s shelf) bool { return slices.Contains(shelves, s.path) })
	var away, drop []string
	for _, p := range gone {
		if _, on := l.shelfOf(p); on {
			away = append(away, p)
		} else {
			drop = append(drop, p)
		}
	}
	l.mu.Unlock()
	if len(gone) == 0 && len(shelves) == 0 {
		return nil, fmt.Errorf("removing %s: %w", name, ErrUnknown)
	}
	return gone, errors.Join(l.drop(ctx, drop...), l.leave(ctx, away...))
}

// resolve finds the path that a name means: a path, the name of a document, or its last part where only one has it.
func (l *Library) resolve(name string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if abs, err := filepath.Abs(atHome(name)); err == nil {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		if e := l.entries[abs]; e != nil && !e.Away {
			return abs, true
		}
		if slices.ContainsFunc(l.shelves, func(s shelf) bool { return s.path == abs && s.given }) {
			return abs, true
		}
	}
	var exact, last []string
	for p, e := range l.entries {
		switch {
		case e.Away:
		case l.nameOf(p) == filepath.ToSlash(name):
			exact = append(exact, p)
		case filepath.Base(p) == name:
			last = append(last, p)
		}
	}
	for _, found := range [][]string{exact, last} {
		if len(found) > 0 {
			slices.Sort(found)
			return found[0], len(found) == 1 || len(exact) > 0
		}
	}
	return "", false
}
