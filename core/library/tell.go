package library

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Progress is how the library is doing. It is published when that changes, a few times a second at most.
type Progress struct {
	Documents int      `json:"documents"`
	Waiting   int      `json:"waiting"`
	Broken    int      `json:"broken"`
	Reading   []Doing  `json:"reading"` // what is read now
	Missing   []string `json:"missing,omitempty"`
}

// Doing is a document that is read.
type Doing struct {
	Name string  `json:"name"`
	Done float64 `json:"done"` // 0 to 1
}

// State is where a document is on its way.
type State string

const (
	Waiting State = "waiting"
	Busy    State = "reading"
	Read    State = "read"
	Broken  State = "broken" // Why tells the reason
	Gone    State = "gone"   // told to followers only
)

// Item is a document as it is listed.
type Item struct {
	Name     string // its path seen from its folder
	Path     string
	Title    string
	Kind     string
	Bytes    int64
	Modified time.Time
	Pages    int
	Chunks   int // passages
	Partial  bool
	State    State
	Done     float64 // 0 to 1, while it is read
	Why      string
	Same     []string // other names of the same content
}

// item shows an entry; nil is one that is gone. l.mu must be held.
func (l *Library) item(path string, e *entry) Item {
	i := Item{Name: l.nameOf(path), Path: path, State: Gone}
	if e == nil || e.Away {
		return i
	}
	i.Bytes, i.Modified, i.Done, i.Why = e.Bytes, e.Modified, e.done, e.Why
	t := l.texts[e.TextID]
	if t != nil {
		i.Title, i.Kind, i.Pages, i.Chunks, i.Partial = t.Title, t.Kind, t.Pages, t.Chunks, t.Partial
		if i.Why == "" {
			i.Why = t.Why
		}
		for p := range l.names[t.ID] {
			if p != path {
				i.Same = append(i.Same, l.nameOf(p))
			}
		}
		slices.Sort(i.Same)
	}
	switch {
	case e.doing == waiting:
		i.State = Waiting
	case e.doing == reading || e.doing == keeping:
		i.State = Busy
	case i.Why != "":
		i.State = Broken
	case t != nil:
		i.State = Read
	default:
		i.State = Waiting
	}
	return i
}

// List lists all documents by their names.
func (l *Library) List(ctx context.Context) ([]Item, error) {
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Item
	for p, e := range l.entries {
		if !e.Away {
			out = append(out, l.item(p, e))
		}
	}
	slices.SortFunc(out, func(a, b Item) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out, nil
}

// Find gives one document by its path.
func (l *Library) Find(ctx context.Context, path string) (Item, error) {
	if err := l.ready(ctx); err != nil {
		return Item{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[path]
	if e == nil || e.Away {
		return Item{}, ErrUnknown
	}
	return l.item(path, e), nil
}

// Folder is a place whose documents are kept.
type Folder struct {
	Path    string
	Given   bool // by solo docs add, not by the settings
	Missing bool // it is not there now: its documents stay as they were
	Over    bool // it holds more files than are looked at
}

// Status is how the library is.
type Status struct {
	Progress
	Chunks  int // passages that can be searched
	Folders []Folder
	Model   string // that vectors are made with, "" for none
	Vectors int    // passages that have one
}

// Status tells how the library is.
func (l *Library) Status(ctx context.Context) (Status, error) {
	if err := l.ready(ctx); err != nil {
		return Status{}, err
	}
	n, _, _, err := l.c.Rows.Span(ctx)
	if err != nil {
		return Status{}, err
	}
	model := ""
	if l.c.Embedder != nil {
		model = l.c.Embedder.Model(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{Progress: l.count(), Chunks: int(n), Model: model, Vectors: l.slab.size()}
	for _, f := range l.shelves {
		s.Folders = append(s.Folders, Folder{f.path, f.given, l.missing[f.path], l.over[f.path]})
	}
	return s, nil
}

// count sums up. l.mu must be held.
func (l *Library) count() Progress {
	p := Progress{Reading: []Doing{}}
	for path, e := range l.entries {
		if e.Away {
			continue
		}
		p.Documents++
		switch {
		case e.doing == waiting:
			p.Waiting++
		case e.doing != resting:
			p.Reading = append(p.Reading, Doing{l.nameOf(path), e.done})
		case e.Why != "":
			p.Broken++
		default:
			if t := l.texts[e.TextID]; t != nil && t.Why != "" {
				p.Broken++
			}
		}
	}
	for path := range l.missing {
		p.Missing = append(p.Missing, path)
	}
	slices.Sort(p.Missing)
	slices.SortFunc(p.Reading, func(a, b Doing) int { return strings.Compare(a.Name, b.Name) })
	return p
}

// follower is told of each change of a document.
type follower struct {
	items []Item // not yet taken
	wake  chan struct{}
}

// tell notes a change for those who follow and for the bus. l.mu must be held.
func (l *Library) tell(path string, e *entry) {
	select {
	case l.changed <- struct{}{}:
	default:
	}
	if len(l.followers) == 0 {
		return
	}
	i := l.item(path, e)
	for f := range l.followers {
		f.items = append(f.items, i)
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

// report publishes how the library is doing, when that changes.
func (l *Library) report(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.changed:
		}
		if l.c.Bus != nil {
			l.mu.Lock()
			p := l.count()
			l.mu.Unlock()
			_ = l.pub.Publish(ctx, p) // when ctx ends, nobody needs it
		}
		select { // the next one tells what came meanwhile
		case <-ctx.Done():
			return
		case <-time.After(tellEvery):
		}
	}
}

const tellEvery = 300 * time.Millisecond

// Wait tells each change of some documents until all of them are read, broken or gone, or ctx ends. It needs Serve to run.
func (l *Library) Wait(ctx context.Context, paths []string, told func(Item)) error {
	f := &follower{wake: make(chan struct{}, 1)}
	open := map[string]bool{}
	l.mu.Lock()
	l.followers[f] = true
	for _, p := range paths {
		i := l.item(p, l.entries[p])
		if open[p] = true; i.State != Waiting && i.State != Busy {
			delete(open, p)
			f.items = append(f.items, i)
		}
	}
	first := f.items
	f.items = nil
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.followers, f)
	}()
	for _, i := range first {
		told(i)
	}
	for len(open) > 0 {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-f.wake:
		}
		l.mu.Lock()
		items := f.items
		f.items = nil
		l.mu.Unlock()
		for _, i := range items {
			if !open[i.Path] {
				continue
			}
			if i.State != Waiting && i.State != Busy {
				delete(open, i.Path)
			}
			told(i)
		}
	}
	return nil
}
