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
	"time"
)

const deepest = 32 // folders within folders that are looked into

// Changed looks at a file or folder at once, and queues what is to be read.
func (l *Library) Changed(ctx context.Context, path string) error { return l.look(ctx, path) }

// look compares what lies at a path with what is known of it, a file or a folder with all that is in it, and queues what
// is to be read. "" looks at all shelves.
func (l *Library) look(ctx context.Context, path string) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	if err := l.load(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	at := []string{path}
	if path == "" {
		at = at[:0]
		for _, s := range l.shelves {
			at = append(at, s.path)
		}
	}
	l.mu.Unlock()
	for _, p := range at {
		if err := l.compare(ctx, p); err != nil {
			return err
		}
	}
	if path == "" {
		return l.strays(ctx)
	}
	return nil
}

// seen is a file as it lies there.
type seen struct {
	path     string
	bytes    int64
	modified time.Time
}

// walked is what a look found.
type walked struct {
	files []seen
	blind []string // folders that could not be looked into
	over  bool     // there were more than are looked at
}

// compare looks at one path.
func (l *Library) compare(ctx context.Context, path string) error {
	l.mu.Lock()
	s, on := l.shelfOf(path)
	l.mu.Unlock()
	if !on {
		return nil
	}
	w, err := l.walk(ctx, s, path)
	if errors.Is(err, fs.ErrNotExist) && path == s.path {
		// Of a folder that is not there, such as one on a drive that was pulled out, nothing is known.
		if info, gone := os.Stat(filepath.Dir(path)); !l.holdsFile(path) || gone != nil || !info.IsDir() {
			l.lack(path, true)
			return nil
		}
		err = nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if path == s.path {
		l.lack(path, false)
		l.mu.Lock()
		l.over[path] = w.over
		l.mu.Unlock()
	}
	if err := l.take(ctx, w.files); err != nil {
		return err
	}
	return l.drop(ctx, l.gone(path, w)...)
}

// holdsFile tells whether a shelf is one file, by what was known of it.
func (l *Library) holdsFile(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[path] != nil
}

func (l *Library) lack(path string, on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.missing[path] != on {
		if l.missing[path] = on; !on {
			delete(l.missing, path)
		}
	}
}

// walk lists the files at a path of a shelf that are to be read.
func (l *Library) walk(ctx context.Context, s shelf, path string) (w walked, err error) {
	if rel, _ := within(s.path, path); rel != "." && left(rel) {
		return w, nil
	}
	count := 0
	err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		rel, _ := within(s.path, p)
		switch {
		case err != nil && p == path:
			return err
		case err != nil:
			w.blind = append(w.blind, p)
			return nil
		case e.IsDir() && rel != "." && (left(rel) || strings.Count(rel, string(filepath.Separator)) >= deepest):
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		if rel == "." {
			rel = filepath.Base(p)
		}
		if !l.fits(rel) {
			return nil
		}
		if count++; count > l.c.Files {
			w.over = true
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil {
			w.files = append(w.files, seen{p, info.Size(), info.ModTime().Round(0).Truncate(time.Microsecond)})
		}
		return nil
	})
	return w, err
}

// gone lists what was known at a path and is no longer there.
func (l *Library) gone(path string, w walked) []string {
	here := make(map[string]bool, len(w.files))
	for _, f := range w.files {
		here[f.path] = true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for p := range l.entries {
		_, below := within(path, p)
		if !below || here[p] || w.over && lies(p) {
			continue
		}
		if !slices.ContainsFunc(w.blind, func(b string) bool { _, in := within(b, p); return in }) {
			out = append(out, p)
		}
	}
	return out
}

func lies(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// strays drops documents that stand on no shelf any more, because the settings name their folder no longer.
func (l *Library) strays(ctx context.Context) error {
	l.mu.Lock()
	var out []string
	for p := range l.entries {
		if _, on := l.shelfOf(p); !on {
			out = append(out, p)
		}
	}
	l.mu.Unlock()
	return l.drop(ctx, out...)
}

// take queues what is new or changed.
func (l *Library) take(ctx context.Context, files []seen) error {
	l.mu.Lock()
	var fresh []Document
	for _, f := range files {
		e := l.entries[f.path]
		switch {
		case e == nil:
			fresh = append(fresh, Document{Path: f.path, Bytes: f.bytes, Modified: f.modified, Added: l.c.Now()})
		case e.Away:
		case e.doing == resting && l.settled(e, f):
		case e.doing == reading || e.doing == keeping:
			e.redo = e.redo || e.Bytes != f.bytes || !e.Modified.Equal(f.modified)
		case e.doing == resting:
			l.await(f.path, e)
		}
	}
	l.mu.Unlock()
	for some := range slices.Chunk(fresh, 500) {
		if err := l.put(ctx, some...); err != nil {
			return err
		}
		l.mu.Lock()
		for _, d := range some {
			l.await(d.Path, l.entries[d.Path])
		}
		l.mu.Unlock()
	}
	return nil
}

// settled tells whether a file is as it was when it was read. l.mu must be held.
func (l *Library) settled(e *entry, f seen) bool {
	if e.Bytes != f.bytes || !e.Modified.Equal(f.modified) {
		return false
	}
	t := l.texts[e.TextID]
	return t != nil && t.Version == Version || t == nil && e.Why != "" && f.bytes > l.c.Reader.Most()
}

// await puts a file at the end of the queue. l.mu must be held.
func (l *Library) await(path string, e *entry) {
	if e == nil || e.doing == waiting {
		return
	}
	e.doing, e.done, e.redo = waiting, 0, false
	l.queue = append(l.queue, path)
	l.poke()
	l.tell(path, e)
}

// poke wakes a reader. It may be called with l.mu held.
func (l *Library) poke() {
	select {
	case l.work <- struct{}{}:
	default:
	}
}

// put stores documents and takes them into account.
func (l *Library) put(ctx context.Context, docs ...Document) error {
	kept, err := l.c.Rows.PutDocuments(ctx, docs...)
	if err != nil {
		return fmt.Errorf("keeping documents: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range kept {
		l.enter(d)
	}
	return nil
}

// enter takes a document as the rows have it. l.mu must be held.
func (l *Library) enter(d Document) *entry {
	e := l.entries[d.Path]
	if e == nil {
		e = &entry{}
		l.entries[d.Path] = e
	}
	old := e.TextID
	e.Document = d
	l.name(d.TextID, d.Path)
	if old != 0 && old != d.TextID {
		l.unname(old, d.Path)
	}
	return e
}

// drop forgets documents, with all that was kept of them.
func (l *Library) drop(ctx context.Context, paths ...string) error {
	if len(paths) == 0 {
		return nil
	}
	l.keeps.Lock()
	defer l.keeps.Unlock()
	if err := l.c.Rows.RemoveDocuments(ctx, paths...); err != nil {
		return fmt.Errorf("forgetting documents: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range paths {
		e := l.entries[p]
		if e == nil {
			continue
		}
		delete(l.entries, p)
		l.unname(e.TextID, p)
		l.tell(p, nil)
	}
	l.idle = false // the rows dropped their texts
	l.slab.stale()
	return nil
}

// leave keeps documents out of the library although their files stay in its folders.
func (l *Library) leave(ctx context.Context, paths ...string) error {
	if len(paths) == 0 {
		return nil
	}
	l.keeps.Lock()
	defer l.keeps.Unlock()
	l.mu.Lock()
	var docs []Document
	for _, p := range paths {
		if e := l.entries[p]; e != nil {
			d := e.Document
			d.Away, d.TextID, d.Why = true, 0, ""
			docs = append(docs, d)
		}
	}
	l.mu.Unlock()
	if err := l.put(ctx, docs...); err != nil {
		return err
	}
	l.mu.Lock()
	for _, d := range docs {
		l.tell(d.Path, nil)
	}
	l.mu.Unlock()
	return l.tidy(ctx)
}
