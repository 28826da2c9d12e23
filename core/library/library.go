// Package library keeps the user's documents searchable: it watches folders, reads what lies there, and finds passages.
//
// A document is known by its path, its content by a hash: the same content under two names is read and indexed once. What
// cannot be read is remembered with the reason and tried again when the file changes. Hidden and temporary files are left
// alone, links are not followed, and what a document says is never more than data.
//
// New only builds. Serve reads, watches and follows changes; everything else may be called before, during and after it,
// from several goroutines.
package library

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
)

// Version is of the way that texts are taken apart. Texts of another one are read again.
const Version = 1

var (
	// ErrUnknown says that the library has no such document or folder.
	ErrUnknown = errors.New("no such document")
	// ErrUnfit says that a file is none that the library keeps: hidden, temporary, a link, or of a kind that nobody reads.
	ErrUnfit = errors.New("this file is none that is read")
	// ErrPlace says that a path is no folder and no file, or that it is not there.
	ErrPlace = errors.New("there is no such file or folder")
)

// Settings are what the user may choose.
type Settings struct {
	Folders []string      `toml:"folders" default:"" doc:"folders whose documents are kept searchable and watched, beside those given by solo docs add"`
	Files   int           `toml:"files" default:"50000" min:"1" max:"1000000" doc:"files of a folder that are looked at; more are left out"`
	Every   time.Duration `toml:"every" default:"5m" min:"10s" max:"24h" doc:"how often all folders are looked through, since the system's word of changes can be lost"`
	Limit   time.Duration `toml:"limit" default:"2m" min:"1s" max:"1h" doc:"how long reading one document may take"`
	Readers int           `toml:"readers" default:"0" min:"0" max:"16" doc:"documents that are read at once; 0: half as many as there are processors"`
}

// Config is what a Library stands on.
type Config struct {
	Settings
	Own    string // Solo's own folder of documents, watched too; "" for none
	Rows   Rows
	Reader Reader
	// Embedder gives vectors of texts; nil for none: then words alone are searched.
	Embedder Embedder
	Bus      *bus.Bus // nil for none
	Log      zerolog.Logger
	Now      func() time.Time // nil is time.Now
}

// Reader takes files apart.
type Reader interface {
	// Fits tells by its name, seen from its folder, whether a file may be read at all.
	Fits(name string) bool
	// Most is the largest file that is read, in bytes.
	Most() int64
	// Read gives the text of a file's content and calls told, from the same goroutine, with how many pages are done.
	Read(ctx context.Context, name string, data []byte, told func(done, pages int)) (Paper, error)
	// Excuse words an error of Read for the user, in one sentence.
	Excuse(err error) string
}

// Paper is a document that was read.
type Paper struct {
	Kind    string // "pdf", "text" ...
	Title   string
	Total   int // pages, empty ones counted
	Pages   []Page
	Partial bool // there was more than is read
}

// Page is the text of one page.
type Page struct {
	Number int // from 1
	Text   string
	Heads  []Head // in their order
}

// Head is a heading within a page.
type Head struct {
	Level int // 1 is the highest
	Text  string
	At    int // where its line begins, in bytes
}

// Library is the documents of one user.
type Library struct {
	c   Config
	pub bus.Pub[Progress]

	loading sync.Mutex // held while rows are loaded and while folders are looked through
	loaded  bool

	mu        sync.Mutex
	shelves   []shelf
	entries   map[string]*entry // by path
	texts     map[int64]*Text
	hashes    map[string]int64          // texts by hash
	idle      bool                      // a text may have lost its last name
	names     map[int64]map[string]bool // paths by text
	queue     []string                  // paths that wait
	work      chan struct{}             // something is in queue, or its reader came back
	followers map[*follower]bool
	missing   map[string]bool // shelves that are not there
	over      map[string]bool // shelves with more files than are looked at

	looks   chan string   // folders and files that changed, for Serve
	changed chan struct{} // something is to be told
	fresh   chan struct{} // there are passages without a vector
	keeps   sync.Mutex    // held while what was read is stored
	slab    slab
}

// New builds a Library.
func New(c Config) *Library {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Settings = c.whole()
	l := &Library{c: c, entries: map[string]*entry{}, texts: map[int64]*Text{}, hashes: map[string]int64{}, names: map[int64]map[string]bool{}, work: make(chan struct{}, 1),
		followers: map[*follower]bool{}, missing: map[string]bool{}, over: map[string]bool{}, looks: make(chan string, 64),
		changed: make(chan struct{}, 1), fresh: make(chan struct{}, 1)}
	if c.Bus != nil {
		l.pub = bus.Publisher[Progress](c.Bus, "library")
	}
	return l
}

func (s Settings) whole() Settings {
	if s.Files <= 0 {
		s.Files = 50000
	}
	if s.Every <= 0 {
		s.Every = 5 * time.Minute
	}
	if s.Limit <= 0 {
		s.Limit = 2 * time.Minute
	}
	if s.Readers <= 0 {
		s.Readers = half()
	}
	return s
}

// entry is what is known of one file.
type entry struct {
	Document
	doing state
	done  float64 // 0 to 1, of reading
	redo  bool    // it changed while it was read
}

type state int

const (
	resting state = iota // as its row says
	waiting
	reading
	keeping // read, and on its way into the rows
)

// load takes what the rows know. l.loading must be held.
func (l *Library) load(ctx context.Context) error {
	if l.loaded {
		return nil
	}
	given, err := l.c.Rows.Shelves(ctx)
	if err != nil {
		return fmt.Errorf("opening the library: %w", err)
	}
	texts, err := l.c.Rows.Texts(ctx)
	if err != nil {
		return fmt.Errorf("opening the library: %w", err)
	}
	docs, err := l.c.Rows.Documents(ctx)
	if err != nil {
		return fmt.Errorf("opening the library: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shelves = l.shelve(given)
	for i := range texts {
		l.texts[texts[i].ID] = &texts[i]
		l.hashes[texts[i].Hash] = texts[i].ID
	}
	for _, d := range docs {
		l.entries[d.Path] = &entry{Document: d}
		l.name(d.TextID, d.Path)
	}
	l.loaded = true
	return nil
}

// ready loads the rows once.
func (l *Library) ready(ctx context.Context) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	return l.load(ctx)
}

// name notes that a path is a name of a text. l.mu must be held.
func (l *Library) name(text int64, path string) {
	if text == 0 {
		return
	}
	if l.names[text] == nil {
		l.names[text] = map[string]bool{}
	}
	l.names[text][path] = true
}

// unname forgets that, and the text where it was its last name. l.mu must be held.
func (l *Library) unname(text int64, path string) {
	if delete(l.names[text], path); len(l.names[text]) == 0 {
		delete(l.names, text)
		if t := l.texts[text]; t != nil {
			delete(l.hashes, t.Hash)
			delete(l.texts, text)
		}
		l.idle = true
	}
}
