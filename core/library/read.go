package library

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"
)

// half is as many readers as leave the machine to the rest of Solo.
func half() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// errChanged says that a file changed while it was read: it will be read again.
var errChanged = errors.New("the file changed meanwhile")

// next takes the next file from the queue.
func (l *Library) next() (Document, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 {
		path := l.queue[0]
		l.queue = l.queue[1:]
		e := l.entries[path]
		if e == nil || e.doing != waiting || e.Away {
			continue // gone meanwhile
		}
		e.doing, e.redo = reading, false
		if len(l.queue) > 0 {
			l.poke()
		}
		l.tell(path, e)
		return e.Document, true
	}
	return Document{}, false
}

// readAll reads what is in the queue until ctx ends, and hands each document to keep.
func (l *Library) readAll(ctx context.Context, keep chan<- Reading) {
	for {
		d, ok := l.next()
		if !ok {
			select {
			case <-l.work:
				continue
			case <-ctx.Done():
				return
			}
		}
		r, err := l.read(ctx, d)
		switch {
		case ctx.Err() != nil:
			l.again(d.Path)
			return
		case errors.Is(err, errChanged) || errors.Is(err, fs.ErrNotExist):
			l.forget(d.Path) // what is there now, if anything, is found by the look that follows
			l.notice(d.Path)
			continue
		case err != nil:
			r.Document.Why, r.Document.TextID, r.Text = l.excuse(err), 0, Text{}
			l.c.Log.Info().Err(err).Msg("document not opened")
		}
		l.mu.Lock()
		if e := l.entries[d.Path]; e != nil {
			e.doing = keeping
		}
		l.mu.Unlock()
		select {
		case keep <- r:
		case <-ctx.Done():
			l.again(d.Path)
			return
		}
	}
}

// again puts a file back that was not read to its end.
func (l *Library) again(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[path]; e != nil {
		e.doing = resting
		l.await(path, e)
	}
}

// forget lets a file rest as if it had never been read.
func (l *Library) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[path]; e != nil {
		e.doing, e.Modified = resting, time.Time{}
	}
}

// notice asks for a look at a path, soon.
func (l *Library) notice(path string) {
	select {
	case l.looks <- path:
	default: // the next look at everything finds it
	}
}

// read reads one file as it is now. An error is of opening it; what cannot be read is a Reading with a reason.
func (l *Library) read(ctx context.Context, d Document) (Reading, error) {
	r := Reading{Document: d}
	data, info, err := l.load1(d.Path)
	if info != nil {
		r.Document.Bytes, r.Document.Modified = info.Size(), info.ModTime().Round(0).Truncate(time.Microsecond)
	}
	if err != nil {
		return r, err
	}
	r.Document.Why = ""
	sum := sha256.Sum256(data)
	r.Text = Text{Hash: hex.EncodeToString(sum[:]), Version: Version, At: l.c.Now()}
	if known := l.known(r.Text.Hash); known != nil {
		r.Text = *known
		return r, nil
	}
	paper, err := l.take1(ctx, d.Path, data)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if err != nil {
		r.Text.Why = l.excuse(err)
		l.c.Log.Info().Err(err).Msg("document not read")
		return r, nil
	}
	r.Chunks = Cut(paper)
	r.Text.Kind, r.Text.Title, r.Text.Pages, r.Text.Partial, r.Text.Chunks = paper.Kind, paper.Title, paper.Total, paper.Partial, len(r.Chunks)
	return r, nil
}

// known is a text of a hash that was read already.
func (l *Library) known(hash string) *Text {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.hashes[hash]; ok {
		if t := l.texts[id]; t != nil && t.Version == Version {
			same := *t
			return &same
		}
	}
	return nil
}

// load1 reads a file's bytes, in a way that no link leads out of its shelf whatever happens to it meanwhile.
func (l *Library) load1(path string) ([]byte, os.FileInfo, error) {
	l.mu.Lock()
	s, on := l.shelfOf(path)
	l.mu.Unlock()
	rel, ok := within(s.path, path)
	if !on || !ok {
		return nil, nil, fs.ErrNotExist
	}
	folder := s.path
	if rel == "." {
		folder, rel = filepath.Dir(path), filepath.Base(path)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	before, err := root.Lstat(rel)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fs.ErrNotExist // it became a link, or a pipe that could wait for ever
	}
	if before.Size() > l.c.Reader.Most() {
		return nil, before, fmt.Errorf("%w: %d bytes, at most %d are read", errLarge, before.Size(), l.c.Reader.Most())
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, before, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		return nil, nil, errChanged
	}
	var data bytes.Buffer
	data.Grow(int(before.Size()) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(f, l.c.Reader.Most()+1)); err != nil {
		return nil, before, err
	}
	after, err := f.Stat()
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(data.Len()) != after.Size() {
		return nil, nil, errChanged
	}
	return data.Bytes(), after, nil
}

// errLarge says that a file is not even opened.
var errLarge = errors.New("the document is too large")

// take1 takes one document apart within its time. Whatever a document does to its reader, the library goes on.
func (l *Library) take1(ctx context.Context, path string, data []byte) (p Paper, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.c.Limit)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			l.c.Log.Error().Bytes("stack", debug.Stack()).Msg("the reader of documents broke")
			err = fmt.Errorf("reading %s: %w: %v", filepath.Base(path), errBroke, v)
		}
	}()
	return l.c.Reader.Read(ctx, filepath.Base(path), data, func(done, pages int) { l.progress(path, done, pages) })
}

var errBroke = errors.New("the document broke its reader")

// excuse words why a file was not read, for the user.
func (l *Library) excuse(err error) string {
	switch {
	case errors.Is(err, errLarge):
		return "It is too large."
	case errors.Is(err, errBroke):
		return "It is broken in a way that could not be read."
	}
	return l.c.Reader.Excuse(err)
}

// progress notes how far the reading of a document is.
func (l *Library) progress(path string, done, pages int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[path]
	if e == nil || e.doing != reading || pages <= 0 {
		return
	}
	part := min(float64(done)/float64(pages), 1)
	if part-e.done < 0.05 && part < 1 {
		return
	}
	e.done = part
	l.tell(path, e)
}
