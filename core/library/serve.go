package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/solo-assistant/solo/core/supervise"
)

const (
	quiet    = 300 * time.Millisecond // that a file must have been left alone before it is read
	patience = 5 * time.Second        // after which it is read although it is still being written
)

// String is the name of the service.
func (l *Library) String() string { return "library" }

// Serve reads what waits, watches the folders and follows what changes there, until ctx ends. It waits for its goroutines.
func (l *Library) Serve(ctx context.Context) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	supervise.Ready(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	fail := func(err error) {
		if err != nil {
			cancel(err)
		}
	}
	var all, readers sync.WaitGroup
	defer all.Wait()
	read := make(chan Reading, batchMost)
	for range l.c.Readers {
		readers.Go(func() { l.readAll(ctx, read) })
	}
	all.Go(func() { readers.Wait(); close(read) })
	all.Go(func() {
		// What was read is kept also when all ends.
		late, done := context.WithTimeout(context.WithoutCancel(ctx), time.Hour)
		defer done()
		fail(l.keepAll(late, read))
		for range read { // so that no reader waits for ever
		}
	})
	if l.c.Embedder != nil {
		all.Go(func() { l.embedAll(ctx) })
	}
	all.Go(func() { l.report(ctx) })
	fail(l.follow(ctx))
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// follow looks at all folders, and again at what changes.
func (l *Library) follow(ctx context.Context) error {
	w := l.watcher()
	if w != nil {
		defer w.Close()
	}
	every := time.NewTicker(l.c.Every)
	defer every.Stop()
	soon := time.NewTimer(0)
	defer soon.Stop()
	m := marks{at: map[string]mark{}}
	m.note("", time.Now().Add(-quiet)) // everything, at once
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-w.events():
			l.heed(w, e, &m)
		case err := <-w.errors():
			l.c.Log.Warn().Err(err).Msg("changes in folders may have been missed; they are looked through again")
			m.note("", time.Now())
		case path := <-l.looks:
			w.watch(path)
			m.note(path, time.Now().Add(-quiet))
		case <-every.C:
			m.note("", time.Now().Add(-quiet))
		case <-soon.C:
		}
		for _, path := range m.due(time.Now()) {
			if path == "" {
				w.watchAll()
			}
			if err := l.look(ctx, path); err != nil && ctx.Err() == nil {
				return err
			}
		}
		soon.Reset(m.next(time.Now()))
	}
}

// heed notes that something changed. A new folder is watched too.
func (l *Library) heed(w *watcher, e fsnotify.Event, m *marks) {
	if e.Op == fsnotify.Chmod || e.Name == "" {
		return
	}
	if left(filepath.Base(e.Name)) {
		return
	}
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			w.watch(e.Name)
		}
	}
	m.note(e.Name, time.Now())
}

// marks are paths that changed and are to be looked at once they are quiet. "" is all.
type marks struct{ at map[string]mark }

type mark struct{ first, last time.Time }

const mostMarks = 2000 // more changes than these are one look at everything

func (m *marks) note(path string, at time.Time) {
	if len(m.at) >= mostMarks {
		clear(m.at)
		path = ""
	}
	old, ok := m.at[path]
	if !ok {
		old.first = at
	}
	m.at[path] = mark{old.first, at}
}

// due takes the paths whose time has come.
func (m *marks) due(now time.Time) []string {
	var out []string
	for path, k := range m.at {
		if now.Sub(k.last) >= quiet || now.Sub(k.first) >= patience {
			out = append(out, path)
			delete(m.at, path)
		}
	}
	return out
}

// next is how long until one may be due.
func (m *marks) next(now time.Time) time.Duration {
	wait := time.Hour
	for _, k := range m.at {
		wait = min(wait, k.last.Add(quiet).Sub(now), k.first.Add(patience).Sub(now))
	}
	return max(wait, time.Millisecond)
}

// watcher has the system tell of changes. A nil watcher tells of none.
type watcher struct {
	*fsnotify.Watcher
	l    *Library
	full bool // the system watches no more folders
}

func (l *Library) watcher() *watcher {
	w, err := fsnotify.NewBufferedWatcher(1024)
	if err != nil {
		l.c.Log.Warn().Err(err).Dur("every", l.c.Every).Msg("folders cannot be watched, they are looked through instead")
		return nil
	}
	return &watcher{Watcher: w, l: l}
}

func (w *watcher) events() <-chan fsnotify.Event {
	if w == nil {
		return nil
	}
	return w.Events
}

func (w *watcher) errors() <-chan error {
	if w == nil {
		return nil
	}
	return w.Errors
}

// watchAll watches all shelves. What is watched already stays so.
func (w *watcher) watchAll() {
	if w == nil {
		return
	}
	w.l.mu.Lock()
	var paths []string
	for _, s := range w.l.shelves {
		paths = append(paths, s.path)
	}
	w.l.mu.Unlock()
	for _, p := range paths {
		w.watch(p)
	}
}

// watch watches a folder and those in it, or the folder of a file.
func (w *watcher) watch(path string) {
	if w == nil || path == "" {
		return
	}
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		w.add(filepath.Dir(path))
		return
	}
	count := 0
	_ = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error { // what cannot be looked at is not watched
		if err != nil || !e.IsDir() {
			return nil
		}
		if count++; p != path && left(filepath.Base(p)) || count > w.l.c.Files {
			return fs.SkipDir
		}
		w.add(p)
		return nil
	})
}

func (w *watcher) add(folder string) {
	if err := w.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) && !w.full {
		w.full = true
		w.l.c.Log.Warn().Err(err).Dur("every", w.l.c.Every).Msg("some folders cannot be watched, they are looked through instead")
	}
}
