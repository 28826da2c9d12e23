package memory

import (
	"context"
	"errors"
	"time"

	"github.com/solo-assistant/solo/core/rank"
)

// MaxText is the longest text of a memory, and the longest question for one, in bytes.
const MaxText = 1 << 20

// Kind says what sort of thing is remembered.
type Kind string

const (
	Profile    Kind = "profile"    // who the user is: name, town, work, allergies
	Preference Kind = "preference" // what the user likes
	Episode    Kind = "episode"    // what was said in a talk, or a talk in short
	Fact       Kind = "fact"       // anything else that is so
	Note       Kind = "note"       // text to be found again
)

// Kinds are all there are.
var Kinds = []Kind{Profile, Preference, Episode, Fact, Note}

// Item is one thing that is remembered.
type Item struct {
	ID         int64  // set by Keep, never used twice for one user
	Key        string // JSON: the ID that it was imported under, "" for none
	Kind       Kind
	Subject    string // what it is the value of, folded: "bike lock code"; "" where that is not known
	Text       string
	Near       string  // what was said right before and after it
	Session    string  // the talk that it was said in
	Turn       int64   // of that talk's lines, 0 for none
	Source     string  // who said it, or where it was read: "voice", "typed", "talk", a document's name
	Confidence float64 // 0 to 1
	At         time.Time
	Expires    time.Time // zero for never
	Supersedes int64     // the value before, 0 for none
	Replaced   time.Time // since when another value holds; zero where this one does
}

// Found is an Item with how well it answers a question.
type Found struct {
	Item
	Score float64 // comparable within one answer; more is better
	Cover float64 // 0 to 1: how much of the question's words it holds
}

var (
	ErrUnknown = errors.New("no such memory")
	ErrEmpty   = errors.New("there is nothing to keep")
	ErrTooLong = errors.New("longer than a memory may be: 1 MiB")
	ErrKey     = errors.New("a preference's name is 1 to 64 of a-z, 0-9, '_', '.' and '-'")
	ErrKind    = errors.New("a memory is a profile, preference, episode, fact or note")
)

// Imported counts what came of an import.
type Imported struct{ Added, Changed, Same int }

// Erased is what went when something was forgotten: the items, with older values of theirs, and how many other places
// quoted them.
type Erased struct {
	Items    []Item
	Messages int // lines of talks and turns of the history
	Talks    int // summaries that were made shorter
}

// Rows keeps the memories and preferences of one user.
type Rows interface {
	// Put stores items, all or none; one whose ID is 0 is new.
	Put(ctx context.Context, items ...Item) ([]Item, error)
	// Import stores items under their keys, all or none.
	Import(ctx context.Context, items ...Item) (Imported, error)
	// Replace stores an item in the place of an older one, which stays as history.
	Replace(ctx context.Context, old int64, item Item) (Item, error)
	// Erase removes items with their older values and all that quotes them, all or none; ErrUnknown where one is missing.
	// What is said about a topic, "" for none, goes as well.
	Erase(ctx context.Context, topic string, ids ...int64) (Erased, error)
	// Withdraw removes one item as if it had never been said: the value before it holds again.
	Withdraw(ctx context.Context, id int64) (Item, error)
	// Restore puts items back as Erase returned them, all or none.
	Restore(ctx context.Context, items ...Item) error
	// Latest lists the last n items that hold, of one kind or, for "", of all, the newest first.
	Latest(ctx context.Context, kind Kind, n int) ([]Item, error)
	// Holds lists what holds of a subject.
	Holds(ctx context.Context, subject string) ([]Item, error)
	// After lists n items by their IDs, those after an ID, what was replaced among them.
	After(ctx context.Context, id int64, n int) ([]Item, error)
	// Items gives items by their IDs, in any order; those that are gone are left out.
	Items(ctx context.Context, ids []int64) ([]Item, error)
	// OfKey gives the item that was imported under a key, or ErrUnknown.
	OfKey(ctx context.Context, key string) (Item, error)

	Span(ctx context.Context) (rank.Span, error)
	// Holding is that of rank.Index.
	Holding(ctx context.Context, groups [][]string, limit int) ([]int64, error)

	// PutVectors keeps vectors that a model made of items; Vectors lists n of them by ID, those after an ID; and Unread
	// lists n items after an ID that have none.
	PutVectors(ctx context.Context, model string, ids []int64, vectors [][]float32) error
	Vectors(ctx context.Context, model string, after int64, n int) ([]int64, [][]float32, error)
	Unread(ctx context.Context, model string, after int64, n int) ([]Item, error)

	// SetPreference stores a value, over the old one where there is one.
	SetPreference(ctx context.Context, key, value, source string, at time.Time) error
	// Preference gives a value, false where none is set.
	Preference(ctx context.Context, key string) (string, bool, error)
}

// Embedder makes vectors of texts, whose nearness is nearness of meaning.
type Embedder interface {
	// Model names what makes them, "" where nothing can.
	Model(ctx context.Context) string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Vectors finds the nearest of many vectors, all of one length. It is safe for use by several goroutines.
type Vectors interface {
	Add(ctx context.Context, ids []int64, vectors [][]float32) error
	Remove(ctx context.Context, ids ...int64) error
	// Nearest gives the n nearest IDs, the nearest first.
	Nearest(ctx context.Context, v []float32, n int) ([]int64, error)
	Len() int
}
