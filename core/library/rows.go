package library

import (
	"context"
	"time"
)

// Document is one file.
type Document struct {
	ID       int64
	Path     string // absolute
	Bytes    int64
	Modified time.Time // to the microsecond
	TextID   int64     // 0 before it was read
	Why      string    // it could not be opened; "" if it could
	Away     bool      // the user wants it left out
	Added    time.Time
}

// Text is what the documents of one content say, without the words.
type Text struct {
	ID      int64
	Hash    string // SHA-256 of the file
	Kind    string
	Title   string
	Pages   int
	Chunks  int
	Partial bool
	Why     string // it could not be read; "" if it could
	Version int
	At      time.Time
}

// Chunk is one passage of a text.
type Chunk struct {
	ID      int64
	TextID  int64
	Page    int    // on which it begins
	Heading string // the headings above it, the highest first, parted by " > "
	Title   string // of its document
	Begins  int    // characters of its page
	Ends    int
	Text    string
}

// Reading is a document that was read.
type Reading struct {
	Document Document
	Text     Text
	Chunks   []Chunk
}

// Rows keeps the library of one user.
type Rows interface {
	// Shelves lists the paths that the user gave.
	Shelves(ctx context.Context) ([]string, error)
	AddShelf(ctx context.Context, path string, at time.Time) error
	RemoveShelf(ctx context.Context, path string) error

	Documents(ctx context.Context) ([]Document, error)
	Texts(ctx context.Context) ([]Text, error)
	// PutDocuments stores documents under their paths and gives them with their IDs, all or none.
	PutDocuments(ctx context.Context, docs ...Document) ([]Document, error)
	// PutReadings stores documents with their texts and passages, all or none. A text of the same hash and version that is
	// there already is used in the place of the new one; of another version it is replaced, under its ID.
	PutReadings(ctx context.Context, all ...Reading) ([]Reading, error)
	// RemoveDocuments takes documents away, and with the last name of a text its passages, index and vectors.
	RemoveDocuments(ctx context.Context, paths ...string) error
	// DropIdleTexts takes texts away that no document names.
	DropIdleTexts(ctx context.Context) error

	// Span tells how many passages there are, and the lowest and the highest ID.
	Span(ctx context.Context) (count, low, high int64, err error)
	// Holding gives at most n passages that hold a word of each group, stemmed, the highest ID first.
	Holding(ctx context.Context, groups [][]string, n int) ([]int64, error)
	// Frequency counts the passages with any of some words, up to most of them from the highest ID down, and tells the last.
	Frequency(ctx context.Context, words []string, most int) (n int, last int64, err error)
	// Best gives at most n passages that hold a word of each group, the best first.
	Best(ctx context.Context, groups [][]string, n int) ([]int64, error)
	// ChunksOf lists the passages of a text in their order.
	ChunksOf(ctx context.Context, text int64) ([]Chunk, error)
	// Chunks gives those of some IDs that are there, in any order.
	Chunks(ctx context.Context, ids ...int64) ([]Chunk, error)

	// PutVectors keeps vectors of passages that are still there.
	PutVectors(ctx context.Context, model string, vectors map[int64][]float32) error
	// Vectors gives at most n vectors of a model, of the passages behind one, and the last of those.
	Vectors(ctx context.Context, model string, after int64, n int) (vectors map[int64][]float32, last int64, err error)
	// Bare lists at most n passages behind one that have no vector of a model.
	Bare(ctx context.Context, model string, after int64, n int) ([]Chunk, error)
}

// Embedder makes vectors of texts.
type Embedder interface {
	// Model names what makes them, whose vectors cannot be compared with another's; "" where nothing can.
	Model(ctx context.Context) string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
