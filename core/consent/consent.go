// Package consent keeps what the user agreed to: approvals of single calls, what may leave the machine, and the ledger of
// what left.
//
// An approval is asked for with the exact arguments, or the exact messages, in its row. It holds for a minute until the
// user answers and, once granted, for a minute until it is used; it is used once and for nothing else. Each step from
// one state to the next happens in the rows, so that of many at once one succeeds, and none is forgotten by a crash:
//
//	open --Grant--> granted --Spend, May--> spent
//	open, granted --Refuse--> refused
//
// What is sent is in the ledger before the first byte leaves. A model cannot grant: Grant refuses a ctx whose
// models.Origin is a model's. A Book is safe for use by several goroutines, and by several programs over the same rows.
package consent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// State is where an approval stands. What is too old no longer moves.
type State string

const (
	Open    State = "open"    // the user was asked
	Granted State = "granted" // the user agreed; not used yet
	Refused State = "refused"
	Spent   State = "spent" // used up
)

// Approval is the user's word for one call, or for the sending of messages.
type Approval struct {
	ID string `json:"id"` // 128 random bits in hexadecimal digits

	Tool      string          `json:"tool,omitempty"` // "" for messages
	Class     models.Class    `json:"class,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // with sorted names and no spaces

	Provider string           `json:"provider,omitempty"` // "" for a call
	Model    string           `json:"model,omitempty"`
	Purpose  models.Work      `json:"purpose,omitempty"`
	Messages []models.Message `json:"messages,omitempty"`
	Digest   string           `json:"digest,omitempty"` // of the messages

	Say     string    `json:"say"` // how the user was asked
	State   State     `json:"state"`
	Asked   time.Time `json:"asked"`
	Until   time.Time `json:"until"`   // it holds before then
	Decided time.Time `json:"decided"` // when it came into its state, zero while open
}

// Call is what the approval is for, the zero Call where it is for messages.
func (a Approval) Call() models.Call { return models.Call{Tool: a.Tool, Arguments: a.Arguments} }

// Entry is one line of the ledger.
type Entry struct {
	ID       int64           `json:"id"`
	At       time.Time       `json:"at"`
	Provider string          `json:"provider"` // or the tool that sent it
	Model    string          `json:"model,omitempty"`
	Purpose  string          `json:"purpose"`  // a models.Work, or "call"
	Approval string          `json:"approval"` // id, or Standing
	Content  json.RawMessage `json:"content"`  // all that was sent: []models.Message, or a models.Call
	Digest   string          `json:"digest"`
}

// Standing stands for a permission, or for a setting that lets a tool pass, in the place of an approval's id.
const Standing = "standing"

// call is the purpose of what a tool sent.
const call = "call"

// Permission lets a provider be asked without a question each time.
type Permission struct {
	Provider string    `json:"provider"`
	At       time.Time `json:"at"`
}

// Step takes an approval from one state to the next.
type Step struct {
	ID            string
	Before, After State
	At            time.Time // now; the approval must still hold
	Until         time.Time // it holds before then from now on
	Entry         *Entry    // for the ledger, written with the step or not at all; nil for nothing
}

// Rows keep approvals, permissions and the ledger. All that a method changes is on the disk when it returns.
type Rows interface {
	InsertApproval(ctx context.Context, a Approval) error
	Approval(ctx context.Context, id string) (Approval, error)                 // or ErrUnknown
	Approvals(ctx context.Context, s State, now time.Time) ([]Approval, error) // that still hold, the oldest first
	Move(ctx context.Context, s Step) error                                    // ErrUnknown where it is not in Before, or too old
	AddEntry(ctx context.Context, e Entry) error                               //
	Entries(ctx context.Context, n int) ([]Entry, error)                       // the newest first
	Permit(ctx context.Context, provider string, at time.Time) error           //
	Revoke(ctx context.Context, provider string) error                         // or ErrUnknown
	Permissions(ctx context.Context) ([]Permission, error)                     // by provider
}

// Wanted says that the user was asked. What it holds is private.
type Wanted struct{ Approval Approval }

// Decided says that the user answered.
type Decided struct {
	ID      string
	Granted bool
}

// Config is what a Book is made of.
type Config struct {
	Rows Rows
	Bus  *bus.Bus         // gets Wanted and Decided; nil for none
	Now  func() time.Time // nil is time.Now
	Log  zerolog.Logger
}

// Book keeps the user's word.
type Book struct {
	c       Config
	wanted  func(context.Context, Wanted)
	decided func(context.Context, Decided)
}

const (
	holds    = time.Minute // an approval, at first and once granted
	openMost = 16          // questions at a time
)

// New builds a Book.
func New(c Config) *Book {
	if c.Now == nil {
		c.Now = time.Now
	}
	b := &Book{c: c, wanted: func(context.Context, Wanted) {}, decided: func(context.Context, Decided) {}}
	if c.Bus != nil {
		wanted, decided := bus.Publisher[Wanted](c.Bus, "consent"), bus.Publisher[Decided](c.Bus, "consent")
		// It fails only when ctx has ended, and the rows hold the truth.
		b.wanted = func(ctx context.Context, e Wanted) { _ = wanted.Publish(ctx, e) }
		b.decided = func(ctx context.Context, e Decided) { _ = decided.Publish(ctx, e) }
	}
	return b
}

// Open lists the approvals that wait for the user's answer, the oldest first.
func (b *Book) Open(ctx context.Context) ([]Approval, error) {
	return b.c.Rows.Approvals(ctx, Open, b.c.Now())
}

// Get gives one approval, or ErrUnknown.
func (b *Book) Get(ctx context.Context, id string) (Approval, error) {
	a, err := b.c.Rows.Approval(ctx, id)
	if err != nil {
		return Approval{}, fmt.Errorf("looking for approval %q: %w", id, err)
	}
	return a, nil
}

// Ledger gives the last n entries, the newest first.
func (b *Book) Ledger(ctx context.Context, n int) ([]Entry, error) { return b.c.Rows.Entries(ctx, n) }
